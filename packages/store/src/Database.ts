import { Context, Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Notifications } from "./queue/Notifications.ts"
import { type Queries, queries } from "./sql/Queries.ts"
import type { Connections } from "./unit/Connections.ts"
import * as Writer from "./unit/Writer.ts"

/** An open database: its statements, its connections and the notifications of other servers. */
export interface DatabaseShape extends Queries, Connections {
  /** Receives and sends notifications between servers. Null for SQLite, because it has only one server. */
  readonly notifications: Notifications | null
  readonly writer: Writer.Writer
}

/** The database of the store. The repositories require this service. */
export class Database extends Context.Service<Database, DatabaseShape>()("store/Database") {}

/** Creates the database of open connections. At the end of the scope, its writer finishes the running batches. */
export const make = Effect.fnUntraced(function* (
  connections: Connections,
  notifications: Notifications | null = null
): Effect.fn.Return<DatabaseShape, never, Scope.Scope> {
  const writer = yield* Writer.make(connections)
  return { ...queries(connections), ...connections, notifications, writer }
})

/** Provides an open database, and its SQL client for migrations and tests. */
export const layer = <E, R>(
  opening: Effect.Effect<DatabaseShape, E, R>
): Layer.Layer<Database | SqlClient, E, Exclude<R, Scope.Scope>> =>
  Layer.effectContext(
    Effect.map(opening, (database) => Context.add(Context.make(Database, database), SqlClient, database.sql))
  )
