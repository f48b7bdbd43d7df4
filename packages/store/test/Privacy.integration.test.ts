import { assert, it } from "@effect/vitest"
import { dataInventory, notExported, exportedTables } from "@leadloom/core/internal/domain/privacy/DataInventory"
import { shapeSuite } from "@leadloom/testkit/suite/privacy/ShapeSuite"
import { privacyMergeSuite } from "@leadloom/testkit/suite/privacy/PrivacyMergeSuite"
import { journeySuite, privacySuite } from "@leadloom/testkit/suite/privacy/PrivacySuite"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { catalog } from "../src/admin/Catalog.ts"
import { intercept } from "./Interception.ts"
import { livePostgres, temporaryPostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"

/** All statements of the suite on SQLite. */
const statements = new Set<string>()

const watch = Layer.effectDiscard(
  intercept((text) => {
    statements.add(text)
    return null
  })
)

privacySuite("SQLite", Layer.provideMerge(watch, temporaryStore))
privacySuite("Postgres", temporaryPostgres)
privacyMergeSuite("SQLite", Layer.provideMerge(watch, temporaryStore))
privacyMergeSuite("Postgres", temporaryPostgres)
shapeSuite("SQLite", temporaryStore)
shapeSuite("Postgres", temporaryPostgres)
// Core decides the content of an export. The other pairs of databases check types and order only, in fewer runs.
journeySuite("SQLite", temporaryStore, temporaryStore, 25)
journeySuite("Postgres", livePostgres, livePostgres, 10)
journeySuite("SQLite into Postgres", temporaryStore, livePostgres, 10)
journeySuite("Postgres into SQLite", livePostgres, temporaryStore, 10)

/** Tables with few rows per tenant, or queues with their own index. */
const short =
  /\b(?:arrival_counts|event_sequences|grants|sales_pipelines|session_origins|t|tenants|usages|webhook_subscriptions|CONSTANT)\b|USING INDEX (?:signals|sends)_due/u

/** A walk through a whole tenant in key order stops at its limit. A sort would read all rows. */
const isWalk = (text: string, details: ReadonlyArray<string>): boolean =>
  /WHERE tenant_id = \+\?\s+(?:AND \([^)]*\) > \([^)]*\))? ?ORDER BY .* LIMIT \+\?$/u.test(text) &&
  !details.some((detail) => detail.includes("TEMP B-TREE"))

it.effect("SQLite runs every statement of the suite above with an index that selects by more than the tenant", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const texts = [...statements].filter((text) => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)/u.test(text))
    assert.isAbove(texts.length, 60)
    const found: Array<ReadonlyArray<string>> = []
    for (const text of texts) {
      const params = Array.from(text.matchAll(/\?/gu), () => "[]")
      const plan = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
      const details = plan.map(({ detail }) => detail)
      const slow = details.filter(
        (detail) =>
          /^SCAN (?!item |own|mine|both_sides|stream|page|\(subquery)|\(tenant_id=\?\)|AUTOMATIC/u.test(detail) &&
          !short.test(detail)
      )
      if (slow.length > 0 && !isWalk(text, details)) found.push([text, ...details])
    }
    assert.deepStrictEqual(found, [])
  }).pipe(Effect.provide(temporaryStore))
)

/** Tables of one dialect only. */
const onlyPostgres = ["rate_logs", "search_summaries"]

it.effect("every table is exported and erased, or has a documented reason", () =>
  Effect.gen(function* () {
    const tables = yield* catalog
    const named = [...dataInventory.map(({ name }) => name), ...Object.keys(notExported)]
    assert.deepStrictEqual(
      named.filter((name) => !onlyPostgres.includes(name)).toSorted(),
      tables.map(({ name }) => name).toSorted()
    )
  })
)

/** Unique keys in addition to the key of a copy. */
const otherKeys: Readonly<Record<string, ReadonlyArray<string>>> = { activities: ["activity_id"] }

/** Columns that stay on their instance: the link of a user to the sign-ins of an identity provider. */
const ownColumns: Readonly<Record<string, ReadonlyArray<string>>> = {
  activities: ["user_name"],
  users: ["subject"]
}

it.effect("the data inventory has every exported column, except for the tenant", () =>
  Effect.gen(function* () {
    const tables = new Map((yield* catalog).map((table) => [table.name, table]))
    for (const { columns, key, name } of exportedTables) {
      const table = tables.get(name)
      const own = ["tenant_id", ...(ownColumns[name] ?? [])]
      assert.deepStrictEqual([...own, ...Object.keys(columns)].toSorted(), table?.columns.toSorted(), name)
      const held = otherKeys[name] ?? table?.columns.slice(1, table.keyLength)
      assert.deepStrictEqual([...key].toSorted(), held?.toSorted(), name)
    }
  })
)

it.effect(
  "a table that refers to a contact, a message or a lead is in the inventory, or has a documented effect of erasure",
  () =>
    Effect.gen(function* () {
      const names = new Set(dataInventory.map(({ name }) => name))
      const personal = (yield* catalog).filter(({ columns }) =>
        ["contact_id", "message_id", "lead_id"].some((column) => columns.includes(column))
      )
      assert.isAbove(personal.length, 10)
      const left = personal.map(({ name }) => name).filter((name) => !names.has(name))
      assert.deepStrictEqual(left, [
        "arrivals",
        "erasures",
        "events",
        "lead_tags",
        "stage_moves",
        "thread_correction_items",
        "thread_corrections"
      ])
    })
)
