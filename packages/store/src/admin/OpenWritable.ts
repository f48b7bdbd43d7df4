import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { DatabaseUrl } from "../DatabaseUrl.ts"
import * as Sqlite from "../Sqlite.ts"
import type { Connections } from "../unit/Connections.ts"
import * as Failure from "../unit/Failure.ts"
import { adminClient } from "./PostgresSession.ts"

/**
 * Opens a database for short writes. Opens a file without the server's lock, because a server may be running, and waits
 * for the write.
 */
export const openWritable = (database: DatabaseUrl): Effect.Effect<Connections, StoreUnavailable, Scope.Scope> =>
  database.kind === "sqlite"
    ? Effect.mapError(
        Effect.provide(Sqlite.make({ filename: database.filename }), Reactivity.layer),
        Failure.unavailable
      )
    : adminClient(database.url, 1)
