import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import * as Failure from "../unit/Failure.ts"
import * as Postgres from "../Postgres.ts"

/** What the connections of administration are called: they are no server. */
export const adminName = "leadloom-admin"

/** A copy takes the time that it takes, and waits for a slow other side. */
const session = { statement_timeout: "0", lock_timeout: "0", idle_in_transaction_session_timeout: "0" }

/** A client for administration, with at most so many connections. */
export const adminClient = (
  url: string,
  maxConnections: number
): Effect.Effect<SqlClient, StoreUnavailable, Scope.Scope> =>
  Postgres.make({ url, maxConnections, applicationName: adminName, session }).pipe(
    Effect.mapError(Failure.unavailable),
    Effect.provide(Reactivity.layer)
  )

/** One connection of administration, for as long as the scope is open. */
export const adminConnection = (url: string): Effect.Effect<Connection, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* adminClient(url, 1)
    return yield* Effect.catch(sql.reserve, Failure.failWith)
  })
