import { assert, describe } from "@effect/vitest"
import type { LeadState } from "@leadloom/core/internal/domain/lead/LeadState"
import { blockNumber } from "@leadloom/core/internal/workflow/sms/BlockNumber"
import type { CustomEvent } from "@leadloom/core/internal/workflow/intake/IngestEvent"
import { Activities } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { ingestText } from "@leadloom/core/internal/workflow/sms/IngestText"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { letter, open } from "../sending/TextWorld.ts"
import { acme, jane, scenesOn, textFromJane } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const leadsOf = (contactId: string) => Effect.flatMap(Leads, (leads) => leads.ofContact("acme", contactId, 100))

const close = Effect.fnUntraced(function* (leadId: string | null, state: LeadState) {
  yield* (yield* Leads).update({ ...(yield* acme.leadOf(leadId)), state })
})

const stateChanges = Effect.map(acme.events(), (found) =>
  found.flatMap(({ data, type }) => (type === "lead.state_changed" ? [data] : []))
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
const sendCustomEvent = (channel: CustomEvent["channel"], body = "Hello?") =>
  Effect.map(acme.receiveEvent(event(channel, body)), ({ accepted }) => accepted)

/** Tests which lead a message without a thread joins, and the effect on the lead, on a store. */
export const reopenSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")
  describe(`leads of messages without a thread on ${name}`, () => {
    for (const state of ["lost", "archived"] as const)
      scene(`a text reopens a lead in state ${state} of any age, and reports it once everywhere`, () =>
        Effect.gen(function* () {
          yield* open({ replyMode: "off" })
          const first = yield* acme.receiveText("Hello?")
          yield* close(first.leadId, state)
          yield* TestClock.adjust("400 days")
          const second = yield* acme.receiveText("Still there?")
          assert.strictEqual(second.leadId, first.leadId)
          assert.strictEqual((yield* acme.leadOf(first.leadId)).state, "open")
          const change = { previous_state: state, state: "open", reason: "the contact wrote again" }
          assert.deepStrictEqual(yield* timelineOf(first.contactId), [change])
          const changes = yield* stateChanges
          assert.strictEqual(changes.length, 1)
          assert.deepInclude(changes[0], { lead_id: first.leadId, reason: "the contact wrote again" })
        })
      )

    scene("chat, custom events, pipeline requests and calls reopen it like texts, and join it on any channel", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const { contactId, leadId } = yield* acme.receiveText("Hello?")
        const arrivals = [
          sendCustomEvent("chat"),
          sendCustomEvent("webhook"),
          sendCustomEvent("voice"),
          sendCustomEvent("sms"),
          acme.handleRequest({
            message: "Hello?",
            contact: { name: null, email: null, phone: jane },
            source: "partner"
          }),
          acme.receiveCall("CA1")
        ]
        for (const arrival of arrivals) {
          yield* close(leadId, "lost")
          yield* TestClock.adjust("40 days")
          yield* arrival
          assert.strictEqual((yield* acme.leadOf(leadId)).state, "open")
        }
        assert.strictEqual((yield* leadsOf(contactId)).length, 1)
        assert.strictEqual((yield* stateChanges).length, arrivals.length)
      })
    )

    scene("a won lead does not change: the message joins the newest other lead, or opens one", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const first = yield* acme.receiveText("Hello?")
        yield* close(first.leadId, "won")
        const second = yield* sendCustomEvent("chat")
        assert.notStrictEqual(second.leadId, first.leadId)
        assert.strictEqual((yield* acme.leadOf(first.leadId)).state, "won")
        yield* close(second.leadId, "lost")
        assert.strictEqual((yield* acme.receiveText("One more thing")).leadId, second.leadId)
        assert.strictEqual((yield* acme.leadOf(second.leadId)).state, "open")
      })
    )

    scene("an email joins only the lead of its thread and reopens it, never a lead of texts", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const text = yield* sendCustomEvent("sms")
        yield* close(text.leadId, "lost")
        const first = yield* acme.receiveMail({ id: "one@customer.example", from: "jane@customer.example" })
        assert.notStrictEqual(first.leadId, text.leadId)
        // A custom event with the channel email belongs to no thread, so it opens a new lead.
        const named = yield* sendCustomEvent("email")
        assert.notInclude([text.leadId, first.leadId], named.leadId)
        assert.strictEqual((yield* acme.leadOf(text.leadId)).state, "lost")
        yield* close(first.leadId, "archived")
        const second = yield* acme.receiveMail({
          id: "two@customer.example",
          from: "jane@customer.example",
          inReplyTo: "one@customer.example"
        })
        assert.strictEqual(second.leadId, first.leadId)
        assert.strictEqual((yield* acme.leadOf(first.leadId)).state, "open")
      })
    )

    scene("STOP, a blocked number and outbound messages join a lost lead, which stays lost", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId, leadId } = yield* acme.receiveText("Hello?")
        yield* close(leadId, "lost")
        yield* sendMessage(tenant, contactId, letter("Thank you for asking."), null)
        for (const word of ["STOP", "HELP", "START"]) assert.strictEqual((yield* acme.receiveText(word)).leadId, leadId)
        yield* blockNumber("acme", jane)
        assert.strictEqual((yield* acme.receiveText("Let me in")).leadId, leadId)
        assert.strictEqual((yield* acme.leadOf(leadId)).state, "lost")
        assert.deepStrictEqual(yield* stateChanges, [])
        assert.strictEqual((yield* leadsOf(contactId)).length, 1)
      })
    )

    scene("twenty concurrent texts reopen one lead once", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const { contactId, leadId } = yield* acme.receiveText("Hello?")
        yield* close(leadId, "lost")
        const texts = Array.from({ length: 20 }, (_, index) => textFromJane(`Text ${index}`))
        const taken = yield* Effect.forEach(texts, ingestText, { concurrency: "unbounded" })
        assert.deepStrictEqual([...new Set(taken.map((one) => one?.leadId))], [leadId])
        assert.strictEqual((yield* leadsOf(contactId)).length, 1)
        assert.strictEqual((yield* stateChanges).length, 1)
        assert.strictEqual((yield* timelineOf(contactId)).length, 1)
      })
    )
  })
}
