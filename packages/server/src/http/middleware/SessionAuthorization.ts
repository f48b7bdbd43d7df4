import { Caller, type GateDeclaration, SessionAuthorization } from "@leadloom/api/internal/Access"
import { RateLimited } from "@leadloom/api/internal/errors"
import { keyHolder } from "@leadloom/core/internal/domain/access/Principal"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { admit, consume, networkOfCaller, refuseCredential, type Watched, watched } from "./Authorization.ts"
import { carryOut } from "./Audited.ts"
import { once } from "./Idempotency.ts"
import { gateOf } from "./Gates.ts"
import { Limits } from "./Limits.ts"
import { setRateLimitHeaders } from "./RateHeaders.ts"

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Returns whether a request names a CRM location or a sign-in ticket and therefore needs no credential. Every other
 * request for a session needs one.
 */
const needsNoCredential = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  // If the body is unreadable, the request fails in the same way as on other routes.
  const body = parse(yield* Effect.orDie(request.text))
  if (typeof body !== "object" || body === null || "tenant_id" in body) return false
  return "location_id" in body || "ticket" in body
})

/** Counts requests without a credential per network, to limit attempts to guess location ids and tickets. */
const countOpen = Effect.gen(function* () {
  const { badCredentials } = yield* Limits
  const counted = yield* consume(null, `session:${yield* networkOfCaller}`, badCredentials)
  if (Option.isNone(counted)) return
  yield* setRateLimitHeaders(counted.value)
  if (!counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

/** Returns the caller and its headers; null for a request that needs no credential. */
const enter = Effect.fnUntraced(function* (credential: string, gate: GateDeclaration) {
  if (credential !== "") return yield* admit(credential, gate)
  if (!(yield* needsNoCredential)) return yield* refuseCredential("")
  yield* countOpen
  return null
})

/**
 * Authenticates requests with a credential. Admits a request without a credential if it names a CRM location or a ticket, and
 * counts it against the caller's network. Rejects all other requests before their body is validated.
 */
export const layer: Layer.Layer<SessionAuthorization, never, Watched> = Layer.effect(
  SessionAuthorization,
  Effect.map(watched, (present) =>
    SessionAuthorization.of({
      bearer: (next, { credential, endpoint, group }) =>
        Effect.gen(function* () {
          const gate = yield* gateOf(endpoint)
          const admitted = yield* enter(Redacted.value(credential), gate)
          const principal = admitted === null ? null : admitted.principal
          const called = Effect.provideService(next, Caller, { principal })
          // Callers without a credential share their idempotency keys. This is safe, because a stored response is
          // returned only for the same body, which contains the location or the ticket.
          const use = Effect.succeed({
            credential: principal === null ? "location" : keyHolder(principal),
            tenantId: ""
          })
          const action =
            admitted === null
              ? called
              : carryOut(admitted.headers, called, gate, admitted.principal, { endpoint, group })
          return yield* once(action, gate, endpoint, use)
        }).pipe(present)
    })
  )
)
