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

/** Whether a request asks for a session by a location and by nothing else: the one flow that needs no credential. */
const asksByLocation = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  // What cannot be read is answered as every unreadable body is.
  const body = parse(yield* Effect.orDie(request.text))
  return typeof body === "object" && body !== null && "location_id" in body && !("tenant_id" in body)
})

/** Who guesses ids of locations does so from somewhere. */
const countOpen = Effect.gen(function* () {
  const { badCredentials } = yield* Limits
  const counted = yield* consume(null, `session:${yield* networkOfCaller}`, badCredentials)
  if (Option.isNone(counted)) return
  yield* setRateLimitHeaders(counted.value)
  if (!counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

/** Who shows a credential, or null: nobody in particular, who asks by a location. */
const enter = Effect.fnUntraced(function* (credential: string, gate: GateDeclaration) {
  if (credential !== "") return yield* admit(credential, gate)
  if (!(yield* asksByLocation)) return yield* refuseCredential("")
  yield* countOpen
  return null
})

/**
 * Lets in who shows a credential, as everywhere, and who shows none and asks by a location, counted against the network
 * that he comes from. Everybody else is turned away before the body is looked at any further.
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
          // Without a credential a key is good for one location: the same body is needed to receive its response again.
          const use = { credential: principal === null ? "location" : keyHolder(principal), tenantId: "" }
          const action = principal === null ? called : carryOut(called, gate, principal, { endpoint, group })
          return yield* once(action, gate, endpoint, use)
        }).pipe(Effect.provideContext(services))
    })
  )
)
