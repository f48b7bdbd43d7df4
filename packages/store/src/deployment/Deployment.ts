import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { first, queries } from "../sql/Queries.ts"

/**
 * What all servers on one database have to have in common. Whoever comes first says what it is; the value that is in
 * force is the answer.
 */
export const claimSetting = (name: string, value: string): Effect.Effect<string, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const { query } = queries(yield* SqlClient)
    yield* query("INSERT INTO deployment (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")(name, value)
    const rows = yield* query<{ readonly value: string }>("SELECT value FROM deployment WHERE name = ?")(name)
    return first(rows)?.value ?? value
  })

/** The value in force; null: nobody has said one, as in a database that is new. */
export const settingOf = (name: string): Effect.Effect<string | null, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const { query } = queries(yield* SqlClient)
    const rows = yield* query<{ readonly value: string }>("SELECT value FROM deployment WHERE name = ?")(name)
    return first(rows)?.value ?? null
  })

/** Puts something else in force, for every server that starts from now on. */
export const replaceSetting = (name: string, value: string): Effect.Effect<void, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const { query } = queries(yield* SqlClient)
    yield* query(
      "INSERT INTO deployment (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )(name, value)
  })
