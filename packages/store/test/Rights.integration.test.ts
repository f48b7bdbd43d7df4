import { assert, it } from "@effect/vitest"
import { kinds, notHeld, travelling } from "@leadloom/core/rights/Kind"
import { journeySuite, rightsSuite } from "@leadloom/testkit/workflow/RightsSuite"
import { Effect } from "effect"
import { catalog } from "../src/admin/Catalog.ts"
import { livePostgres, temporaryPostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"

rightsSuite("SQLite", temporaryStore)
rightsSuite("Postgres", temporaryPostgres)
journeySuite("SQLite", temporaryStore, temporaryStore)
journeySuite("Postgres", livePostgres, livePostgres)
journeySuite("SQLite into Postgres", temporaryStore, livePostgres)
journeySuite("Postgres into SQLite", livePostgres, temporaryStore)

/** Tables that only one dialect has. */
const onlyPostgres = ["rate_windows"]

it.effect("every table is a kind that is exported and erased, or says why it is not", () =>
  Effect.gen(function* () {
    const tables = yield* catalog
    const named = [...kinds.map(({ name }) => name), ...Object.keys(notHeld)]
    assert.deepStrictEqual(
      named.filter((name) => !onlyPostgres.includes(name)).toSorted(),
      tables.map(({ name }) => name).toSorted()
    )
  })
)

it.effect("every column of what is exported is in the list, but for the tenant", () =>
  Effect.gen(function* () {
    const tables = new Map((yield* catalog).map((table) => [table.name, table]))
    for (const { columns, key, name } of travelling) {
      const table = tables.get(name)
      assert.deepStrictEqual(["tenant_id", ...Object.keys(columns)].toSorted(), table?.columns.toSorted(), name)
      assert.deepStrictEqual([...key].toSorted(), table?.columns.slice(1, table.keyLength).toSorted(), name)
    }
  })
)

it.effect("a table that names a contact, a message or a lead is a kind, or is named with what erasing does to it", () =>
  Effect.gen(function* () {
    const names = new Set(kinds.map(({ name }) => name))
    const personal = (yield* catalog).filter(({ columns }) =>
      ["contact_id", "message_id", "lead_id"].some((column) => columns.includes(column))
    )
    assert.isAbove(personal.length, 10)
    const left = personal.map(({ name }) => name).filter((name) => !names.has(name))
    assert.deepStrictEqual(left, ["arrivals", "erasures", "events"])
  })
)
