import { makeWakeUp, type WakeUp } from "@leadloom/core/internal/port/system/WakeUp"
import type { Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"

/** Wakes workers of one kind. The wake-up happens after the commit of the unit that requests it. */
export interface WakeUps {
  /** Waits for a wake-up. See `Signals.wait`. */
  readonly wait: WakeUp["wait"]
  /** Wakes workers of this server only. Use it for work that is due later: the other servers poll before that time. */
  readonly wakeOwn: Effect.Effect<void>
  /** Wakes workers of all servers on the database. Use it for work that is due now. */
  readonly wakeAll: Effect.Effect<void>
}

/** Creates the wake-ups for one kind of work. All servers must use the same name for the kind. */
export const makeWakeUps = (
  { afterCommit, notifications }: Pick<DatabaseShape, "afterCommit" | "notifications">,
  kind: string
): WakeUps => {
  const { wait, wake } = makeWakeUp()
  notifications?.onNotification(kind, wake)
  const wakeAll = (): void => {
    wake()
    notifications?.notifyOthers(kind)
  }
  return { wait, wakeOwn: afterCommit(wake), wakeAll: afterCommit(wakeAll) }
}
