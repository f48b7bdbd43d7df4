import { assert, layer } from "@effect/vitest"
import type { AuditEntry } from "@leadloom/core/internal/domain/access/AuditEntry"
import { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { idOf } from "../Records.ts"

const entry = (number: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  auditId: idOf("aud", number),
  tenantId: "acme",
  at: 1_000 + number,
  actor: "admin",
  userId: null,
  userName: null,
  action: "apiKeys.create",
  target: {},
  address: null,
  requestId: null,
  change: null,
  ...changes
})

/** Tests the port `AuditTrail` on a store. */
export const auditTrailSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`AuditTrail on ${name}`, (it) => {
    it.effect("returns the entries of one tenant newest first, filtered and in pages", () =>
      Effect.gen(function* () {
        const { append, page } = yield* AuditTrail
        const change = { before: { name: "ä\n", list: [1, null] }, after: null }
        const by = { userId: idOf("usr", 1), userName: "Ann" }
        const full = entry(3, {
          target: { key_id: "key_1" },
          address: "2001:db8::1",
          requestId: "req_1",
          change,
          ...by
        })
        const entries = [entry(1), entry(2, { actor: "user:jo", action: "config.update" }), full]
        for (const one of entries) yield* append(one)
        yield* append(entry(4, { tenantId: "" }))
        const all = { actor: null, action: null }
        assert.deepStrictEqual(yield* page("acme", all, 10, null), entries.toReversed())
        assert.deepStrictEqual(yield* page("acme", all, 1, null), [full])
        assert.deepStrictEqual(yield* page("acme", all, 10, full.auditId), entries.slice(0, 2).toReversed())
        assert.deepStrictEqual(yield* page("acme", { ...all, actor: "user:jo" }, 10, null), entries.slice(1, 2))
        assert.deepStrictEqual(yield* page("acme", { actor: "admin", action: "config.update" }, 10, null), [])
        assert.deepStrictEqual(yield* page("", all, 10, null), [entry(4, { tenantId: "" })])
      })
    )
  })
