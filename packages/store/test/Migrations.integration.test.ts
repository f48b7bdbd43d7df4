import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { freshTenant, grantRecord, tenantRecord } from "@leadloom/testkit/suite/Records"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrationId, migrations, migrationsTable, stopsOlderServers } from "../src/migration/Migrations.ts"
import { findMailOwner } from "@leadloom/core/internal/workflow/intake/ReceiveMail"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { emailAccounts } from "../src/migration/0076_email_accounts.ts"
import { mailboxOwners } from "../src/migration/0032_mailbox_owners.ts"
import { mailAddresses } from "../src/migration/0005_mail_addresses.ts"
import { dumpPostgres, dumpSqlite } from "../src/migration/SchemaDump.ts"
import * as Store from "../src/Store.ts"
import { temporaryFile } from "./TemporaryStore.ts"

/** An empty Postgres database, on which every migration runs. */
const emptyPostgres = Layer.unwrap(Effect.map(temporaryDatabase, (url) => Store.layer({ url })))

const committed = (name: string): string => readFileSync(new URL(`../schema/${name}.sql`, import.meta.url), "utf8")
const hint = "regenerate: node --conditions=leadloom:source packages/store/generate/schema.ts"

describe("migrations", () => {
  it("have ascending ids, so that none is skipped after a later one", () => {
    const names = Object.keys(migrations)
    const ids = names.map(migrationId)
    assert.isTrue(ids.every((id, index) => id > (ids[index - 1] ?? 0)))
    for (const name of names) assert.match(name, /^\d{4}_[a-z_]+$/u)
  })

  it("that rename or remove tables or columns since 0.1.0 are listed, so that operators stop older servers", () => {
    const text = (name: string) => readFileSync(new URL(`../src/migration/${name}.ts`, import.meta.url), "utf8")
    // Older servers insert accounts with ON CONFLICT, which needs the index `grants_one`.
    const destructive = /\b(?:RENAME (?:TO|COLUMN)|DROP (?:TABLE|COLUMN|INDEX grants_one))\b/u
    const found = Object.keys(migrations).filter((name) => migrationId(name) > 29 && destructive.test(text(name)))
    assert.deepStrictEqual(found, [...stopsOlderServers])
  })

  it.effect("create the tables in schema/sqlite.sql", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dumpSqlite, committed("sqlite"), hint)
    }).pipe(Effect.provide(Store.layer({ url: "sqlite::memory:" })))
  )

  it.live("create the tables in schema/postgres.sql", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dumpPostgres, committed("postgres"), hint)
    }).pipe(Effect.provide(emptyPostgres))
  )

  it.live("run once on Postgres with five servers that start concurrently", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const opened = Store.ping.pipe(Effect.provide(Layer.fresh(Store.layer({ url }))))
      yield* Effect.all([opened, opened, opened, opened, opened], { concurrency: "unbounded" })
      const rows = yield* Effect.flatMap(SqlClient, (sql) => sql.unsafe(`SELECT name FROM ${migrationsTable}`)).pipe(
        Effect.provide(Store.layer({ url }))
      )
      assert.strictEqual(rows.length, Object.keys(migrations).length)
    }).pipe(Effect.scoped)
  )

  const backfill = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe(
      `INSERT INTO grants (tenant_id, grant_id, provider, email, status, created_at, updated_at, aliases) VALUES
        ('acme', 'g1', 'smtp', 'a@acme.com', 'active', 1, 1, '["b@acme.com","a@acme.com"]'),
        ('other', 'g2', 'smtp', 'a@other.com', 'active', 1, 1, '[]')`
    )
    yield* sql.unsafe("DROP TABLE grant_addresses")
    yield* sql.unsafe("DROP INDEX tenants_domain")
    yield* mailAddresses
    const rows = yield* sql.unsafe(`SELECT tenant_id, address FROM grant_addresses ORDER BY tenant_id, address`)
    assert.deepStrictEqual(rows.map(Object.values), [
      ["acme", "a@acme.com"],
      ["acme", "b@acme.com"],
      ["other", "a@other.com"]
    ])
  })
  it.effect("record the addresses of existing accounts, on SQLite", () =>
    Effect.provide(backfill, Store.layer({ url: "sqlite::memory:" }))
  )
  it.live("record the addresses of existing accounts, on Postgres", () => Effect.provide(backfill, emptyPostgres))

  const conflicting = Effect.gen(function* () {
    const sql = yield* SqlClient
    for (const index of ["tenants_owned_domain", "grant_addresses_owned", "grant_addresses_host"]) {
      yield* sql.unsafe(`DROP INDEX ${index}`)
    }
    yield* sql.unsafe("ALTER TABLE tenants DROP COLUMN owns_domain")
    yield* sql.unsafe("ALTER TABLE grant_addresses DROP COLUMN owned")
    yield* sql.unsafe("ALTER TABLE grant_addresses DROP COLUMN reversed_host")
    const tenant = (id: string, domain: string, at: number, archivedAt: number | null = null) =>
      Effect.andThen(
        sql.unsafe(
          `INSERT INTO tenants (tenant_id, name, domain, hipaa, plan, created_at, archived_at, config_version)
            VALUES ('${id}', '${id}', '${domain}', 0, 'trial', ${at}, ${archivedAt}, 1)`
        ),
        sql.unsafe(`INSERT INTO tenant_configs (tenant_id, version, config) VALUES ('${id}', 1, '{}')`)
      )
    yield* tenant("gone", "acme.com", 1, 9)
    yield* tenant("young", "acme.com", 3)
    yield* tenant("old", "acme.com", 2)
    yield* tenant("idn", "bücher.example", 4)
    const grant = (id: string, email: string, aliases: string, at: number) =>
      sql.unsafe(
        `INSERT INTO grants (tenant_id, grant_id, provider, email, status, created_at, updated_at, aliases)
          VALUES ('${id}', 'g_${id}', 'smtp', '${email}', 'active', ${at}, ${at}, '${aliases}')`
      )
    yield* grant("gone", "sales@acme.com", "[]", 1)
    yield* grant("young", "sales+x@acme.com", '["info@acme.com"]', 5)
    yield* grant("old", "info@acme.com", '["Sales@acme.com","a@bücher.example"]', 6)
    yield* mailboxOwners
    const domains = yield* sql.unsafe("SELECT tenant_id, domain, owns_domain FROM tenants ORDER BY tenant_id")
    assert.deepStrictEqual(
      domains.map((row) => Object.values(row).map(String)),
      [
        ["gone", "acme.com", "1"],
        ["idn", "xn--bcher-kva.example", "1"],
        ["old", "acme.com", "1"],
        ["young", "acme.com", "0"]
      ]
    )
    const rows = yield* sql.unsafe(
      "SELECT address, tenant_id, owned, reversed_host FROM grant_addresses ORDER BY address, tenant_id"
    )
    assert.deepStrictEqual(
      rows.map((row) => Object.values(row).map(String).join(" ")),
      [
        "a@xn--bcher-kva.example old 1 example.xn--bcher-kva",
        "info@acme.com old 0 com.acme",
        "info@acme.com young 1 com.acme",
        "sales@acme.com gone 0 com.acme",
        "sales@acme.com old 0 com.acme",
        "sales@acme.com young 1 com.acme"
      ]
    )
    const ownerOf = (email: string) => Effect.map(findMailOwner(email), (owner) => owner?.tenantId ?? null)
    const emails = ["sales@acme.com", "INFO+x@acme.com", "else@acme.com", "a@bücher.example", "a@nowhere.example"]
    assert.deepStrictEqual(yield* Effect.forEach(emails, ownerOf), ["young", "young", "old", "idn", null])
    // The addresses of a conflicting account stay after a change of the account. New conflicts are rejected.
    const grants = yield* Grants
    const old = yield* grants.current("old")
    if (old === null) return assert.fail()
    yield* grants.update({ ...old, signature: "Old" })
    const claim = yield* Effect.flip(grants.setAliases({ ...old, aliases: [...old.aliases, "b@bücher.example"] }))
    assert.strictEqual(claim._tag, "AddressTaken")
    const young = yield* grants.current("young")
    if (young === null) return assert.fail()
    yield* grants.remove("young", young.grantId)
    assert.strictEqual(yield* ownerOf("sales@acme.com"), "old")
  })
  it.effect("assign a conflicting address to the older tenant, on SQLite", () =>
    Effect.provide(conflicting, Store.layer({ url: "sqlite::memory:" }))
  )
  it.live("assign a conflicting address to the older tenant, on Postgres", () =>
    Effect.provide(conflicting, emptyPostgres)
  )

  const severalAccounts = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe("ALTER TABLE grants DROP COLUMN is_default")
    yield* sql.unsafe("ALTER TABLE messages DROP COLUMN grant_id")
    yield* sql.unsafe("CREATE UNIQUE INDEX grants_one ON grants (tenant_id)")
    const account = grantRecord("acme", 1, { email: "office@acme.example", aliases: ["a@acme.example"] })
    yield* sql.unsafe(
      `INSERT INTO grants (tenant_id, grant_id, provider, email, name, status, created_at, updated_at, aliases, signature)
        VALUES ('acme', '${account.grantId}', '${account.provider}', '${account.email}', '${account.name}', 'active',
        ${account.createdAt}, ${account.updatedAt}, '["a@acme.example"]', '${account.signature}')`
    )
    yield* sql.unsafe(
      `INSERT INTO grant_addresses (tenant_id, address, reversed_host) VALUES
        ('acme', 'office@acme.example', 'example.acme'), ('acme', 'a@acme.example', 'example.acme')`
    )
    yield* emailAccounts
    const grants = yield* Grants
    assert.deepStrictEqual(yield* grants.list("acme"), [{ ...account, providerGrantId: null }])
    const second = grantRecord("acme", 2, {
      email: "sales@acme.example",
      aliases: [],
      createdAt: account.createdAt + 1
    })
    const refused = yield* Effect.flip(grants.insert(second))
    assert.deepInclude(refused, { _tag: "ConnectionExists", grantId: account.grantId, limit: 1 })
    const shared = yield* Effect.flip(grants.insert({ ...second, email: "a+x@acme.example" }, 2))
    assert.deepInclude(shared, { _tag: "AddressConnected", email: "office@acme.example" })
    yield* grants.insert(second, 2)
    const emails = Effect.map(grants.list("acme"), (all) => all.map(({ email }) => email))
    assert.deepStrictEqual(yield* emails, ["office@acme.example", "sales@acme.example"])
    yield* grants.setDefault("acme", second.grantId)
    assert.deepStrictEqual(yield* emails, ["sales@acme.example", "office@acme.example"])
    yield* grants.remove("acme", second.grantId)
    assert.strictEqual((yield* grants.current("acme"))?.email, "office@acme.example")
  })
  it.effect("keep the account of a tenant, and permit several, on SQLite", () =>
    Effect.provide(severalAccounts, Store.layer({ url: "sqlite::memory:" }))
  )
  it.live("keep the account of a tenant, and permit several, on Postgres", () =>
    Effect.provide(severalAccounts, emptyPostgres)
  )

  it.effect("run once, even if the database is opened again or concurrently", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* temporaryFile}`
      const tenant = tenantRecord(freshTenant())
      const opened = Effect.void.pipe(Effect.provide(Store.layer({ url })))
      // One server may open the file. The second one fails, or finds the migrated database.
      const exits = yield* Effect.all([Effect.exit(opened), Effect.exit(opened)], { concurrency: "unbounded" })
      assert.isTrue(exits.some(Exit.isSuccess))
      const failures = exits.flatMap((exit) =>
        Exit.isFailure(exit) ? [Option.getOrNull(Cause.findErrorOption(exit.cause))] : []
      )
      assert.isTrue(failures.every((error) => error?._tag === "StoreUnavailable" && error.reason.includes("in use")))
      yield* opened
      yield* Effect.flatMap(Tenants, (tenants) => tenants.insert(tenant)).pipe(Effect.provide(Store.layer({ url })))
      const found = yield* Effect.flatMap(Tenants, (tenants) => tenants.get(tenant.tenantId)).pipe(
        Effect.provide(Store.layer({ url }))
      )
      assert.deepStrictEqual(found, tenant)
    })
  )

  it.effect("reject a database of a newer version", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* temporaryFile}`
      yield* Effect.flatMap(SqlClient, (sql) =>
        sql.unsafe(`INSERT INTO ${migrationsTable} (migration_id, name) VALUES (9999, 'future')`)
      ).pipe(Effect.provide(Store.layer({ url })))
      const error = yield* Effect.flip(Effect.provide(Effect.void, Store.layer({ url })))
      assert.strictEqual(error._tag, "DatabaseTooNew")
    })
  )
})
