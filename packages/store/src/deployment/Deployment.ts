/**
 * Settings that all servers of one database share, such as the fingerprint of the secret key. Settings of tenants
 * belong in `repository/tenant`. Tests: `packages/server/test/main.test.ts`,
 * `packages/server/test/admin/Reseal.test.ts`.
 */
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { Database } from "../Database.ts"
import { first } from "../sql/Queries.ts"

/** Stores a shared setting, unless it already has a value. Returns the stored value. */
export const claimSetting = (name: string, value: string): Effect.Effect<string, StoreUnavailable, Database> =>
  Effect.gen(function* () {
    const { query } = yield* Database
    yield* query("INSERT INTO deployment (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")(name, value)
    const rows = yield* query<{ readonly value: string }>("SELECT value FROM deployment WHERE name = ?")(name)
    return first(rows)?.value ?? value
  })

/** Returns the stored value of a shared setting. Returns null if it has no value, as in a new database. */
export const settingOf = (name: string): Effect.Effect<string | null, StoreUnavailable, Database> =>
  Effect.gen(function* () {
    const { query } = yield* Database
    const rows = yield* query<{ readonly value: string }>("SELECT value FROM deployment WHERE name = ?")(name)
    return first(rows)?.value ?? null
  })

/** Replaces a shared setting. Servers read settings only when they start. */
export const replaceSetting = (name: string, value: string): Effect.Effect<void, StoreUnavailable, Database> =>
  Effect.gen(function* () {
    const { query } = yield* Database
    yield* query(
      "INSERT INTO deployment (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )(name, value)
  })
