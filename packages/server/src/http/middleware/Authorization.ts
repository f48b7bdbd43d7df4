import { Authorization, type GateDeclaration, Principal } from "@leadloom/api/Access"
import { Forbidden, HipaaRestricted, NotFound, RateLimited, Unauthorized } from "@leadloom/api/errors"
import { authenticate } from "@leadloom/core/workflow/access/Authenticate"
import { type Access, decide, type Operation, reachesTenant } from "@leadloom/core/domain/access/Permission"
import {
  homeOf,
  keyHolder,
  type Principal as Caller,
  principalName,
  tenantsOf
} from "@leadloom/core/domain/access/Principal"
import { Secrets } from "@leadloom/core/domain/access/Secrets"
import type { RateLimitRule } from "@leadloom/core/domain/access/RateLimit"
import { ApiKeys } from "@leadloom/core/port/repository/tenant/ApiKeys"
import { IdTokens } from "@leadloom/core/port/provider/IdTokens"
import { RateLimits } from "@leadloom/core/port/system/RateLimits"
import { AuditTrail } from "@leadloom/core/port/repository/tenant/AuditTrail"
import { IdempotencyRecords } from "@leadloom/core/port/repository/tenant/IdempotencyRecords"
import { Vault } from "@leadloom/core/port/system/Vault"
import { Ids } from "@leadloom/core/port/system/Ids"
import { Transactions } from "@leadloom/core/port/system/Transactions"
import { Sources } from "@leadloom/core/port/repository/tenant/Sources"
import { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { answer } from "../error/errors.ts"
import { gateOf } from "./Gates.ts"
import { Limits } from "./Limits.ts"
import { networkOf } from "./Network.ts"
import { carryOut } from "./Audited.ts"
import { once } from "./Idempotency.ts"
import { setRateLimitHeaders } from "./RateHeaders.ts"

/** What the watchers ask of the rest of the server. */
export type Watched =
  | ApiKeys
  | Sources
  | IdTokens
  | Secrets
  | Tenants
  | RateLimits
  | Limits
  | AuditTrail
  | IdempotencyRecords
  | Transactions
  | Ids
  | Vault

/** Counts against a limiter. A limiter that cannot count lets everybody through: it must not be what breaks. */
export const consume = Effect.fnUntraced(function* (tenantId: string | null, key: string, rule: RateLimitRule) {
  const limits = yield* RateLimits
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.option(limits.consume(tenantId, key, rule, now))
})

/** The network that a request comes from. */
export const networkOfCaller = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  networkOf(Option.getOrElse(remoteAddress, () => "unknown"))
)

/** Counts what nobody here issued against the network that it came from; beyond the limit 429. */
export const countBad = Effect.fnUntraced(function* (retryAfter = true) {
  const counted = yield* consume(null, `bad:${yield* networkOfCaller}`, (yield* Limits).badCredentials)
  if (Option.isNone(counted) || counted.value.allowed) return
  yield* setRateLimitHeaders(counted.value, retryAfter)
  return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

/**
 * Refuses a credential that nobody issued, and counts it against the network it came from: 401, beyond the limit 429. A
 * good credential is never refused for the bad ones of others, because behind a proxy all of them share one address.
 */
export const refuseCredential = Effect.fnUntraced(function* (credential: string, retryAfter = true) {
  if (credential === "")
    return yield* Unauthorized.of("This route needs a credential, in the header Authorization: Bearer <credential>.")
  yield* countBad(retryAfter)
  return yield* Unauthorized.of("Nobody here issued this credential, or it is over.")
})

/** Tells whose credential it is, or refuses it. */
export const identify = Effect.fnUntraced(function* (credential: string) {
  const principal = authenticate(credential).pipe(
    Effect.catchTag("CredentialInvalid", ({ reason }) =>
      Effect.as(Effect.logDebug("a credential was refused", { reason }), null)
    )
  )
  return (yield* answer(principal)) ?? (yield* refuseCredential(credential))
})

const forbidden = (principal: Caller): Forbidden =>
  Forbidden.of(
    principal._tag === "ApiKey" && principal.scopes !== null
      ? `This credential does not have the right to do this. The API key is limited to: ${principal.scopes.join(", ")}.`
      : "This credential does not have the right to do this."
  )

/**
 * Fails unless the caller may do such operations in this tenant. Who does not say that it only reads asks for the right to
 * change things.
 */
export const requireRight = (
  principal: Caller,
  operation: Operation,
  tenantId: string | null,
  access: Access = "write"
): Effect.Effect<void, Forbidden | NotFound> => {
  switch (decide(principal, operation, tenantId, "path", access)) {
    case "allow":
      return Effect.void
    case "forbidden":
      return Effect.fail(forbidden(principal))
    case "hidden":
      return Effect.fail(NotFound.of("There is no such thing here."))
  }
}

/** Whether the caller is the operator of this deployment, as far as this tenant is concerned. */
export const isOperator = (principal: Caller, tenantId: string): boolean =>
  decide(principal, "provision", tenantId) === "allow"

const requireTenant = Effect.fnUntraced(function* (gate: GateDeclaration, tenantId: string) {
  const tenant = yield* answer((yield* Tenants).get(tenantId))
  if (gate.email === true && tenant.hipaa) return yield* HipaaRestricted.of()
})

const requireRate = Effect.fnUntraced(function* (gate: GateDeclaration, principal: Caller, tenantId: string | null) {
  if (gate.limiter === "none" || gate.limiter === "public") return
  const rule = (yield* Limits)[gate.limiter]
  const counted = yield* gate.limiter === "webhook"
    ? consume(tenantId, "webhook", rule)
    : consume(homeOf(principal), `admin:${principalName(principal)}`, rule)
  if (Option.isNone(counted)) return
  yield* setRateLimitHeaders(counted.value)
  if (!counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

/**
 * The tenant that a query names, for endpoints whose path has no room for it: as the endpoint will read it, so that none is
 * let in for one tenant and served for another.
 */
const requestedTenant = Effect.fnUntraced(function* ({ tenant }: GateDeclaration) {
  if (tenant !== "query") return null
  const { tenant_id: requested } = yield* HttpServerRequest.ParsedSearchParams
  // Of several the endpoint takes none.
  return (typeof requested === "string" ? requested : requested?.[0]) ?? null
})

/**
 * The checks in the order that the contract promises: credential, tenant, HIPAA, right, rate limit. A HIPAA tenant's email
 * is closed whatever the credential may do; nothing is said of a tenant that the credential is not for.
 */
export const admit = Effect.fnUntraced(function* (credential: string, gate: GateDeclaration) {
  const principal = yield* identify(credential)
  const tenantId = (yield* HttpRouter.params)["tenant_id"] ?? (yield* requestedTenant(gate))
  if (tenantId !== null) {
    if (!reachesTenant(principal, gate.operation, tenantId)) return yield* Effect.fail(forbidden(principal))
    yield* requireTenant(gate, tenantId)
  }
  yield* requireRight(principal, gate.operation, tenantId, gate.access)
  yield* requireRate(gate, principal, tenantId)
  return principal
})

/** The tenant that a request under a key concerns; empty: the deployment. */
const tenantOfKey = Effect.fnUntraced(function* (gate: GateDeclaration, principal: Caller) {
  const named = (yield* HttpRouter.params)["tenant_id"] ?? (yield* requestedTenant(gate))
  if (named !== null || gate.tenant !== "query") return named ?? ""
  const tenants = tenantsOf(principal)
  const [only = ""] = tenants === "all" || tenants.length !== 1 ? [] : tenants
  return only
})

/**
 * What the watchers ask of the rest of the server, and nothing more: what a request opens has to be closed with the request.
 * Picked once when a layer is built, and provided once for each request, because providing copies all services.
 */
export const watched = Effect.map(
  Effect.context<Watched>(),
  Context.pick(
    ApiKeys,
    Sources,
    IdTokens,
    Secrets,
    Tenants,
    RateLimits,
    Limits,
    AuditTrail,
    IdempotencyRecords,
    Transactions,
    Ids,
    Vault
  )
)

/** Lets a request with a Bearer credential in, or says why not. */
export const layer: Layer.Layer<Authorization, never, Watched> = Layer.effect(
  Authorization,
  Effect.map(watched, (services) =>
    Authorization.of({
      bearer: (next, { credential, endpoint, group }) =>
        Effect.gen(function* () {
          const gate = yield* gateOf(endpoint)
          const principal = yield* admit(Redacted.value(credential), gate)
          const called = Effect.provideService(next, Principal, principal)
          const use = { credential: keyHolder(principal), tenantId: yield* tenantOfKey(gate, principal) }
          return yield* once(carryOut(called, gate, principal, { endpoint, group }), gate, endpoint, use)
        }).pipe(Effect.provideContext(services))
    })
  )
)
