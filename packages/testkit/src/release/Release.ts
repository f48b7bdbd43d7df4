/**
 * The data of released versions, for tests of upgrades. The files are in `packages/testkit/fixture/release`; the README
 * there describes them.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"

const folder = fileURLToPath(new URL("../../fixture/release", import.meta.url))

/** The released versions, oldest first. */
export const releasedVersions: ReadonlyArray<string> = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))

/** What a server of the released version returned for its data. */
export interface Recording {
  /** The time of the recording, in ISO 8601. */
  readonly recordedAt: string
  readonly adminKey: string
  readonly tenants: ReadonlyArray<{ readonly tenantId: string; readonly apiKey: string; readonly sourceKey: string }>
  /** The body of each GET request with status 200, by path and query. */
  readonly answers: Readonly<Record<string, unknown>>
}

const unzipped = (version: string, name: string): Buffer => gunzipSync(readFileSync(join(folder, version, name)))

/** Reads the recorded responses of a version. */
export const recordingOf = (version: string): Recording => JSON.parse(unzipped(version, "answers.json.gz").toString())

/** Writes the objects and the secret key of a version into an empty data directory. */
export const restoreFiles = (version: string, dataDir: string): void => {
  for (const name of ["objects", "secret.key"]) {
    cpSync(join(folder, version, name), join(dataDir, name), { recursive: true })
  }
}

/** Writes the SQLite database of a version into a data directory. */
export const restoreSqlite = (version: string, dataDir: string): void =>
  writeFileSync(join(dataDir, "leadloom.db"), unzipped(version, "leadloom.db.gz"))

/** Restores the Postgres database of a version into an empty database. */
export const restorePostgres = (version: string, url: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const sql = yield* PgClient.make({ url: Redacted.make(url), maxConnections: 1 })
    const schema = unzipped(version, "postgres-schema.sql.gz").toString()
    for (const statement of schema.split(/;\n/u)) if (statement.trim() !== "") yield* sql.unsafe(statement)
    const tables: Readonly<Record<string, ReadonlyArray<object>>> = JSON.parse(
      unzipped(version, "postgres-rows.json.gz").toString()
    )
    // Disables the triggers, because the rows contain their results.
    yield* sql.unsafe("SET session_replication_role = replica")
    for (const [table, rows] of Object.entries(tables)) {
      yield* sql.unsafe(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`, [
        JSON.stringify(rows)
      ])
    }
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.orDie)
