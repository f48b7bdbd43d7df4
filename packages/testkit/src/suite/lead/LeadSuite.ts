/**
 * Suites of leads, their pages and scores. The pure rules of scores are tested in `packages/core/test/domain/lead`.
 */
import { assert, describe } from "@effect/vitest"
import { appendEntries } from "@leadloom/core/internal/workflow/lead/AppendEntries"
import { createLead, type CreateLeadInput } from "@leadloom/core/internal/workflow/lead/CreateLead"
import { findLead, readLeadConversation } from "@leadloom/core/internal/workflow/lead/FindLead"
import { importEntries } from "@leadloom/core/internal/workflow/lead/ImportEntries"
import type { LeadEntry } from "@leadloom/core/internal/workflow/lead/LeadEntry"
import { listScores } from "@leadloom/core/internal/workflow/lead/Scores"
import { scoreLead } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { everyLead } from "./LeadPagesSuite.ts"
import { draftRecord, idOf } from "../Records.ts"
import { acme, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const minute = 60_000

const entry = (body: string, changes: Partial<LeadEntry> = {}): LeadEntry => ({
  channel: "sms",
  body,
  actor: "contact",
  timestamp: null,
  subject: null,
  metadata: {},
  externalId: null,
  ...changes
})

const create = (tenant: Tenant, changes: Partial<CreateLeadInput> = {}) =>
  createLead({
    tenant,
    contact: { name: "Jo Smith", email: "Jo@Customer.example", phone: null, company: null },
    subject: "A roof",
    channel: "sms",
    source: "api",
    fields: {},
    stageId: null,
    message: null,
    runPipeline: false,
    ...changes
  })

const dataOf = (type: string) =>
  Effect.map(acme.events(), (found) => found.findLast((event) => event.type === type)?.data)

const headOf = (contactId: string) => Effect.flatMap(Conversations, (heads) => heads.get("acme", contactId))

/** Returns all data that an import may change. */
const everythingOf = Effect.fnUntraced(function* (leadId: string) {
  const lead = yield* acme.leadOf(leadId)
  return {
    lead,
    events: yield* (yield* Events).after("acme", 0, 1_000),
    messages: yield* acme.messagesOf(lead.contactId),
    arrivals: yield* acme.arrivals,
    head: yield* headOf(lead.contactId),
    signals: yield* (yield* Signals).backlog
  }
})

/** Tests the workflows of leads on a store. */
export const leadSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`leads on ${name}`, () => {
    scene("a manual lead is a new lead of its contact, and is reported to partners", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const silent = yield* create(tenant, { fields: { assignee: "kim" } })
        assert.deepInclude(silent, { state: "open", assignee: "kim", lastMessageAt: start, subject: "A roof" })
        assert.deepStrictEqual(yield* acme.eventTypes(), ["contact.created", "lead.received"])
        const message = entry("What does it cost?", { timestamp: start - minute })
        const spoken = yield* create(tenant, { message })
        assert.notStrictEqual(spoken.leadId, silent.leadId)
        assert.deepInclude(spoken, { contactId: silent.contactId, lastMessageAt: start - minute })
        assert.deepStrictEqual(yield* acme.eventTypes(2), ["lead.received", "conversation.updated"])
        const { contactId } = silent
        const third = yield* create(tenant, { contact: { contactId } })
        assert.strictEqual(third.contactId, contactId)
        const wrong = create(tenant, { contact: { name: null, email: "no address", phone: "12", company: null } })
        const error = yield* Effect.flip(wrong)
        assert.deepStrictEqual(error._tag === "LeadRequestInvalid" ? error.issues.map(({ path }) => path) : error, [
          "contact.email",
          "contact.phone"
        ])
        assert.strictEqual(
          (yield* Effect.flip(create(tenant, { contact: { contactId: "nobody" } })))._tag,
          "ContactNotFound"
        )
        assert.strictEqual(yield* (yield* Signals).backlog, 0)
      })
    )
    scene("an appended entry is processed like every message, and runs the pipeline only on request", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const { contactId, leadId } = yield* create(tenant)
        yield* (yield* Leads).update({ ...(yield* acme.leadOf(leadId)), state: "lost" })
        const contact = yield* acme.contactOf(contactId)
        yield* (yield* Contacts).update({ ...contact, archivedAt: start })
        yield* (yield* Drafts).propose(draftRecord("acme", 1, { contactId }))
        yield* TestClock.setTime(start + minute)
        const entries = [
          entry("We spoke on the phone.", { actor: "agent", channel: "voice", timestamp: start + 30_000 }),
          entry("When can you come?", { externalId: "m-1", timestamp: start + 999 * minute }),
          entry("When can you come?", { externalId: "m-1" })
        ]
        const { results } = yield* appendEntries({ tenant, leadId, entries, runPipeline: false })
        assert.deepStrictEqual(
          results.map(({ outcome, signalId }) => [outcome, signalId]),
          [
            ["stored", null],
            ["stored", null],
            ["duplicate", null]
          ]
        )
        assert.strictEqual(results[1]?.messageId, results[2]?.messageId)
        assert.deepInclude(yield* acme.leadOf(leadId), { state: "open", lastMessageAt: start + minute })
        assert.deepInclude(yield* headOf(contactId), { lastMessage: "When can you come?", unread: 1, leadId })
        assert.isNull((yield* acme.contactOf(contactId)).archivedAt)
        assert.isNull(yield* acme.draftOf(contactId))
        assert.deepStrictEqual(yield* acme.eventTypes(2), [
          "conversation.updated",
          "contact.updated",
          "lead.contact_replied",
          "lead.state_changed",
          "lead.stage_changed",
          "conversation.updated"
        ])
        assert.deepStrictEqual(yield* acme.arrivals, [
          { outcome: "duplicate_of", count: 1 },
          { outcome: "message", count: 2 }
        ])
        assert.strictEqual(yield* (yield* Signals).backlog, 0)
        const both = [entry("Hello?"), entry("Calling", { actor: "agent" })]
        const appended = yield* appendEntries({ tenant, leadId, entries: both, runPipeline: true })
        assert.deepStrictEqual(
          appended.results.map(({ signalId }) => signalId !== null),
          [true, false]
        )
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
      })
    )
    scene("a repeated import changes nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const { leadId } = yield* create(tenant, { message: entry("Today") })
        yield* transitionLead("acme", leadId, "archived", null)
        const ago = (minutes: number) => start - minutes * minute
        const entries = [
          entry("Long ago", { timestamp: ago(90), externalId: "1" }),
          entry("Answered", { timestamp: ago(80), actor: "agent", channel: "email", subject: "Re: roof" }),
          entry("Same words", { timestamp: ago(70) }),
          entry("Same words", { timestamp: ago(60) }),
          entry("Same words", { timestamp: ago(60) })
        ]
        const before = yield* acme.eventTypes()
        const first = yield* importEntries({ tenant, leadId, entries })
        assert.deepStrictEqual(
          first.results.map(({ outcome }) => outcome),
          ["stored", "stored", "stored", "stored", "duplicate"]
        )
        assert.deepStrictEqual(yield* acme.eventTypes(before.length), ["conversation.updated"])
        const once = yield* everythingOf(leadId)
        assert.deepInclude(once.lead, { state: "archived", lastMessageAt: start })
        assert.deepInclude(once.head, { lastMessage: "Today", unread: 1 })
        assert.strictEqual(once.signals, 0)
        yield* TestClock.setTime(start + minute)
        const again = yield* importEntries({ tenant, leadId, entries })
        assert.deepStrictEqual(
          again.results,
          first.results.map(({ messageId }) => ({ outcome: "duplicate" as const, messageId, signalId: null }))
        )
        assert.deepStrictEqual(yield* everythingOf(leadId), once)
        const newer = yield* importEntries({ tenant, leadId, entries: [entry("Later", { timestamp: start + minute })] })
        assert.strictEqual(newer.results[0]?.outcome, "stored")
        const later = yield* everythingOf(leadId)
        assert.deepInclude(later.head, { lastMessage: "Later", unread: 1 })
        assert.strictEqual(later.lead.lastMessageAt, start + minute)
        // A live event that reports an imported entry is recognised as a duplicate.
        const live = entry("Long ago", { externalId: "1" })
        const { results } = yield* appendEntries({ tenant, leadId, entries: [live], runPipeline: false })
        assert.deepStrictEqual(results[0]?.outcome, "duplicate")
      })
    )
    scene("an import with an invalid entry stores no entry, and names the invalid one", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const { leadId } = yield* create(tenant, { message: entry("Today") })
        const before = yield* everythingOf(leadId)
        const issuesOf = (entries: ReadonlyArray<LeadEntry>) =>
          Effect.map(Effect.flip(importEntries({ tenant, leadId, entries })), (error) =>
            error._tag === "LeadRequestInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
          )
        const fine = entry("Fine", { timestamp: start, externalId: "a" })
        assert.deepStrictEqual(yield* issuesOf([fine, entry("Tomorrow", { timestamp: start + 1 })]), [
          "entries.1.timestamp"
        ])
        assert.deepStrictEqual(yield* issuesOf([fine, fine, { ...fine, body: "Other" }]), ["entries.2.external_id"])
        assert.deepStrictEqual(yield* everythingOf(leadId), before)
      })
    )
    scene("a score is stored with its reasons for any caller, and a change of tier is reported", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ classifier: "keywords" })
        const { result } = yield* handleRequest({
          tenant,
          request: {
            message: "What would a new roof cost? Please call me today.",
            contact: { name: "Jo Smith", email: "jo@customer.example", phone: "+14155550123" },
            channel: "webhook",
            source: "automation",
            metadata: {},
            idempotencyKey: null
          }
        })
        const [lead] = yield* (yield* Leads).page("acme", everyLead, 1, null)
        if (lead === undefined || result.score === null) return assert.fail("nothing was scored")
        const { leadId } = lead
        const reply = entry("No thanks, we have found somebody else.", { actor: "agent" })
        yield* appendEntries({ tenant, leadId, entries: [reply], runPipeline: false })
        const before = yield* acme.eventTypes()
        const scoredAgain = yield* scoreLead(tenant, leadId)
        assert.deepStrictEqual([scoredAgain.score, scoredAgain.factors], [result.score.score, result.score.factors])
        assert.isNull(scoredAgain.signalId)
        assert.deepStrictEqual(yield* acme.eventTypes(before.length), ["lead.scored"])
        const strict = yield* saveConfig("acme", { ...tenant.config, thresholds: { hot: 100, warm: 99 } })
        const cold = yield* scoreLead(strict, leadId)
        assert.strictEqual(cold.tier, "cold")
        assert.deepStrictEqual(yield* acme.eventTypes(before.length + 1), ["lead.scored", "lead.tier_changed"])
        assert.strictEqual((yield* dataOf("lead.tier_changed"))?.["previous_tier"], scoredAgain.tier)
        assert.deepInclude(yield* acme.leadOf(leadId), { score: cold.score, tier: "cold" })
        const history = yield* listScores("acme", leadId, { limit: 2, cursor: null })
        assert.deepStrictEqual(history.items, [cold, scoredAgain])
        const rest = yield* listScores("acme", leadId, { limit: 2, cursor: history.nextCursor })
        assert.deepStrictEqual([rest.items.map(({ score }) => score), rest.nextCursor], [[scoredAgain.score], null])
        assert.isNotNull(rest.items[0]?.signalId)
      })
    )
    scene("a lead changes its state by the table, and causes no event without a change", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const { leadId } = yield* create(tenant)
        const error = yield* Effect.flip(transitionLead("acme", leadId, "won", null))
        assert.deepInclude(error, { _tag: "TransitionIllegal", from: "open", legal: ["engaged", "archived"] })
        yield* TestClock.setTime(start + minute)
        const moved = yield* transitionLead("acme", leadId, "engaged", "called back")
        assert.deepInclude(moved, { state: "engaged", updatedAt: start + minute })
        assert.deepInclude(yield* dataOf("lead.state_changed"), { previous_state: "open", reason: "called back" })
        const before = yield* acme.eventTypes()
        yield* TestClock.setTime(start + 2 * minute)
        assert.deepStrictEqual(yield* transitionLead("acme", leadId, "engaged", null), moved)
        assert.deepStrictEqual(yield* updateLead("acme", leadId, {}), moved)
        assert.deepStrictEqual(yield* acme.eventTypes(before.length), [])
        const changed = yield* updateLead("acme", leadId, { subject: " ", assignee: " kim " })
        assert.deepInclude(changed, { subject: null, assignee: "kim", updatedAt: start + 2 * minute })
      })
    )
    scene("a merged lead can be read; a change fails and names the remaining lead", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const leads = yield* Leads
        const [stays, middle, gone] = [yield* create(tenant), yield* create(tenant), yield* create(tenant)]
        yield* appendEntries({ tenant, leadId: stays.leadId, entries: [entry("Here")], runPipeline: false })
        yield* leads.markMerged("acme", middle.leadId, [gone.leadId], start)
        yield* leads.markMerged("acme", stays.leadId, [middle.leadId], start)
        const { leadId } = gone
        const entries = [entry("x", { timestamp: start })]
        const refuses = <E extends { readonly _tag: string }, R>(write: Effect.Effect<unknown, E, R>) =>
          Effect.map(Effect.flip(write), (error) =>
            assert.deepStrictEqual(
              [error._tag, "mergedInto" in error ? error.mergedInto : null],
              ["LeadMerged", stays.leadId]
            )
          )
        yield* refuses(transitionLead("acme", leadId, "engaged", null))
        yield* refuses(updateLead("acme", leadId, {}))
        yield* refuses(scoreLead(tenant, leadId))
        yield* refuses(appendEntries({ tenant, leadId, entries, runPipeline: false }))
        yield* refuses(importEntries({ tenant, leadId, entries }))
        assert.strictEqual((yield* findLead("all", leadId)).mergedInto, middle.leadId)
        const log = yield* readLeadConversation(["acme"], leadId, { limit: 9, cursor: null })
        assert.deepStrictEqual([log.lead.leadId, log.items.map(({ body }) => body)], [stays.leadId, ["Here"]])
        const missing = Effect.flip(findLead(["other"], leadId))
        assert.strictEqual((yield* missing)._tag, "LeadNotFound")
        assert.strictEqual((yield* Effect.flip(scoreLead(tenant, idOf("lead", 0))))._tag, "LeadNotFound")
      })
    )
  })
}
