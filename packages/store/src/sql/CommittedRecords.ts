import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Clock, Context, Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"
import { notificationChannel } from "../queue/Notifications.ts"

/** The maximum number of records of one kind in memory. */
const recordsKept = 1_000

/**
 * The maximum age of a record on Postgres, in milliseconds. It limits the delay of a change if the connection for
 * notifications is broken and no side has noticed it.
 */
export const maxAgeMillis = 5_000

/** Records that every request reads and that rarely change. */
export interface CommittedRecords<A> {
  /**
   * Returns the record in memory, or reads it. Inside a transaction it always reads, because own writes must be
   * visible.
   */
  readonly get: (
    key: string,
    read: Effect.Effect<A | null, StoreUnavailable>
  ) => Effect.Effect<A | null, StoreUnavailable>
  /**
   * Runs a write of such a record. After the commit, the memory of this server and of all other servers is cleared, so
   * the next `get` reads the database.
   */
  readonly changing: <B, E>(write: Effect.Effect<B, E | StoreUnavailable>) => Effect.Effect<B, E | StoreUnavailable>
  /** Removes a record from the memory of this server. Use it after a change that the other servers may see later. */
  readonly forget: (key: string) => Effect.Effect<void>
}

type Parts = Pick<DatabaseShape, "afterCommit" | "command" | "currentUnit" | "notifications" | "sql" | "whole">

/** The part of the records that concerns other servers. */
interface Sharing {
  /** The maximum age of a record in memory. */
  readonly ageMillis: number
  /** See `Notifications.connection`. Records in memory are used only with a connection. */
  readonly connection: () => number | null
  /** Adds the notification of the other servers to a write. */
  readonly announced: CommittedRecords<never>["changing"]
}

const sharing = (kind: string, { command, notifications, sql, whole }: Parts): Sharing =>
  sql.onDialectOrElse({
    pg: (): Sharing => {
      // This server clears its own records a second time, which does no harm.
      const notify = command("SELECT pg_notify(?, ?)")(notificationChannel, `- ${kind}`)
      return {
        ageMillis: maxAgeMillis,
        connection: notifications?.connection ?? (() => null),
        announced: (write) => whole(Effect.tap(write, () => notify))
      }
    },
    orElse: (): Sharing => ({ ageMillis: Infinity, connection: () => 0, announced: (write) => write })
  })

/**
 * Keeps committed records of one kind in memory. On SQLite, this process makes every write. On Postgres, a write
 * notifies the other servers in its own transaction, and records are kept only while notifications arrive. All writes
 * of the records must use `changing`. `kind` names the records in notifications.
 */
export const committedRecords = <A>(kind: string, database: Parts): CommittedRecords<A> => {
  const { afterCommit, currentUnit, sql } = database
  const topic = `records.${kind}`
  const { ageMillis, announced, connection } = sharing(topic, database)
  const kept = new Map<string, { readonly record: A; readonly readAt: number }>()
  /** The connection for notifications since which the records were read. */
  let keptSince: number | null = null
  /** The number of changes. A record that was read before a change is not kept after it. */
  let changes = 0
  const clear = (): void => {
    changes += 1
    kept.clear()
  }
  database.notifications?.onNotification(topic, clear)
  const isInTransaction = (context: Context.Context<never>): boolean =>
    Context.getOrUndefined(context, currentUnit) !== undefined ||
    Context.getOrUndefined(context, sql.transactionService) !== undefined
  return {
    get: (key, read) =>
      Effect.withFiber(({ context }) => {
        const since = connection()
        if (since === null || isInTransaction(context)) return read
        if (since !== keptSince) clear()
        keptSince = since
        const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
        const known = kept.get(key)
        if (known !== undefined && Math.abs(now - known.readAt) < ageMillis) return Effect.succeed(known.record)
        const changesBefore = changes
        return Effect.map(read, (record) => {
          if (record === null || changes !== changesBefore || connection() !== since) return record
          if (kept.size >= recordsKept) kept.clear()
          kept.set(key, { record, readAt: now })
          return record
        })
      }),
    // An interrupted write may be committed.
    changing: (write) => Effect.ensuring(announced(write), afterCommit(clear)),
    forget: (key) =>
      afterCommit(() => {
        changes += 1
        kept.delete(key)
      })
  }
}
