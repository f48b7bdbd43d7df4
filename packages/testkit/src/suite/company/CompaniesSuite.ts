/** Suites of companies. Their domains are tested in `packages/core/test/domain/company`. */
import { assert, layer } from "@effect/vitest"
import { type Company, companyOfDomains } from "@leadloom/core/internal/domain/company/Company"
import { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { contactRecord, freshTenant, idOf } from "../Records.ts"
import { companyRecord } from "../WorkspaceRecords.ts"

/** Tests the port `Companies` on a store. */
export const companiesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Companies on ${name}`, (it) => {
    it.effect("returns companies as stored, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const [one, other] = [freshTenant(), freshTenant()]
        const company = companyRecord(one, 1, { domain: "acme.example", notes: "big", customFields: { size: 4 } })
        yield* companies.insert(company)
        assert.deepStrictEqual(yield* companies.get(one, company.companyId), company)
        assert.strictEqual((yield* Effect.flip(companies.get(other, company.companyId)))._tag, "CompanyNotFound")
        const changed: Company = { ...company, name: "New", domain: null, customFields: {}, notes: null }
        yield* companies.update(changed)
        assert.deepStrictEqual(yield* companies.get(one, company.companyId), changed)
        yield* companies.remove(one, company.companyId)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(companies.get(one, company.companyId))))
      })
    )
    it.effect("finds the companies with several domains, and rejects a second company with a domain", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const tenantId = freshTenant()
        const group = companyRecord(tenantId, 1, { domain: "acme.example" })
        const branch = companyRecord(tenantId, 2, { domain: "berlin.acme.example" })
        for (const company of [group, branch]) yield* companies.insert(company)
        const domains = ["acme.example", "berlin.acme.example", "x.berlin.acme.example"]
        const found = yield* companies.withDomains(tenantId, domains)
        assert.sameDeepMembers([...found], [group, branch])
        assert.deepStrictEqual(companyOfDomains(found, domains), branch)
        assert.deepStrictEqual(yield* companies.withDomains(tenantId, ["acme.example"]), [group])
        assert.deepStrictEqual(yield* companies.withDomains(tenantId, ["other.example"]), [])
        assert.deepStrictEqual(yield* companies.withDomains(freshTenant(), domains), [])
        const again = companyRecord(tenantId, 3, { domain: "acme.example" })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(companies.insert(again))))
      })
    )
    it.effect("lists companies by name page by page, and by the start of their names", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const tenantId = freshTenant()
        for (const [index, label] of ["Roofs", "acme", "Ärzte", "Acme Berlin", "acme"].entries())
          yield* companies.insert(companyRecord(tenantId, index, { name: label }))
        const all = yield* companies.page(tenantId, "", 9, null)
        assert.deepStrictEqual(
          all.map((company) => company.name),
          ["acme", "acme", "Acme Berlin", "Roofs", "Ärzte"]
        )
        const [, second] = all
        const after = second === undefined ? null : { name: second.nameKey, companyId: second.companyId }
        const rest = yield* companies.page(tenantId, "", 2, after)
        assert.deepStrictEqual(
          rest.map((company) => company.name),
          ["Acme Berlin", "Roofs"]
        )
        assert.lengthOf(yield* companies.page(tenantId, "ACME", 9, null), 3)
        assert.lengthOf(yield* companies.page(tenantId, "Ä", 9, null), 1)
        assert.lengthOf(yield* companies.page(tenantId, "b", 9, null), 0)
      })
    )
    it.effect("reads the contacts that may be linked, in parts that count all contacts", () =>
      Effect.gen(function* () {
        const [companies, contacts] = [yield* Companies, yield* Contacts]
        const tenantId = freshTenant()
        const changes = [{}, { companyId: idOf("cmp", 1) }, { email: null }, { companyRemoved: true }]
        const records = [...changes, { mergedInto: idOf("con", 1) }, { archivedAt: 1 }].map((change, index) =>
          contactRecord(tenantId, index + 1, change)
        )
        for (const record of records) yield* contacts.insert(record)
        const linkable = (number: number) => ({
          contactId: idOf("con", number),
          email: `person.${number}@customer.example`
        })
        const first = yield* companies.linkableContacts(tenantId, "", 5)
        assert.deepStrictEqual(first, { contacts: [linkable(1)], last: idOf("con", 5) })
        const rest = yield* companies.linkableContacts(tenantId, idOf("con", 5), 5)
        assert.deepStrictEqual(rest, { contacts: [linkable(6)], last: null })
        const none = { contacts: [], last: null }
        assert.deepStrictEqual(yield* companies.linkableContacts(freshTenant(), "", 5), none)
      })
    )
  })
