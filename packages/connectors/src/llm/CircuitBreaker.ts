import { Clock, Effect, Exit } from "effect"
import { LlmFailure } from "./LlmFailure.ts"

/** The number of consecutive outages that opens the circuit, and the time it stays open in milliseconds. */
export const outagesBeforeOpen = 5
export const openMillis = 30_000

/** The retry hint in milliseconds for other requests while one request probes the server. */
const probeMillis = 1_000

/** Stops requests to a server that does not respond. */
export interface CircuitBreaker {
  /** Runs a request, or fails immediately while the circuit is open. Afterwards one request probes the server. */
  readonly through: <A>(request: Effect.Effect<A, LlmFailure>) => Effect.Effect<A, LlmFailure>
}

const circuitOpen = (millis: number): LlmFailure =>
  new LlmFailure({
    reason: `it failed ${outagesBeforeOpen} consecutive times; requests are paused for ${Math.ceil(millis / 1_000)} s`,
    later: true,
    outage: false,
    again: false,
    retryAfterMillis: millis,
    complaint: null
  })

/** Creates a circuit breaker for one server. Time comes from `Clock`. */
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
