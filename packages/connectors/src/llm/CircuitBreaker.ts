import { Clock, Effect, Exit } from "effect"
import { LlmFailure } from "./LlmFailure.ts"

/** Outages one after another after which a server is left alone, and for how long. */
export const outagesBeforeOpen = 5
export const openMillis = 30_000

/** What others hear while somebody tries whether the server is back. */
const probeMillis = 1_000

/** Keeps from asking a server that does not answer anybody. */
export interface CircuitBreaker {
  /** Runs a request, or fails at once while the server is left alone. After that time one request tries it. */
  readonly through: <A>(request: Effect.Effect<A, LlmFailure>) => Effect.Effect<A, LlmFailure>
}

const circuitOpen = (millis: number): LlmFailure =>
  new LlmFailure({
    reason: `it failed ${outagesBeforeOpen} times in a row and is left alone for ${Math.ceil(millis / 1_000)} s`,
    later: true,
    outage: false,
    again: false,
    retryAfterMillis: millis,
    complaint: null
  })

/** A circuit breaker for one server; time comes from `Clock`. */
export const makeCircuitBreaker = (): CircuitBreaker => {
  let outages = 0
  let openUntil: number | null = null
  let probing = false

  const noteEnd = (exit: Exit.Exit<unknown, LlmFailure>, isProbe: boolean, now: number): void => {
    if (isProbe) probing = false
    if (Exit.hasInterrupts(exit)) return
    const error = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : null
    const outage = error !== null && error._tag === "Some" && error.value.outage
    outages = outage ? outages + 1 : 0
    if (!outage) openUntil = null
    else if (outages >= outagesBeforeOpen) openUntil = now + openMillis
  }

  return {
    through: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const isProbe = openUntil !== null
        if (openUntil !== null && now < openUntil) return Effect.fail(circuitOpen(openUntil - now))
        if (isProbe && probing) return Effect.fail(circuitOpen(probeMillis))
        if (isProbe) probing = true
        return Effect.onExit(request, (exit) =>
          Effect.map(Clock.currentTimeMillis, (end) => noteEnd(exit, isProbe, end))
        )
      })
  }
}
