/** The suite of the links between contacts and companies. Their wire format is tested in `packages/server`. */
import { assert, describe } from "@effect/vitest"
import { linkedAtOnce } from "@leadloom/core/internal/domain/company/LinkJob"
import { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { createCompany, updateCompany } from "@leadloom/core/internal/workflow/company/ChangeCompanies"
import { archiveContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import { addIdentity, updateIdentity } from "@leadloom/core/internal/workflow/contact/ChangeIdentities"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { contactRecord } from "../Records.ts"
import { acme, drainJobs, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const person = (email: string) => Effect.map(createContact("acme", { email }), ({ contactId }) => contactId)

const companyOf = (contactId: string) => Effect.map(acme.contactOf(contactId), ({ companyId }) => companyId)

const companyAt = (domain: string | null) =>
  Effect.map(createCompany("acme", { name: `Company at ${domain}`, domain }), ({ companyId }) => companyId)

/** Tests the links between contacts and companies on a store. */
export const companyLinkSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`links of companies on ${name}`, () => {
    scene("a new domain of a company links the contacts that exist, with an event each", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [office, branch] = [yield* person("ann@walls.com"), yield* person("bob@berlin.walls.com")]
        const others = [yield* person("eve@gmail.com"), yield* person("eve@mywalls.com")]
        const archived = yield* person("old@walls.com")
        yield* archiveContact("acme", archived)
        const taken = yield* person("tim@walls.com")
        const floors = yield* companyAt(null)
        yield* updateContact("acme", taken, { companyId: floors })
        const before = (yield* acme.events()).length
        yield* TestClock.adjust("1 minute")
        const walls = yield* companyAt("walls.com")
        assert.isNull(yield* companyOf(office))
        yield* drainJobs
        for (const contactId of [office, branch, archived]) assert.strictEqual(yield* companyOf(contactId), walls)
        for (const contactId of others) assert.isNull(yield* companyOf(contactId))
        assert.strictEqual(yield* companyOf(taken), floors)
        const events = (yield* acme.events()).slice(before)
        assert.sameDeepMembers(
          events.map(({ data, type }) => [type, data["contact_id"], data["company_id"]]),
          [office, branch, archived].map((contactId) => ["contact.updated", contactId, walls])
        )
        yield* updateCompany("acme", floors, { domain: "mywalls.com" })
        yield* drainJobs
        assert.deepStrictEqual(yield* Effect.forEach(others, companyOf), [null, floors])
      })
    )

    scene("a company links more contacts than one unit of work does, each to its most exact domain", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const count = linkedAtOnce * 2 + 1
        const records = Array.from({ length: count }, (_, index) =>
          contactRecord("acme", index + 1, { email: `person.${index}@${index === 7 ? "berlin." : ""}walls.com` })
        )
        const writes = records.map((contact) => ({ contact, isNew: true, identities: [] }))
        yield* (yield* Contacts).write("acme", writes, 0)
        const walls = yield* companyAt("walls.com")
        const berlin = yield* companyAt("berlin.walls.com")
        yield* drainJobs
        const companies = yield* Effect.forEach(records, ({ contactId }) => companyOf(contactId))
        assert.deepStrictEqual(
          companies,
          records.map((_, index) => (index === 7 ? berlin : walls))
        )
      })
    )

    scene("a contact that a person removed from its company stays without one", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.connectMail()
        const customer = yield* companyAt("customer.example")
        const { contactId } = yield* acme.handleMail()
        assert.strictEqual(yield* companyOf(contactId), customer)
        yield* updateContact("acme", contactId, { companyId: null })
        assert.isTrue((yield* acme.contactOf(contactId)).companyRemoved)
        yield* acme.handleMail({ id: "second@customer.example", body: "Is there any news?" })
        yield* updateCompany("acme", customer, { domain: null })
        yield* updateCompany("acme", customer, { domain: "customer.example" })
        yield* drainJobs
        yield* addIdentity("acme", contactId, { kind: "email", value: "jo.smith@customer.example", primary: true })
        assert.isNull(yield* companyOf(contactId))
        yield* updateContact("acme", contactId, { companyId: customer })
        assert.deepInclude(yield* acme.contactOf(contactId), { companyId: customer, companyRemoved: false })
      })
    )

    scene("a contact gets the company of a new primary address, and of no further one", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const walls = yield* companyAt("walls.com")
        const contactId = yield* person("ann@gmail.com")
        const { identityId } = yield* addIdentity("acme", contactId, { kind: "email", value: "ann@walls.com" })
        assert.isNull(yield* companyOf(contactId))
        yield* updateIdentity("acme", contactId, identityId, { primary: true })
        assert.strictEqual(yield* companyOf(contactId), walls)
        const other = yield* person("bob@gmail.com")
        yield* updateContact("acme", other, { email: "bob@walls.com" })
        assert.strictEqual(yield* companyOf(other), walls)
      })
    )

    scene("a removed link survives a merge and its undo", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const walls = yield* companyAt("walls.com")
        const [primary, duplicate] = [yield* person("ann@walls.com"), yield* person("bob@walls.com")]
        yield* updateContact("acme", primary, { companyId: null })
        const { merge } = yield* mergeContacts("acme", primary, duplicate)
        assert.deepInclude(yield* acme.contactOf(primary), { companyId: null, companyRemoved: true })
        yield* undoMerge("acme", merge.mergeId)
        assert.deepInclude(yield* acme.contactOf(primary), { companyId: null, companyRemoved: true })
        assert.deepInclude(yield* acme.contactOf(duplicate), { companyId: walls, companyRemoved: false })
      })
    )

    scene("a job without its company links nothing", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const ann = yield* person("ann@walls.com")
        yield* (yield* Companies).remove("acme", yield* companyAt("walls.com"))
        yield* drainJobs
        assert.isNull(yield* companyOf(ann))
      })
    )
  })
}
