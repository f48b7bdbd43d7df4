/** Suites of imports of contacts. Reading of files is tested in `packages/core/test/domain/import`. */
import { assert, layer } from "@effect/vitest"
import type { ContactImport } from "@leadloom/core/internal/domain/import/ContactImport"
import { ContactImports } from "@leadloom/core/internal/port/repository/contact/ContactImports"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { contactRecord, freshTenant, idOf, noon } from "../Records.ts"

const importRecord = (tenantId: string, number: number): ContactImport => ({
  importId: idOf("imp", number),
  tenantId,
  status: "queued",
  dryRun: false,
  onConflict: "skip",
  mapping: { "E-Mail": "email" },
  rows: 3,
  processed: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  errors: [],
  reverted: 0,
  kept: 0,
  createdAt: noon + number,
  updatedAt: noon + number
})

/** Tests the port `ContactImports` on a store. */
export const contactImportsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`ContactImports on ${name}`, (it) => {
    it.effect("returns imports as stored, newest first, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const [one, other] = [freshTenant(), freshTenant()]
        const [first, second] = [importRecord(one, 1), importRecord(one, 2)]
        for (const of of [first, second]) yield* imports.insert(of)
        assert.deepStrictEqual(yield* imports.page(one, 9, null), [second, first])
        assert.deepStrictEqual(yield* imports.page(one, 9, second.importId), [first])
        assert.deepStrictEqual(yield* imports.page(other, 9, null), [])
        assert.strictEqual((yield* Effect.flip(imports.get(other, first.importId)))._tag, "ImportNotFound")
        const errors = [{ line: 2, field: "email", message: "„No“" }]
        const changed = { ...first, status: "done", processed: 3, failed: 1, errors, updatedAt: noon + 9 } as const
        yield* imports.update(changed)
        assert.deepStrictEqual(yield* imports.get(one, first.importId), changed)
      })
    )
    it.effect("keeps the contact before the first of several changes by one import", () =>
      Effect.gen(function* () {
        const imports = yield* ContactImports
        const tenantId = freshTenant()
        const { importId } = importRecord(tenantId, 1)
        const contacts = [1, 2, 3].map((number) => contactRecord(tenantId, 1, { name: `Name ${number}` }))
        const [before, between, after] = contacts
        if (before === undefined || between === undefined || after === undefined) return assert.fail("no contacts")
        const { contactId } = before
        yield* imports.record(tenantId, importId, [{ contactId, before, after: between, identities: ["email:a"] }])
        yield* imports.record(tenantId, importId, [{ contactId, before: between, after, identities: ["email:b"] }])
        const [stored, more] = yield* imports.some(tenantId, importId, 9)
        assert.deepInclude(stored, { contactId, before, after, identities: ["email:a", "email:b"] })
        assert.isUndefined(more)
        assert.deepStrictEqual(yield* imports.some(freshTenant(), importId, 9), [])
        yield* imports.forget(tenantId, importId, [contactId])
        assert.deepStrictEqual(yield* imports.some(tenantId, importId, 9), [])
      })
    )
  })
