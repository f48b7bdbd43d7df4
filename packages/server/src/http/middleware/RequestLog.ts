import { type Cause, Effect } from "effect"
import { log } from "../../LogEvents.ts"

/** One answered request, without body, query and credential. */
export interface Answered {
  readonly method: string
  readonly path: string
  /** The client's address; null if it is unknown, as in tests. */
  readonly client: string | null
  readonly status: number
  readonly durationMillis: number
  /** The cause of an unexpected failure; null if there is none. */
  readonly cause: Cause.Cause<unknown> | null
}

/** The duration in milliseconds from which a request is logged as slow. */
export const slowMillis = 1_000

/** Logs a request that failed or was slow, in one line. Other requests are not logged. */
export const logRequest = ({ cause, client, durationMillis, method, path, status }: Answered): Effect.Effect<void> => {
  const slow = durationMillis >= slowMillis
  if (status < 400 && !slow) return Effect.void
  const fields = { method, path, client, status, duration_ms: Math.round(durationMillis) }
  if (status >= 500) return log("request.failed", fields, cause ?? undefined)
  return log(slow ? "request.slow" : "request.refused", fields)
}
