import { Data } from "effect"

/**
 * The one technical error of every store port: the database cannot be reached or refuses to work right now. Nothing
 * was stored; the same call may succeed later.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** What the database driver said, for the log, never for a client. */
  readonly reason: string
}> {}
