import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { Connections } from "../unit/Connections.ts"
import type { Connection } from "effect/sql/SqlConnection"
import * as Failure from "../unit/Failure.ts"
import * as Postgres from "../Postgres.ts"

/** The `application_name` of administrative connections, which distinguishes them from connections of servers. */
export const adminName = "leadloom-admin"

/**
 * Administrative connections have no timeouts, because a copy may take hours and may wait for a slow source or target.
 */
const session = { statement_timeout: "0", lock_timeout: "0", idle_in_transaction_session_timeout: "0" }

/** Opens a database for administration, with a maximum number of connections. */
export const adminClient = (
  url: string,
  maxConnections: number
): Effect.Effect<Connections, StoreUnavailable, Scope.Scope> =>
  Postgres.make({ url, maxConnections, applicationName: adminName, session }).pipe(
    Effect.mapError(Failure.unavailable),
    Effect.provide(Reactivity.layer)
  )

/** Opens one administrative connection. It closes with the scope. */
export const adminConnection = (url: string): Effect.Effect<Connection, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { sql } = yield* adminClient(url, 1)
    return yield* Effect.catch(sql.reserve, Failure.failWith)
  })
