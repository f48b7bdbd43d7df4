import { type ProviderFailure, type ProviderService, unavailable } from "@leadloom/core/domain/provider/ProviderFailure"
import { Duration, Effect, Exit, Option, type Scope } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { clientCodes } from "./Exchange.ts"
import type { Around } from "./ProviderClient.ts"
import type { ProviderResponse } from "./Provider.ts"

/** The number of consecutive outages that opens the circuit, and the time it stays open in milliseconds. */
export const outagesBeforeOpen = 5
export const openMillis = 30_000

/** The retry hint in milliseconds for other requests while one request probes the server. */
const probeMillis = 1_000

/** No usable response, or one that says that the server is failing. A rate limit is no outage. */
const isOutage = (exit: Exit.Exit<ProviderResponse, ProviderFailure>): boolean => {
  if (Exit.isSuccess(exit)) return exit.value.status === 408 || exit.value.status >= 500
  const tag = Option.getOrNull(Exit.findErrorOption(exit))?.reason._tag
  return tag === "Unavailable" || tag === "OutcomeUnknown"
}

/**
 * Creates a circuit breaker for one server. While the circuit is open, requests fail at once; afterwards one request
 * probes the server. The state is that of this process.
 */
export const makeCircuitBreaker = (service: ProviderService): Effect.Effect<Around, never, Scope.Scope> =>
  Effect.map(
    CircuitBreaker.make({ tripPolicy: CircuitBreaker.consecutive(outagesBeforeOpen), openDuration: openMillis }),
    ({ execute }): Around =>
      (attempt) =>
        execute(attempt, {
          key: service,
          classify: (exit) => (isOutage(exit) ? CircuitBreaker.failure() : CircuitBreaker.success)
        }).pipe(
          Effect.catchTag("CircuitBreakerError", ({ reason }) => {
            const millis = reason._tag === "CircuitOpen" ? Duration.toMillis(reason.retryAfter) : probeMillis
            const detail = `it failed ${outagesBeforeOpen} consecutive times; requests are paused for ${Math.ceil(millis / 1_000)} s`
            return Effect.fail(
              unavailable(service, detail, { code: clientCodes.heldBack, retryAfterMillis: Math.ceil(millis) })
            )
          })
        )
  ).pipe(Effect.provide(CircuitBreaker.layerStoreMemory()))
