import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrationsTable } from "./Migrations.ts"

/**
 * Ordered by table. In each table the triggers come first, then the table and its indexes, in the order of their names.
 * The query leaves out the shadow tables, which FTS5 creates itself.
 */
const definitions = `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> '${migrationsTable}'
  AND tbl_name NOT IN (SELECT t.name FROM pragma_table_list t WHERE t.type = 'shadow') ORDER BY tbl_name, type DESC, name`

const heading = "-- Generated from the migrations by generate/schema.ts. Do not edit.\n"

/** Returns the tables, indexes and triggers of a SQLite database as SQL, for readers and reviewers. */
export const dumpSqlite: Effect.Effect<string, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql.unsafe<{ readonly sql: string }>(definitions)
  return `${[heading, ...rows.map((row) => `${row.sql};\n`)].join("\n")}`
})

/** The tables of the current schema. `lines` lists the columns in their order, then the keys. */
const tables = `SELECT c.relname AS name,
  CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED TABLE' ELSE 'TABLE' END AS kind,
  coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '') AS options, string_agg(part.line, E',\\n  ' ORDER BY part.place) AS lines FROM pg_class c
  JOIN LATERAL (
    SELECT a.attnum AS place, quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || coalesce(' COLLATE ' || quote_ident(l.collname), '') || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END AS line
      FROM pg_attribute a LEFT JOIN pg_collation l ON l.oid = a.attcollation AND l.collname <> 'default'
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT 10000, pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'f', 'c')
  ) part ON true
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '${migrationsTable}'
  GROUP BY c.oid, c.relname, c.relpersistence, c.reloptions ORDER BY c.relname COLLATE "C"`

const indexes = `SELECT tablename AS "of", replace(indexdef, ' ON ' || schemaname || '.', ' ON ') AS sql FROM pg_indexes
  WHERE schemaname = current_schema() AND tablename <> '${migrationsTable}' AND indexname NOT LIKE '%\\_pkey'
  ORDER BY tablename COLLATE "C", indexname COLLATE "C"`

/** Triggers by table. The function of each trigger precedes it. */
const triggers = `SELECT c.relname AS "of", pg_get_functiondef(t.tgfoid) || ';\n' || pg_get_triggerdef(t.oid) AS sql FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
  ORDER BY c.relname COLLATE "C", t.tgname COLLATE "C"`

/** The schema prefix, which differs between databases. The dump omits it. */
const schemaPrefix = /\bpublic\./gu

/** Returns the tables, indexes and triggers of a Postgres database as SQL, for readers and reviewers. */
export const dumpPostgres: Effect.Effect<string, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const made = yield* sql.unsafe<Record<"name" | "kind" | "options" | "lines", string>>(tables)
  const indexed = yield* sql.unsafe<{ readonly of: string; readonly sql: string }>(indexes)
  const triggered = yield* sql.unsafe<{ readonly of: string; readonly sql: string }>(triggers)
  const parts = made.flatMap(({ kind, lines, name, options }) => [
    `CREATE ${kind} ${name} (\n  ${lines}\n)${options};\n`,
    ...triggered
      .filter((trigger) => trigger.of === name)
      .map((trigger) => `${trigger.sql.replaceAll(schemaPrefix, "")};\n`),
    ...indexed.filter((index) => index.of === name).map((index) => `${index.sql};\n`)
  ])
  return [heading, ...parts].join("\n")
})
