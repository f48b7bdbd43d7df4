import { describe, it } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, type Layer, Redacted } from "effect"
import { Migrator } from "effect/sql"
import { SqlClient } from "effect/sql/SqlClient"
import { migrationId, migrations, migrationsTable } from "../../src/migration/Migrations.ts"
import * as Sqlite from "../../src/Sqlite.ts"
import * as Store from "../../src/Store.ts"
import { temporaryFile } from "../TemporaryStore.ts"

/** A database of an earlier version. */
interface Earlier {
  /** The number of its last migration. */
  readonly last: number
  /** The statements that insert its rows. */
  readonly rows: ReadonlyArray<string>
}

/** Creates the tables and rows of an earlier version in an empty database. */
const makeEarlier = Effect.fnUntraced(function* ({ last, rows }: Earlier) {
  const sql = yield* SqlClient
  const loader = Migrator.fromRecord(
    Object.fromEntries(Object.entries(migrations).filter(([name]) => migrationId(name) <= last))
  )
  yield* Migrator.make({})({ loader, table: migrationsTable })
  for (const row of rows) yield* sql.unsafe(row)
})

/**
 * Adds a test of a database of an earlier version after the later migrations, on SQLite and on Postgres. `about`
 * describes the version.
 */
export const upgradeTest = (
  about: `the version ${string}`,
  title: string,
  earlier: Earlier,
  works: Effect.Effect<void, unknown, Layer.Success<ReturnType<typeof Store.layer>>>
): void => {
  describe(`a database of ${about}`, () => {
    it.effect(`${title}, on SQLite`, () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.provide(makeEarlier(earlier), Sqlite.layer({ filename }))
        yield* Effect.provide(works, Store.layer({ url: `sqlite:${filename}` }))
      })
    )

    it.live(`${title}, on Postgres`, () =>
      Effect.gen(function* () {
        const url = yield* temporaryDatabase
        yield* Effect.provide(makeEarlier(earlier), PgClient.layer({ url: Redacted.make(url) }))
        yield* Effect.provide(works, Store.layer({ url }))
      }).pipe(Effect.scoped)
    )
  })
}
