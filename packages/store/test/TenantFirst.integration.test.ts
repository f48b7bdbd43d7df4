import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrationsTable } from "../src/migration/Migrations.ts"
import { ownPostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"

/**
 * Tables and indexes that do not start with the tenant. They concern the deployment, or serve lookups before the tenant
 * is known: keys by hash, addresses of arriving mail (docs/decisions/0023-mail-arriving-by-smtp.md), accounts by the
 * provider's id, locations of a CRM, and origins of web pages. All of them are small and exist on every node. The indexes
 * of failed work serve the counts that the operator sees about all tenants, and each node has its own part. See
 * docs/scale.md. The entries of the Postgres search index start with the tenant, but have no tenant column.
 */
const exceptions = {
  tables: ["deployment", migrationsTable],
  indexes: [
    "api_keys_hash",
    "billing_accounts_customer",
    "crm_locations_location",
    "grant_addresses_address",
    "grant_addresses_host",
    "grant_addresses_owned",
    "grants_provider",
    "phone_numbers_phone",
    "search_documents_words",
    "search_summaries_words",
    "sends_failed",
    "session_origins_origin",
    "signals_failed",
    "sources_hash",
    "tenants_domain",
    "tenants_owned_domain",
    "webhook_deliveries_failed"
  ]
}

const ofTenants = `NOT IN (${exceptions.tables.map((name) => `'${name}'`).join(", ")})`

/** FTS5 exists on SQLite only. Its tables follow `search_documents` and
 * `search_segments`, and its terms start with the tenant. */
const ofPostgres = ["search_documents_words", "search_summaries_words"]

/** Returns one row per violation. `what` is the kind of object, `name` its name. */
const postgres = `
  SELECT 'table' AS what, t.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'tenant_id'
      AND a.attnotnull) AND EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'p') AS kept
    FROM pg_class t WHERE t.relkind IN ('r', 'p') AND t.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT 'index', i.indexrelid::regclass::text, a.attname IS NOT DISTINCT FROM 'tenant_id'
    FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p')
    LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE t.relname ${ofTenants}
  UNION ALL SELECT 'foreign key', conname, false FROM pg_constraint WHERE contype = 'f'
    AND connamespace = current_schema()::regnamespace
  UNION ALL SELECT 'sequence', relname, false FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace`

const sqlite = `
  SELECT 'table' AS what, t.name AS name,
      EXISTS (SELECT 1 FROM pragma_table_info(t.name) c WHERE c.name = 'tenant_id' AND c."notnull" = 1 AND c.pk = 1) AS kept
    FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  UNION ALL SELECT 'index', i.name, coalesce(c.name, '') = 'tenant_id' FROM pragma_table_list t
    JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
    WHERE t.schema = 'main' AND t.type = 'table' AND c.seqno = 0 AND t.name ${ofTenants}
  UNION ALL SELECT 'foreign key', t.name || '.' || f."from", 0 FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
    WHERE t.type = 'table'
  UNION ALL SELECT 'sequence', name, 0 FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'`

const look = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const rows = yield* sql.unsafe<{ readonly what: string; readonly name: string; readonly kept: boolean | number }>(
    text
  )
  const broken = rows.filter(({ kept }) => !kept).map(({ name, what }) => `${what} ${name}`)
  const expected = expectedOf(sql.onDialectOrElse({ pg: () => "pg" as const, orElse: () => "sqlite" as const }))
  return { rows, broken: broken.toSorted(), expected }
})

const expectedOf = (dialect: "pg" | "sqlite"): ReadonlyArray<string> =>
  [
    ...exceptions.tables.map((name) => `table ${name}`),
    ...exceptions.indexes
      .filter((name) => dialect === "pg" || !ofPostgres.includes(name))
      .map((name) => `index ${name}`)
  ].toSorted()

const keepsIt = Effect.gen(function* () {
  const { broken, expected, rows } = yield* look
  assert.deepStrictEqual(broken, expected)
  assert.isAbove(rows.filter(({ what }) => what === "table").length, 20)
  assert.isAbove(rows.filter(({ what }) => what === "index").length, 30)
})

/** Creates a table with every kind of violation and checks that each is detected. */
const seesMistakes = Effect.fnUntraced(function* (number: string, mistakes: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  yield* sql.unsafe(`CREATE TABLE wrong (number ${number}, tenant_id text REFERENCES tenants (tenant_id), name text)`)
  yield* sql.unsafe("CREATE INDEX wrong_name ON wrong (name, tenant_id)")
  const { broken, expected } = yield* look
  assert.deepStrictEqual(
    broken.filter((mistake) => !expected.includes(mistake)),
    mistakes
  )
})

describe("in the schema, the tenant is first in every key and index, without foreign keys or sequences", () => {
  it.effect("on SQLite", () => Effect.provide(keepsIt, temporaryStore))

  it.live("on Postgres", () => Effect.provide(keepsIt, ownPostgres))

  it.effect("and a violation is detected on SQLite", () =>
    seesMistakes("integer PRIMARY KEY AUTOINCREMENT", [
      "foreign key wrong.tenant_id",
      "index wrong_name",
      "sequence wrong",
      "table wrong"
    ]).pipe(Effect.provide(temporaryStore))
  )

  it.live("and a violation is detected on Postgres", () =>
    seesMistakes("bigserial PRIMARY KEY", [
      "foreign key wrong_tenant_id_fkey",
      "index wrong_name",
      "index wrong_pkey",
      "sequence wrong_number_seq",
      "table wrong"
    ]).pipe(Effect.provide(ownPostgres))
  )

  it.effect("and docs/scale.md documents the sharding of every table", () =>
    Effect.gen(function* () {
      const page = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")
      const { rows } = yield* look
      const missing = rows.filter(({ name, what }) => what === "table" && !page.includes(`\`${name}\``))
      assert.deepStrictEqual(missing, [], "add a row to the table in docs/scale.md")
    }).pipe(Effect.provide(temporaryStore))
  )
})
