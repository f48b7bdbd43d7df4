import {
  type ProviderFailure,
  type ProviderService,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Duration, Effect, Exit, Option, type Scope } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { clientCodes } from "./Exchange.ts"
import type { Around } from "./ProviderClient.ts"
import type { ProviderResponse } from "./Provider.ts"

/**
 * Two constants: the number of consecutive outages that opens the circuit, and the time in milliseconds for which it
 * stays open.
 */
export const outagesBeforeOpen = 5
export const openMillis = 30_000

/** The suggested wait in milliseconds for requests that fail while another request probes the server. */
const probeMillis = 1_000

/**
 * Returns whether a result is an outage: there is no usable response, or the response reports a failure of the server.
 * A rate limit is not an outage.
 */
const isOutage = (exit: Exit.Exit<ProviderResponse, ProviderFailure>): boolean => {
  if (Exit.isSuccess(exit)) return exit.value.status === 408 || exit.value.status >= 500
  const tag = Option.getOrNull(Exit.findErrorOption(exit))?.reason._tag
  return tag === "Unavailable" || tag === "OutcomeUnknown"
}

/**
 * Creates a circuit breaker for one server. While the circuit is open, requests fail at once. Afterwards, one request
 * probes the server. Each process keeps its own state.
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
