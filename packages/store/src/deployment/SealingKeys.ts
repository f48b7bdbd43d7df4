import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect } from "effect"
import { Database } from "../Database.ts"
import { claimSetting } from "./Deployment.ts"

/** FROZEN: databases hold it. It is the prefix of a name in `deployment`; the id of a sealing key follows. */
const prefix = "vault_key:"

/** Returns the ids of all keys that may seal a secret in the database. */
export const sealingKeys: Effect.Effect<ReadonlyArray<string>, StoreUnavailable, Database> = Effect.gen(function* () {
  const { query } = yield* Database
  const rows = yield* query<{ readonly name: string }>(
    "SELECT name FROM deployment WHERE substr(name, 1, 10) = ? ORDER BY name"
  )(prefix)
  return rows.map(({ name }) => name.slice(prefix.length))
})

/** Records that this key may seal secrets from now on. */
export const noteSealingKey = (id: string): Effect.Effect<void, StoreUnavailable, Database> =>
  Effect.asVoid(claimSetting(`${prefix}${id}`, "in use"))

/** Removes the id of a key that seals no secret, or none that can still be opened. */
export const forgetSealingKey = (id: string): Effect.Effect<void, StoreUnavailable, Database> =>
  Effect.gen(function* () {
    const { query } = yield* Database
    yield* query("DELETE FROM deployment WHERE name = ?")(`${prefix}${id}`)
  })
