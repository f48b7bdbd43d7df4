import { makeWakeUp, type WakeUp } from "@leadloom/core/port/system/WakeUp"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { notificationsOf } from "./Notifications.ts"
import { queries } from "../sql/Queries.ts"

/** Wakes workers of one kind, after the commit of the unit that requests it. */
export interface WakeUps {
  /** Waits for a wake-up. See `Signals.wait`. */
  readonly wait: WakeUp["wait"]
  /** Wakes workers of this server only. Use it for work that is due later: the other servers poll before that time. */
  readonly wakeOwn: Effect.Effect<void>
  /** Wakes workers of all servers on the database. Use it for work that is due now. */
  readonly wakeAll: Effect.Effect<void>
}

/** Creates the wake-ups for a kind of work. All servers use the same name for it. */
export const makeWakeUps = (sql: SqlClient, kind: string): WakeUps => {
  const { afterCommit } = queries(sql)
  const { wait, wake } = makeWakeUp()
  const notifications = notificationsOf(sql)
  notifications?.onNotification(kind, wake)
  const wakeAll = (): void => {
    wake()
    notifications?.notifyOthers(kind)
  }
  return { wait, wakeOwn: afterCommit(wake), wakeAll: afterCommit(wakeAll) }
}
