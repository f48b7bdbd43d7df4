import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { Database } from "../Database.ts"
import { claimSetting } from "./Deployment.ts"

/** The prefix of a setting's name, followed by the id of a key of the vault. FROZEN, because databases store it. */
const prefix = "vault_key:"

/** Returns the ids of all keys with which secrets in the database may be sealed. */
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

/** Removes the id of a key. No secret that can still be decrypted may depend on this key. */
export const forgetSealingKey = (id: string): Effect.Effect<void, StoreUnavailable, Database> =>
  Effect.gen(function* () {
    const { query } = yield* Database
    yield* query("DELETE FROM deployment WHERE name = ?")(`${prefix}${id}`)
  })
