import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Cause, Effect, Exit } from "effect"

/** A work of administration did not come about. The message says why and what to do, in one line. */
export class AdminFailed extends Error {
  override readonly name = "AdminFailed"
  /** The caller stopped it. */
  readonly isInterrupted: boolean

  constructor(message: string, isInterrupted = false) {
    super(message)
    this.isInterrupted = isInterrupted
  }
}

/** The failure that somebody caught; null when it is another one. */
export const adminFailure = (error: unknown): AdminFailed | null => (error instanceof AdminFailed ? error : null)

/** What an error of the store says to the operator. */
export const actionLine = (error: unknown): string => {
  const text =
    error instanceof StoreUnavailable
      ? `The database cannot be used: ${error.reason}`
      : error instanceof Error
        ? error.message
        : String(error)
  return text.replace(/\s+/gu, " ").trim()
}

/** Runs a work of the store; a signal that aborts stops it. Rejects with `AdminFailed` for everything foreseen. */
export const runAdmin = async <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? undefined : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) throw new AdminFailed("Stopped.", true)
  throw new AdminFailed(actionLine(Cause.squash(exit.cause)))
}
