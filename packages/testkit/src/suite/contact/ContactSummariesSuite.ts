import { assert, layer } from "@effect/vitest"
import type { ContactSummary, ContactListFilter } from "@leadloom/core/internal/domain/contact/ContactSummary"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { ContactSummaries } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
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
