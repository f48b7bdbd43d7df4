/** Suites of custom fields. The check of their values is tested in `packages/core/test/domain/field`. */
import { assert, layer } from "@effect/vitest"
import { CustomFields } from "@leadloom/core/internal/port/repository/contact/CustomFields"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, noon } from "../Records.ts"
import { fieldRecord } from "../WorkspaceRecords.ts"

/** Tests the port `CustomFields` on a store. */
export const customFieldsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`CustomFields on ${name}`, (it) => {
    it.effect("returns fields as stored, by entity and age, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const fields = yield* CustomFields
        const [one, other] = [freshTenant(), freshTenant()]
        const ofLead = fieldRecord(one, 1, { entity: "lead", type: "select", options: ["ä", "b"], required: true })
        const [late, early] = [fieldRecord(one, 2, { createdAt: noon + 9 }), fieldRecord(one, 3)]
        for (const field of [ofLead, late, early]) yield* fields.insert(field)
        assert.deepStrictEqual(yield* fields.list(one, "contact"), [early, late])
        assert.deepStrictEqual(yield* fields.list(one, null), [early, late, ofLead])
        assert.deepStrictEqual(yield* fields.get(one, ofLead.fieldId), ofLead)
        assert.deepStrictEqual(yield* fields.list(other, null), [])
        assert.strictEqual((yield* Effect.flip(fields.get(other, ofLead.fieldId)))._tag, "CustomFieldNotFound")
      })
    )
    it.effect("replaces and removes a field, and rejects a second field with its key", () =>
      Effect.gen(function* () {
        const fields = yield* CustomFields
        const tenantId = freshTenant()
        const field = fieldRecord(tenantId, 1)
        yield* fields.insert(field)
        const changed = { ...field, label: "Changed", options: [], required: true, updatedAt: noon + 9 }
        yield* fields.update(changed)
        assert.deepStrictEqual(yield* fields.list(tenantId, "contact"), [changed])
        assert.isTrue(Exit.hasDies(yield* Effect.exit(fields.insert(fieldRecord(tenantId, 2, { key: field.key })))))
        yield* fields.remove(tenantId, field.fieldId)
        assert.deepStrictEqual(yield* fields.list(tenantId, null), [])
      })
    )
  })
