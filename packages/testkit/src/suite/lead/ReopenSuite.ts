import { assert, describe } from "@effect/vitest"
import { beginInboundCall } from "@leadloom/core/workflow/call/BeginInboundCall"
import { applyCallReport } from "@leadloom/core/workflow/call/ApplyCallReport"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import type { LeadState } from "@leadloom/core/domain/lead/LeadState"
import { blockNumber } from "@leadloom/core/workflow/sms/BlockNumber"
import { handleRequest } from "@leadloom/core/workflow/pipeline/HandleRequest"
import type { PipelineInput } from "@leadloom/core/workflow/intake/PipelineInput"
import { ingestEvent, type CustomEvent } from "@leadloom/core/workflow/intake/IngestEvent"
import { Activities } from "@leadloom/core/port/repository/contact/Contacts"
import { Events } from "@leadloom/core/port/repository/webhook/Events"
import { Leads } from "@leadloom/core/port/repository/lead/Leads"
import { sendMessage } from "@leadloom/core/workflow/conversation/SendMessage"
import { ingestText } from "@leadloom/core/workflow/sms/IngestText"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { from, jane, letter, open, own, receive, textScene } from "../sending/TextWorld.ts"
import { rawMail } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const leadOf = (leadId: string | null) => Effect.flatMap(Leads, (leads) => leads.get("acme", leadId ?? "none"))

const leadsOf = (contactId: string) => Effect.flatMap(Leads, (leads) => leads.ofContact("acme", contactId, 100))

const close = Effect.fnUntraced(function* (leadId: string | null, state: LeadState) {
  yield* (yield* Leads).update({ ...(yield* leadOf(leadId)), state })
})

const stateChanges = Effect.map(
  Effect.flatMap(Events, (events) => events.after("acme", 0, 1_000)),
  (found) => found.flatMap(({ event }) => (event.type === "lead.state_changed" ? [event.data] : []))
)

const timelineOf = (contactId: string) =>
  Effect.map(
    Effect.flatMap(Activities, (activities) => activities.before("acme", contactId, null, 100)),
    (found) => found.flatMap(({ data, type }) => (type === "lead_state_changed" ? [data] : []))
  )

const event = (channel: CustomEvent["channel"], body: string): CustomEvent => ({
  entity: { id: "c-1", name: "Jane", email: null, phone: jane, company: null },
  body,
  subject: null,
  channel,
  direction: "inbound",
  metadata: {},
  timestamp: null,
  messageId: null
})

/** Jane sends a custom event. */
const sendCustomEvent = (tenant: Tenant, channel: CustomEvent["channel"], body = "Hello?") =>
  Effect.map(
    ingestEvent({ tenant, sourceId: "site", event: event(channel, body), requestKey: null }),
    ({ accepted }) => accepted
  )

const mail = (tenant: Tenant, id: string, more: { readonly inReplyTo?: string } = {}) =>
  ingestEmail({
    tenant,
    raw: rawMail({ id, from: "jane@customer.example", ...more }),
    source: "smtp",
    historical: false
  })

/** Jane calls without an answer. */
const callIn = Effect.fnUntraced(function* (tenant: Tenant, providerCallId: string) {
  const inbound = { provider: "memory", providerCallId, from: jane, to: own }
  const { callId } = (yield* beginInboundCall(tenant, inbound)) ?? assert.fail("the call was rejected")
  const providerEvent = { tenantId: "acme", callId, provider: "memory", providerEventId: providerCallId }
  const report = { about: "contact", status: "completed", legId: null, durationSeconds: 3, at: 0 } as const
  return yield* applyCallReport(providerEvent, report)
})

/** Tests which lead a message without a thread joins, and the effect on the lead, on a store. */
export const reopenSuite = (name: string, store: StoreLayer): void => {
  const scene = textScene(store)
  describe(`leads of messages without a thread on ${name}`, () => {
    for (const state of ["lost", "archived"] as const)
      scene(`a text reopens a lead in state ${state} of any age, and reports it once everywhere`, () =>
        Effect.gen(function* () {
          yield* open({ replyMode: "off" })
          const first = yield* receive(from("Hello?"))
          yield* close(first.leadId, state)
          yield* TestClock.adjust("400 days")
          const second = yield* receive(from("Still there?"))
          assert.strictEqual(second.leadId, first.leadId)
          assert.strictEqual((yield* leadOf(first.leadId)).state, "open")
          const change = { previous_state: state, state: "open", reason: "the contact wrote again" }
          assert.deepStrictEqual(yield* timelineOf(first.contactId), [change])
          const changes = yield* stateChanges
          assert.strictEqual(changes.length, 1)
          assert.deepInclude(changes[0], { lead_id: first.leadId, reason: "the contact wrote again" })
        })
      )

    scene("chat, custom events, pipeline requests and calls reopen it like texts, and join it on any channel", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId, leadId } = yield* receive(from("Hello?"))
        const request: PipelineInput = {
          message: "Hello?",
          contact: { name: null, email: null, phone: jane },
          channel: "webhook",
          source: "partner",
          metadata: {},
          idempotencyKey: null
        }
        const arrivals = [
          sendCustomEvent(tenant, "chat"),
          sendCustomEvent(tenant, "webhook"),
          sendCustomEvent(tenant, "voice"),
          sendCustomEvent(tenant, "sms"),
          handleRequest({ tenant, request }),
          callIn(tenant, "CA1")
        ]
        for (const arrival of arrivals) {
          yield* close(leadId, "lost")
          yield* TestClock.adjust("40 days")
          yield* arrival
          assert.strictEqual((yield* leadOf(leadId)).state, "open")
        }
        assert.strictEqual((yield* leadsOf(contactId)).length, 1)
        assert.strictEqual((yield* stateChanges).length, arrivals.length)
      })
    )

    scene("a won lead does not change: the message joins the newest other lead, or opens one", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const first = yield* receive(from("Hello?"))
        yield* close(first.leadId, "won")
        const second = yield* sendCustomEvent(tenant, "chat")
        assert.notStrictEqual(second.leadId, first.leadId)
        assert.strictEqual((yield* leadOf(first.leadId)).state, "won")
        yield* close(second.leadId, "lost")
        assert.strictEqual((yield* receive(from("One more thing"))).leadId, second.leadId)
        assert.strictEqual((yield* leadOf(second.leadId)).state, "open")
      })
    )

    scene("an email joins only the lead of its thread and reopens it, never a lead of texts", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const text = yield* sendCustomEvent(tenant, "sms")
        yield* close(text.leadId, "lost")
        const first = yield* mail(tenant, "one@customer.example")
        assert.notStrictEqual(first.leadId, text.leadId)
        // A custom event with the channel email belongs to no thread, so it opens a new lead.
        const named = yield* sendCustomEvent(tenant, "email")
        assert.notInclude([text.leadId, first.leadId], named.leadId)
        assert.strictEqual((yield* leadOf(text.leadId)).state, "lost")
        yield* close(first.leadId, "archived")
        const second = yield* mail(tenant, "two@customer.example", { inReplyTo: "one@customer.example" })
        assert.strictEqual(second.leadId, first.leadId)
        assert.strictEqual((yield* leadOf(first.leadId)).state, "open")
      })
    )

    scene("STOP, a blocked number and outbound messages join a lost lead, which stays lost", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId, leadId } = yield* receive(from("Hello?"))
        yield* close(leadId, "lost")
        yield* sendMessage(tenant, contactId, letter("Thank you for asking."), null)
        for (const word of ["STOP", "HELP", "START"]) assert.strictEqual((yield* receive(from(word))).leadId, leadId)
        yield* blockNumber("acme", jane)
        assert.strictEqual((yield* receive(from("Let me in"))).leadId, leadId)
        assert.strictEqual((yield* leadOf(leadId)).state, "lost")
        assert.deepStrictEqual(yield* stateChanges, [])
        assert.strictEqual((yield* leadsOf(contactId)).length, 1)
      })
    )

    scene("twenty concurrent texts reopen one lead once", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const { contactId, leadId } = yield* receive(from("Hello?"))
        yield* close(leadId, "lost")
        const texts = Array.from({ length: 20 }, (_, index) => from(`Text ${index}`))
        const taken = yield* Effect.forEach(texts, ingestText, { concurrency: "unbounded" })
        assert.deepStrictEqual([...new Set(taken.map((one) => one?.leadId))], [leadId])
        assert.strictEqual((yield* leadsOf(contactId)).length, 1)
        assert.strictEqual((yield* stateChanges).length, 1)
        assert.strictEqual((yield* timelineOf(contactId)).length, 1)
      })
    )
  })
}
