/**
 * Middleware of all routes: authorisation, rate limits, idempotency, error envelope and headers. The permission matrix
 * belongs in `packages/core/src/domain/access`. Tests: `packages/server/test/http/access` and
 * `packages/server/test/access`.
 */

import { Authorization, type GateDeclaration, Principal } from "@leadloom/api/internal/Access"
import { Forbidden, HipaaRestricted, NotFound, RateLimited, Unauthorized } from "@leadloom/api/internal/errors"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { authenticate, type CredentialInvalid } from "@leadloom/core/internal/workflow/access/Authenticate"
import { type Access, decide, type Operation, reachesTenant } from "@leadloom/core/internal/domain/access/Permission"
import {
  homeOf,
  keyHolder,
  type Principal as Caller,
  principalName,
  tenantsOf
} from "@leadloom/core/internal/domain/access/Principal"
import type { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import type { RateLimitRule } from "@leadloom/core/internal/domain/access/RateLimit"
import type { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import type { ConsoleSessions } from "@leadloom/core/internal/port/repository/tenant/ConsoleSessions"
import type { StreamTickets } from "@leadloom/core/internal/port/repository/tenant/StreamTickets"
import type { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import type { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import type { IdempotencyRecords } from "@leadloom/core/internal/port/repository/tenant/IdempotencyRecords"
import type { Vault } from "@leadloom/core/internal/port/system/Vault"
import type { Ids } from "@leadloom/core/internal/port/system/Ids"
import type { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import type { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import type { Crm } from "@leadloom/core/internal/port/provider/Crm"
import type { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import type { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import type { SalesPipelines } from "@leadloom/core/internal/port/repository/lead/SalesPipelines"
import type { Activities, Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import type { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import type { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import type { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import type { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import type { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { answer } from "../error/errors.ts"
import { admitPage } from "./browser/Page.ts"
import { gateOf } from "./Gates.ts"
import { Limits } from "./Limits.ts"
import { actingUser } from "./ActingUser.ts"
import { redeemTicket, ticketOf } from "./browser/StreamTicket.ts"
import { networkOf } from "./Network.ts"
import { type Called, carryOut } from "./Audited.ts"
import { once } from "./Idempotency.ts"
import { presentServices } from "./PresentServices.ts"
import { setRateLimitHeaders } from "./RateHeaders.ts"
import { log } from "../../LogEvents.ts"

/** The services that record the event of a new user. */
type OutboxServices =
  | Activities
  | Events
  | Crm
  | Contacts
  | CrmLinks
  | CrmInstalls
  | Jobs
  | Leads
  | SalesPipelines
  | TriggerRuns

/** The services that the authorisation middleware requires. */
export type Watched =
  | ApiKeys
  | Sources
  | IdTokens
  | Secrets
  | Tenants
  | Users
  | OutboxServices
  | RateLimits
  | Limits
  | StreamTickets
  | ConsoleSessions
  | AuditTrail
  | IdempotencyRecords
  | Transactions
  | Ids
  | Vault

/**
 * Counts a request in a rate limiter. If the limiter fails, the request is permitted, so that an outage of the limiter
 * does not reject requests.
 */
export const consume = (tenantId: string | null, key: string, rule: RateLimitRule) =>
  Effect.contextWith((context: Context.Context<RateLimits>) => {
    const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
    return Effect.option(Context.get(context, RateLimits).consume(tenantId, key, rule, now))
  })

/** The network of the caller. */
export const networkOfCaller = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  networkOf(Option.getOrElse(remoteAddress, () => "unknown"))
)

/** Counts an unknown credential against the caller's network. Fails with 429 above the limit. */
export const countBad = Effect.fnUntraced(function* (retryAfter = true) {
  const counted = yield* consume(null, `bad:${yield* networkOfCaller}`, (yield* Limits).badCredentials)
  if (Option.isNone(counted) || counted.value.allowed) return
  yield* setRateLimitHeaders(counted.value, retryAfter)
  return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

/**
 * Rejects an unknown credential with 401, and counts it against the caller's network. Above the limit, the status is
 * 429. Requests with a valid credential are not affected, because all clients behind a proxy share one address.
 */
export const refuseCredential = Effect.fnUntraced(function* (credential: string, retryAfter = true) {
  if (credential === "")
    return yield* Unauthorized.of(
      "This route requires a credential. Send it in the header Authorization: Bearer <credential>."
    )
  yield* countBad(retryAfter)
  return yield* Unauthorized.of(
    "Unknown or expired credential. Send a valid one in the header Authorization: Bearer <credential>."
  )
})

const refuseInvalid =
  (credential: string) =>
  ({ reason }: CredentialInvalid) =>
    Effect.andThen(log("credential.rejected", { reason }), refuseCredential(credential))

/** Returns the principal of a credential. Fails if the credential is invalid. */
export const identify = (credential: string) =>
  Effect.catchTags(authenticate(credential), {
    CredentialInvalid: refuseInvalid(credential),
    IdTokensUnavailable: (error) => answer(Effect.fail(error)),
    StoreUnavailable: (error) => answer(Effect.fail(error))
  })

const forbidden = (principal: Caller): Forbidden =>
  Forbidden.of(
    principal._tag === "ApiKey" && principal.scopes !== null
      ? `This credential does not permit this operation. The API key is limited to: ${principal.scopes.join(", ")}.`
      : "This credential does not permit this operation."
  )

/** Fails unless the caller may perform the operation in this tenant. The default access is `write`. */
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
      return Effect.fail(NotFound.of("There is no such resource."))
  }
}

/** Returns whether the caller is the operator of the deployment and may act for this tenant. */
export const isOperator = (principal: Caller, tenantId: string): boolean =>
  decide(principal, "provision", tenantId) === "allow"

/** The access requirements of a route, inside or outside the contract. */
type Requirements = Omit<GateDeclaration, "name">

const requireTenant = (context: Context.Context<Tenants>, gate: Requirements, tenantId: string) =>
  Effect.flatMap(answer(Context.get(context, Tenants).get(tenantId)), ({ hipaa }) =>
    gate.email === true && hipaa ? Effect.fail(HipaaRestricted.of()) : Effect.void
  )

const requireRate = (
  context: Context.Context<Limits>,
  gate: Requirements,
  principal: Caller,
  tenantId: string | null
) => {
  if (gate.limiter === "none" || gate.limiter === "public") return Effect.void
  const rule = Context.get(context, Limits)[gate.limiter]
  const counting =
    gate.limiter === "webhook"
      ? consume(tenantId, "webhook", rule)
      : consume(homeOf(principal), `admin:${principalName(principal)}`, rule)
  return Effect.flatMap(counting, (counted) => {
    if (Option.isNone(counted)) return Effect.void
    const { allowed, retryAfterSeconds } = counted.value
    const stated = setRateLimitHeaders(counted.value)
    return allowed ? stated : Effect.andThen(stated, Effect.fail(RateLimited.of(retryAfterSeconds)))
  })
}

/** The parts of the context that tell which tenant a request names. */
type Named = HttpRouter.RouteContext | HttpServerRequest.ParsedSearchParams

/**
 * Returns the tenant that a request names in its path or query; null if it names none. The query is parsed in the same
 * way as in the endpoint, so that the endpoint uses the tenant that was authorised.
 */
const namedTenant = (context: Context.Context<Named>, { tenant }: Requirements): string | null => {
  const { tenant_id: inPath } = Context.get(context, HttpRouter.RouteContext).params
  if (inPath !== undefined || tenant !== "query") return inPath ?? null
  const { tenant_id: requested } = Context.get(context, HttpServerRequest.ParsedSearchParams)
  // A repeated `tenant_id` needs no check here, because the endpoint rejects it.
  return typeof requested === "string" ? requested : (requested?.[0] ?? null)
}

/**
 * Checks the credential, the page that uses it, the tenant, HIPAA, the right and the rate limit, in the order of the
 * contract. Email endpoints of a HIPAA tenant reject every credential. A caller without access to a tenant cannot find
 * out whether the tenant exists. It reads the services from one context, because each `yield*` of a service would be
 * another effect of every request.
 */
export const admit = Effect.fnUntraced(function* (credential: string, gate: Requirements) {
  const principal = yield* identify(credential)
  const context = yield* Effect.context<Named | Tenants | Limits | HttpServerRequest.HttpServerRequest>()
  yield* admitPage(context, principal)
  const tenantId = namedTenant(context, gate)
  if (tenantId !== null) {
    if (!reachesTenant(principal, gate.operation, tenantId)) return yield* Effect.fail(forbidden(principal))
    if (gate.archived !== true) yield* requireTenant(context, gate, tenantId)
  }
  yield* requireRight(principal, gate.operation, tenantId, gate.access)
  yield* requireRate(context, gate, principal, tenantId)
  const { headers } = Context.get(context, HttpServerRequest.HttpServerRequest)
  return { headers, principal, user: yield* actingUser(headers, principal, gate, tenantId) }
})

/**
 * Returns the tenant that a request names, or the only tenant of the caller. An empty text means the deployment. The
 * idempotency key of the request is stored under this tenant.
 */
export const tenantOfRequest = (gate: Requirements, principal: Caller) =>
  Effect.contextWith((context: Context.Context<Named>) => {
    const named = namedTenant(context, gate)
    if (named !== null || gate.tenant !== "query") return Effect.succeed(named ?? "")
    const tenants = tenantsOf(principal)
    const [only = ""] = tenants === "all" || tenants.length !== 1 ? [] : tenants
    return Effect.succeed(only)
  })

/** Runs an endpoint for a caller with a Bearer credential, after all checks. */
const runAuthorised = Effect.fnUntraced(function* <E, R>(
  next: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  credential: string,
  gate: GateDeclaration,
  called: Called
) {
  const { headers, principal, user } = yield* admit(credential, gate)
  const use = Effect.map(tenantOfRequest(gate, principal), (tenantId) => ({
    credential: keyHolder(principal),
    tenantId
  }))
  const action = carryOut(headers, Effect.provideService(next, Principal, principal), gate, principal, called)
  return yield* Effect.provideService(once(action, gate, called.endpoint, use), ActingUser, user)
})

/**
 * Uses up the stream ticket of a request without a credential. Returns the credential and the request for which the
 * ticket stands; null if the request has no ticket.
 */
const redeemed = (gate: GateDeclaration) =>
  Effect.flatMap(ticketOf(gate), (ticket) =>
    ticket === null
      ? Effect.succeed(null)
      : Effect.catchTags(redeemTicket(ticket), {
          CredentialInvalid: refuseInvalid(ticket),
          StoreUnavailable: (error) => answer(Effect.fail(error))
        })
  )

/** The services of the authorisation middleware. */
export const watched = presentServices<Watched>()

/** Authorises a request with a Bearer credential. */
export const layer: Layer.Layer<Authorization, never, Watched> = Layer.effect(
  Authorization,
  Effect.map(watched, (present) =>
    Authorization.of({
      bearer: (next, { credential: given, endpoint, group }) =>
        Effect.flatMap(gateOf(endpoint), (gate) => {
          const run = (credential: string) => runAuthorised(next, credential, gate, { endpoint, group })
          const credential = Redacted.value(given)
          if (credential !== "") return run(credential)
          return Effect.flatMap(redeemed(gate), (stored) =>
            stored === null
              ? run("")
              : Effect.provideService(run(stored.credential), HttpServerRequest.HttpServerRequest, stored.request)
          )
        }).pipe(present)
    })
  )
)
