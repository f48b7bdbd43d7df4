import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Cause, Effect, Exit } from "effect"

/** The failure of an administration command. The message states the reason and the next step in one line. */
export class AdminFailed extends Error {
  override readonly name = "AdminFailed"
  /** True if the caller stopped the command. */
  readonly isInterrupted: boolean

  constructor(message: string, isInterrupted = false) {
    super(message)
    this.isInterrupted = isInterrupted
  }
}

/** Returns a caught error if it is an `AdminFailed`, otherwise null. */
export const adminFailure = (error: unknown): AdminFailed | null => (error instanceof AdminFailed ? error : null)

/** Describes an error of the store to the operator, in one line. */
export const actionLine = (error: unknown): string => {
  const text =
    error instanceof StoreUnavailable
      ? `The database cannot be used: ${error.reason}`
      : error instanceof Error
        ? error.message
        : String(error)
  return text.replace(/\s+/gu, " ").trim()
}

/** Runs an effect of the store. Aborting `signal` interrupts it. Rejects with `AdminFailed` on every failure. */
export const runAdmin = async <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? undefined : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) throw new AdminFailed("Stopped.", true)
  throw new AdminFailed(actionLine(Cause.squash(exit.cause)))
}
