import { Caller, type GateDeclaration, SessionAuthorization } from "@leadloom/api/Access"
import { RateLimited } from "@leadloom/api/errors"
import { keyHolder } from "@leadloom/core/domain/access/Principal"
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
 * Returns whether a request without a credential asks for a session by location. Only this flow needs no credential.
 */
const asksByLocation = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  // An unreadable body fails in the same way as in other routes.
  const body = parse(yield* Effect.orDie(request.text))
  return typeof body === "object" && body !== null && "location_id" in body && !("tenant_id" in body)
})

/** Counts requests without a credential per network, to limit guesses of location ids. */
const countOpen = Effect.gen(function* () {
  const { badCredentials } = yield* Limits
  const counted = yield* consume(null, `session:${yield* networkOfCaller}`, badCredentials)
  if (Option.isNone(counted)) return
  yield* setRateLimitHeaders(counted.value)
  if (!counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

/** Returns the caller; null for a request by location, which needs no credential. */
const enter = Effect.fnUntraced(function* (credential: string, gate: GateDeclaration) {
  if (credential !== "") return yield* admit(credential, gate)
  if (!(yield* asksByLocation)) return yield* refuseCredential("")
  yield* countOpen
  return null
})

/**
 * Authenticates requests with a credential. A request without a credential is admitted if it asks for a session by
 * location, and is counted against the caller's network. All other requests are rejected before their body is
 * validated.
 */
export const layer: Layer.Layer<SessionAuthorization, never, Watched> = Layer.effect(
  SessionAuthorization,
  Effect.map(watched, (services) =>
    SessionAuthorization.of({
      bearer: (next, { credential, endpoint, group }) =>
        Effect.gen(function* () {
          const gate = yield* gateOf(endpoint)
          const principal = yield* enter(Redacted.value(credential), gate)
          const called = Effect.provideService(next, Caller, { principal })
          // Callers without a credential share their keys. This is safe, because a stored response is returned only for
          // the same body, which contains the location.
          const use = { credential: principal === null ? "location" : keyHolder(principal), tenantId: "" }
          const action = principal === null ? called : carryOut(called, gate, principal, { endpoint, group })
          return yield* once(action, gate, endpoint, use)
        }).pipe(Effect.provideContext(services))
    })
  )
)
