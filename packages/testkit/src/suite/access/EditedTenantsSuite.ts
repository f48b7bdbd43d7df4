import { assert, layer } from "@effect/vitest"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { freshTenant, grantRecord, noon, tenantRecord } from "../Records.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests changed and restored tenants of the port `Tenants` on a store. */
export const editedTenantsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Edited tenants on ${name}`, (it) => {
    it.effect("pages active tenants in the order of their ids", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const ids = ["zzz-1", "zzz-2", "zzz-3", "zzz-4"]
        yield* Effect.forEach(ids, (tenantId) => tenants.insert(tenantRecord(tenantId)))
        yield* tenants.archive("zzz-2", noon)
        const read = (limit: number, after: string) =>
          Effect.map(tenants.page(limit, after), (page) => page.map(({ tenantId }) => tenantId))
        assert.deepStrictEqual(yield* read(2, "zzz-0"), ["zzz-1", "zzz-3"])
        assert.deepStrictEqual(yield* read(2, "zzz-3"), ["zzz-4"])
      })
    )
    it.effect("changes the domain to a free one, and restores an archived tenant while its domain is free", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const [one, other] = [freshTenant(), freshTenant()]
        const domain = `new-${one}.example`
        yield* tenants.insert(tenantRecord(one))
        yield* tenants.insert(tenantRecord(other))
        yield* tenants.setDomain(one, domain)
        yield* tenants.setDomain(one, domain)
        assert.strictEqual((yield* tenants.get(one)).domain, domain)
        assert.strictEqual((yield* Effect.flip(tenants.setDomain(other, domain)))._tag, "DomainTaken")
        yield* tenants.archive(one, noon)
        assert.strictEqual((yield* Effect.flip(tenants.setDomain(one, null)))._tag, "TenantNotFound")
        yield* tenants.restore(one)
        yield* tenants.restore(one)
        assert.strictEqual((yield* tenants.get(one)).archivedAt, null)
        yield* tenants.archive(one, noon)
        yield* tenants.setDomain(other, domain)
        assert.strictEqual((yield* Effect.flip(tenants.restore(one)))._tag, "DomainTaken")
        yield* tenants.setDomain(other, null)
        yield* tenants.restore(one)
        assert.strictEqual((yield* Effect.flip(tenants.restore(freshTenant())))._tag, "TenantNotFound")
      })
    )
    it.effect("returns mailboxes to a restored tenant, except those that another tenant has connected since", () =>
      Effect.gen(function* () {
        const [tenants, grants] = [yield* Tenants, yield* Grants]
        const [one, other, third] = [freshTenant(), freshTenant(), freshTenant()]
        const aliases = [`info@${one}.test`, `sales@${one}.test`]
        for (const tenantId of [one, other, third]) yield* tenants.insert(tenantRecord(tenantId, { domain: null }))
        yield* grants.insert(grantRecord(one, 1, { email: `office@${one}.test`, aliases }))
        yield* tenants.archive(one, noon)
        const taken = grantRecord(other, 2, { email: `info@${one}.test`, aliases: [] })
        yield* grants.insert(taken)
        yield* tenants.restore(one)
        const again = grantRecord(third, 3, { email: `sales@${one}.test`, aliases: [] })
        assert.strictEqual((yield* Effect.flip(grants.insert(again)))._tag, "AddressTaken")
        assert.strictEqual((yield* tenants.get(one)).tenantId, one)
      })
    )
  })
