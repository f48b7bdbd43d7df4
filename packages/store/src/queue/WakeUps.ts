import { makeWakeUp, type WakeUp } from "@leadloom/core/port/system/WakeUp"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { notificationsOf } from "./Notifications.ts"
import { queries } from "../sql/Queries.ts"

/** Wakes workers of one kind of work, after the commit of the unit that asks for it. */
export interface WakeUps {
  /** As `Signals.wait`. */
  readonly wait: WakeUp["wait"]
  /** For what is due later, when everybody looks anyway: the other servers are let sleep. */
  readonly wakeOwn: Effect.Effect<void>
  /** For what is due now: the workers of the other servers on the same database, too. */
  readonly wakeAll: Effect.Effect<void>
}

/** Wake-ups for a kind of work, a word that its servers have in common. */
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
