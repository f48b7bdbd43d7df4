import { assert, layer } from "@effect/vitest"
import { companyFacet, fieldFacet } from "@leadloom/core/internal/domain/contact/ContactFacet"
import type { ContactTraits } from "@leadloom/core/internal/domain/contact/ContactFilter"
import type {
  ContactListFilter,
  ContactListPlace,
  ContactListRow,
  ContactSummary
} from "@leadloom/core/internal/domain/contact/ContactSummary"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { ContactSummaries } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import { OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { contactRecord, freshTenant, idOf, leadRecord, messageRecord, noon } from "../Records.ts"

const walked = Effect.fnUntraced(function* (tenantId: string, filter: ContactListFilter, archived = false) {
  const walk = { tenantId, archived, filter, activeAfter: -1, after: null, limit: 9 }
  const found = yield* (yield* ContactSummaries).walk(walk)
  return found.map(({ contactId }) => Number(contactId.slice(4)))
})

const nothing: ContactListFilter = { by: "nothing" }

/** Tests the port `ContactSummaries` on a store. */
export const contactSummariesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`ContactSummaries on ${name}`, (it) => {
    it.effect("reflects changes of contact, conversation and lead", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const leads = yield* Leads
        const tenantId = freshTenant()
        const first = contactRecord(tenantId, 1, { tags: ["vip", "ärger"], phone: "+14155550123" })
        yield* contacts.insert(first)
        yield* contacts.insert(contactRecord(tenantId, 2, { email: null }))
        assert.deepStrictEqual(yield* walked(tenantId, nothing), [2, 1])
        const lead = leadRecord(tenantId, 1)
        yield* leads.insert(lead)
        const message = messageRecord(tenantId, 1, { leadId: lead.leadId, channel: "sms", timestamp: noon + 60_000 })
        yield* (yield* Messages).insert(message, [])
        yield* (yield* Conversations).advance(message)
        assert.deepStrictEqual(yield* walked(tenantId, nothing), [1, 2])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "state", value: "open" }), [1])
        yield* leads.update({ ...lead, state: "engaged", tier: "hot", score: 80 })
        assert.deepStrictEqual(yield* walked(tenantId, { by: "state", value: "open" }), [])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "state", value: "engaged" }), [1])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "tier", value: "hot" }), [1])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "channel", value: "sms" }), [1])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "tag", value: "ärger" }), [1])
        const summary: ContactSummary = {
          contact: first,
          lastActivityAt: noon + 60_000,
          channel: "sms",
          state: "engaged",
          tier: "hot",
          lastMessage: "Message 1",
          unread: 1,
          leadId: lead.leadId,
          score: 80
        }
        const read = yield* (yield* ContactSummaries).read(tenantId, [first.contactId, idOf("con", 9)])
        assert.deepStrictEqual(read, [summary])
        yield* contacts.update({ ...first, tags: ["new"], archivedAt: noon })
        assert.deepStrictEqual(yield* walked(tenantId, nothing), [2])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "tag", value: "new" }, true), [1])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "tag", value: "vip" }, true), [])
        yield* contacts.update({ ...first, archivedAt: noon, mergedInto: idOf("con", 2) })
        assert.deepStrictEqual(yield* walked(tenantId, nothing, true), [])
        assert.deepStrictEqual(yield* walked(freshTenant(), nothing), [])
      })
    )
    it.effect("lists contacts by creation and by name, contacts without a name last", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const summaries = yield* ContactSummaries
        const tenantId = freshTenant()
        const names = ["zoe", "Adam", null, "adam", "Ärzte"]
        for (const [number, label] of names.entries())
          yield* contacts.insert(contactRecord(tenantId, number, { name: label, createdAt: noon + (number % 3) }))
        yield* contacts.insert(contactRecord(tenantId, 8, { name: "Away", archivedAt: noon }))
        yield* contacts.insert(contactRecord(tenantId, 9, { archivedAt: noon, mergedInto: idOf("con", 1) }))
        const pages = Effect.fnUntraced(function* (sort: "created" | "name", archived: boolean) {
          const seen: Array<number> = []
          let after: ContactListPlace | null = null
          for (;;) {
            const rows: ReadonlyArray<ContactListRow & ContactListPlace> = yield* summaries.walkSorted({
              tenantId,
              archived,
              sort,
              after,
              limit: 2
            })
            seen.push(...rows.map(({ contactId }) => Number(contactId.slice(4))))
            after = rows.at(-1) ?? null
            if (after === null) return seen
          }
        })
        assert.deepStrictEqual(yield* pages("created", false), [2, 4, 1, 3, 0])
        assert.deepStrictEqual(yield* pages("name", false), [1, 3, 0, 4, 2])
        for (const sort of ["created", "name"] as const) assert.deepStrictEqual(yield* pages(sort, true), [8])
      })
    )
    it.effect("finds the contacts that have tags, a time of creation and a consent", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const optOuts = yield* OptOuts
        const tenantId = freshTenant()
        const company = { companyId: idOf("cmp", 1), customFields: { size: 4, kinds: ["a", "b"] } }
        yield* contacts.insert(contactRecord(tenantId, 1, { tags: ["vip", "late"], ...company }))
        yield* contacts.insert(contactRecord(tenantId, 2, { tags: ["vip"] }))
        const phones = ["+14155550123", "+14155550124"] as const
        for (const [index, phone] of phones.entries()) {
          yield* contacts.attach(tenantId, idOf("con", index + 1), [{ kind: "phone", value: phone }], noon)
          const change = { optedOut: index === 0, source: "keyword", at: noon, evidence: null, history: [] } as const
          yield* optOuts.save({ ...change, tenantId, phone, ownPhone: "" })
        }
        const having = Effect.fnUntraced(function* (traits: Partial<ContactTraits>) {
          const ids = [1, 2, 3].map((number) => idOf("con", number))
          const none = { tags: [], consent: null, createdAfter: null, createdBefore: null }
          const found = yield* (yield* ContactSummaries).having(tenantId, ids, { ...none, ...traits })
          return [...found].toSorted().map((id) => Number(id.slice(4)))
        })
        assert.deepStrictEqual(yield* having({ tags: ["vip", "vip"] }), [1, 2])
        assert.deepStrictEqual(yield* having({ tags: ["vip", "late"] }), [1])
        assert.deepStrictEqual(yield* having({ tags: [companyFacet(idOf("cmp", 1)), fieldFacet("kinds", "b")] }), [1])
        assert.deepStrictEqual(yield* having({ tags: [fieldFacet("size", "4")] }), [])
        assert.deepStrictEqual(yield* having({ createdAfter: noon + 1 }), [2])
        assert.deepStrictEqual(yield* having({ createdBefore: noon + 2 }), [1])
        assert.deepStrictEqual(yield* having({ consent: "opted_out" }), [1])
        assert.deepStrictEqual(yield* having({ consent: "opted_in", tags: ["vip"] }), [2])
      })
    )
    it.effect("shows the remaining lead after another lead was merged into it", () =>
      Effect.gen(function* () {
        const tenantId = freshTenant()
        const leads = yield* Leads
        yield* (yield* Contacts).insert(contactRecord(tenantId, 1))
        yield* leads.insert(leadRecord(tenantId, 1, { tier: "cold" }))
        yield* leads.insert(leadRecord(tenantId, 2, { tier: "hot", state: "won" }))
        const message = messageRecord(tenantId, 1, { leadId: idOf("lead", 1) })
        yield* (yield* Messages).insert(message, [])
        yield* (yield* Conversations).advance(message)
        yield* (yield* Messages).moveLead(tenantId, idOf("lead", 2), [idOf("lead", 1)])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "tier", value: "hot" }), [1])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "tier", value: "cold" }), [])
        assert.deepStrictEqual(yield* walked(tenantId, { by: "state", value: "won" }), [1])
      })
    )
  })
