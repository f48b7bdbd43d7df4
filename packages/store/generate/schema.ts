/**
 * Writes schema/sqlite.sql and schema/postgres.sql from the migrations. It starts a Postgres for the second one.
 * Run: node --conditions=leadloom:source packages/store/generate/schema.ts
 */
import { writeFileSync } from "node:fs"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import startPostgres from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import { dumpPostgres, dumpSqlite } from "../src/migration/SchemaDump.ts"
import * as Store from "../src/Store.ts"

const schemaOf = (name: string): URL => new URL(`../schema/${name}.sql`, import.meta.url)

const sqlite = await Effect.runPromise(Effect.provide(dumpSqlite, Store.layer({ url: "sqlite::memory:" })))
writeFileSync(schemaOf("sqlite"), sqlite)

const stop = await startPostgres()
try {
  const dump = Effect.flatMap(temporaryDatabase, (url) => Effect.provide(dumpPostgres, Store.layer({ url })))
  writeFileSync(schemaOf("postgres"), await Effect.runPromise(Effect.scoped(dump)))
} finally {
  await stop?.()
}
