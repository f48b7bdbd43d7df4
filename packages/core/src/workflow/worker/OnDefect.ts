import { Cause, Effect } from "effect"

/**
 * Passes a defect of an effect to `record`. Errors, such as an outage of the database, and interrupts, such as the
 * shutdown of a server, are no defects and pass.
 */
export const onDefect = <A, E, R, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  record: (cause: Cause.Cause<E>) => Effect.Effect<void, E2, R2>
): Effect.Effect<A | void, E | E2, R | R2> =>
  Effect.catchCause(effect, (cause): Effect.Effect<void, E | E2, R2> =>
    Cause.hasDies(cause) && !Cause.hasFails(cause) && !Cause.hasInterrupts(cause)
      ? record(cause)
      : Effect.failCause(cause)
  )
