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

/** Returns whether a request asks for a session by location only. This is the one flow without a credential. */
const asksByLocation = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  // An unreadable body fails as in every other route.
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

/** Returns the caller; null for a request by location without a credential. */
const enter = Effect.fnUntraced(function* (credential: string, gate: GateDeclaration) {
  if (credential !== "") return yield* admit(credential, gate)
  if (!(yield* asksByLocation)) return yield* refuseCredential("")
  yield* countOpen
  return null
})

/**
 * Authenticates requests with a credential. Requests without one are admitted if they ask by location, and are counted
 * against the caller's network. All others are rejected before the body is validated.
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
          // Without a credential a key belongs to one location: only the same body receives the stored response.
          const use = { credential: principal === null ? "location" : keyHolder(principal), tenantId: "" }
          const action = principal === null ? called : carryOut(called, gate, principal, { endpoint, group })
          return yield* once(action, gate, endpoint, use)
        }).pipe(Effect.provideContext(services))
    })
  )
)
