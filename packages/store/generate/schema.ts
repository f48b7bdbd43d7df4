/**
 * Writes schema/sqlite.sql from the migrations.
 * Run: node --conditions=development packages/store/generate/schema.ts
 */
import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import { dumpSqlite } from "../src/SchemaDump.ts"
import * as Store from "../src/Store.ts"

const dump = await Effect.runPromise(Effect.provide(dumpSqlite, Store.layer({ url: "sqlite::memory:" })))
writeFileSync(new URL("../schema/sqlite.sql", import.meta.url), dump)
