import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { claimSetting } from "./Deployment.ts"
import { queries } from "../sql/Queries.ts"

/** FROZEN: databases hold it. In `deployment`, in front of the id of a key that servers seal under. */
const prefix = "vault_key:"

/** The ids of all keys that something in the database may be sealed under. */
export const sealingKeys: Effect.Effect<ReadonlyArray<string>, StoreUnavailable, SqlClient> = Effect.gen(function* () {
  const { query } = queries(yield* SqlClient)
  const rows = yield* query<{ readonly name: string }>(
    "SELECT name FROM deployment WHERE substr(name, 1, 10) = ? ORDER BY name"
  )(prefix)
  return rows.map(({ name }) => name.slice(prefix.length))
})

/** From now on something may be sealed under this key. */
export const noteSealingKey = (id: string): Effect.Effect<void, StoreUnavailable, SqlClient> =>
  Effect.asVoid(claimSetting(`${prefix}${id}`, "in use"))

/** Nothing is sealed under this key any more, or what is cannot be opened by anybody. */
export const forgetSealingKey = (id: string): Effect.Effect<void, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const { query } = queries(yield* SqlClient)
    yield* query("DELETE FROM deployment WHERE name = ?")(`${prefix}${id}`)
  })
