import { assert, describe, layer } from "@effect/vitest"
import { approveDraft } from "@leadloom/core/conversation/ApproveDraft"
import { sendMessage } from "@leadloom/core/conversation/SendMessage"
import { workDueSends } from "@leadloom/core/email/WorkSends"
import { runErrand } from "@leadloom/core/errand/RunErrand"
import { workDueErrands } from "@leadloom/core/errand/WorkErrands"
import { assignNumber } from "@leadloom/core/outbound/AssignNumber"
import { blockNumber } from "@leadloom/core/outbound/BlockNumber"
import type { Rule } from "@leadloom/core/pipeline/Rule"
import { workDueSignals } from "@leadloom/core/pipeline/WorkSignals"
import { Activities } from "@leadloom/core/port/Activities"
import { Contacts } from "@leadloom/core/port/Contacts"
import { Drafts } from "@leadloom/core/port/Drafts"
import { EmailTransport, OutcomeUnknown } from "@leadloom/core/port/EmailTransport"
import { Messages } from "@leadloom/core/port/Messages"
import { OptOuts } from "@leadloom/core/port/OptOuts"
import { Sends } from "@leadloom/core/port/Sends"
import {
  SmsProvider,
  type TextFate,
  type TextOrder,
  TextRefused,
  TextUnavailable
} from "@leadloom/core/port/SmsProvider"
import { Tasks } from "@leadloom/core/port/Tasks"
import { followText } from "@leadloom/core/sms/FollowText"
import { takeText } from "@leadloom/core/sms/TakeText"
import type { TextArrived, TextMoved } from "@leadloom/core/sms/TextNotice"
import type { TenantConfig } from "@leadloom/core/tenant/TenantConfig"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around, openTenant, start, type StoreLayer } from "./World.ts"

const own = "+12125550199"
const jane = "+12125550100"
const hour = 3_600_000

const thanks: Rule = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions: [{ type: "reply", template: "Thank you." }]
}

/** A tenant with a number, at noon in New York. */
const open = (config: Partial<TenantConfig> = {}, at = start + 8 * hour) =>
  Effect.gen(function* () {
    const tenant = yield* openTenant("acme", { rules: [thanks], replyMode: "auto", ...config })
    yield* assignNumber("acme", own, true)
    yield* TestClock.setTime(at)
    return tenant
  })

let last = 0
const from = (body: string, more: Partial<TextArrived> = {}): TextArrived => ({
  _tag: "TextArrived",
  providerMessageId: `SM${++last}`,
  from: jane,
  to: own,
  body,
  media: [],
  asked: null,
  details: {},
  ...more
})

const take = Effect.fnUntraced(function* (notice: TextArrived) {
  yield* TestClock.adjust("1 minute")
  const accepted = (yield* takeText(notice)) ?? assert.fail("the number is nobody's")
  const contactId = accepted.contactId ?? assert.fail("no contact")
  return { ...accepted, contactId }
})

/** What workers do now. */
const work = Effect.gen(function* () {
  yield* workDueSignals()
  while ((yield* workDueSends()) > 0);
})

const errands = Effect.gen(function* () {
  while ((yield* workDueErrands(runErrand)) > 0);
})

const history = (contactId: string) =>
  Effect.map(
    Effect.flatMap(Messages, (messages) => messages.ofContact("acme", contactId)),
    (all) => all.map(({ actor, body, delivery }) => [actor, body, delivery])
  )

const wishes = Effect.flatMap(OptOuts, (optOuts) => optOuts.of("acme", [jane]))

const moved = (
  messageId: TextMoved["messageId"],
  state: TextMoved["state"],
  more: Partial<TextMoved> = {}
): TextMoved => ({
  _tag: "TextMoved",
  tenantId: "acme",
  messageId,
  providerMessageId: "SMours",
  state,
  reason: null,
  about: null,
  ...more
})

const openTasks = { status: "open", type: null, contactId: null, leadId: null } as const

const letter = (body: string) => ({ channel: "sms", body, replyAll: false }) as const

/** What texts promise, on any store. */
export const textsSuite = (name: string, store: StoreLayer): void => {
  const outbox: Array<TextOrder> = []
  const fates: Array<TextFate> = []
  const taken: TextFate = { left: true, response: "201 queued", providerMessageId: "SMours" }
  const media = (url: string) =>
    url === "gone"
      ? Effect.fail(new TextRefused({ reason: "404", about: null }))
      : Effect.succeed({ contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) })
  let found: ReadonlyArray<TextMoved> = []
  const provider = SmsProvider.memory(outbox, () => fates.shift() ?? taken, {
    find: () => Effect.sync(() => found),
    media
  })
  const world = Layer.mergeAll(store, around, EmailTransport.memory([]), provider)
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Layer.Success<typeof world>>) =>
    layer(Layer.fresh(world))(title, (it) =>
      it.effect("holds", () =>
        Effect.suspend(() => {
          outbox.length = 0
          fates.length = 0
          found = []
          return test()
        })
      )
    )

  describe(`texts on ${name}`, () => {
    scene("come in once, and are answered by themselves from the number written to", () =>
      Effect.gen(function* () {
        yield* open()
        yield* assignNumber("acme", "+12125550198", true)
        const notice = from("A new roof?")
        const { contactId } = yield* take(notice)
        assert.strictEqual((yield* take(notice)).outcome, "duplicate_of")
        yield* work
        assert.deepStrictEqual(
          outbox.map(({ text }) => [text.from, text.to, text.body, text.segments, text.automatic]),
          [[own, jane, "Thank you.", 1, true]]
        )
        assert.deepStrictEqual(yield* history(contactId), [
          ["contact", "A new roof?", null],
          ["assistant", "Thank you.", "sent"]
        ])
        assert.isNull(yield* takeText(from("Hello?", { to: "+12125550111" })))
      })
    )

    scene("wait for the morning when the machine writes them, and go then", () =>
      Effect.gen(function* () {
        yield* open({}, start + 20 * hour)
        const { contactId } = yield* take(from("A roof, it is late"))
        yield* work
        assert.deepStrictEqual(outbox, [])
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["assistant", "Thank you.", "queued"])
        yield* TestClock.setTime(start + 28 * hour - 1)
        yield* work
        assert.deepStrictEqual(outbox, [])
        yield* TestClock.setTime(start + 28 * hour)
        yield* work
        assert.lengthOf(outbox, 1)
      })
    )

    scene("of a person wait for the morning too, unless they answer what was just written", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
        const { contactId } = yield* take(from("Are you there?"))
        yield* sendMessage(tenant, contactId, letter("Yes"), null)
        assert.lengthOf(outbox, 1)
        yield* TestClock.adjust("61 minutes")
        const key = "one"
        const { messageId } = yield* sendMessage(tenant, contactId, letter("Tomorrow then"), key)
        const again = yield* sendMessage(tenant, contactId, letter("Tomorrow then"), key)
        assert.deepStrictEqual([again.messageId, again.replayed], [messageId, true])
        const other = yield* Effect.flip(sendMessage(tenant, contactId, letter("Or today"), key))
        assert.strictEqual(other._tag, "IdempotencyConflict")
        yield* work
        assert.lengthOf(outbox, 1)
        yield* TestClock.setTime(start + 29 * hour)
        yield* work
        assert.strictEqual(outbox[1]?.text.body, "Tomorrow then")
      })
    )

    scene("ask once more right before they go: who opts out, is blocked or is taken over in between gets none", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
        const { contactId } = yield* take(from("Are you there?"))
        yield* TestClock.adjust("2 hours")
        yield* sendMessage(tenant, contactId, letter("Yes"), null)
        yield* take(from("Stop texting me"))
        yield* TestClock.setTime(start + 29 * hour)
        yield* work
        assert.deepStrictEqual(outbox, [])
        assert.deepStrictEqual((yield* history(contactId))[1], ["agent", "Yes", "failed"])
        const [task] = yield* (yield* Tasks).page("acme", openTasks, 9, null)
        assert.include(task?.title, "A text could not be sent")
      })
    )

    scene("STOP is kept, superseding drafts, and never answered; START takes it back", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId } = yield* take(from("A roof please"))
        yield* work
        assert.isNotNull(yield* (yield* Drafts).pending("acme", contactId))
        const stop = from("Stop")
        const stopped = yield* take(stop)
        yield* take(stop)
        assert.isNull(stopped.signalId)
        assert.isNull(yield* (yield* Drafts).pending("acme", contactId))
        assert.deepInclude((yield* wishes)[0], { ownPhone: own, optedOut: true, source: "keyword", history: [] })
        const denied = yield* Effect.flip(sendMessage(tenant, contactId, letter("Are you sure?"), null))
        assert.deepInclude(denied, { _tag: "TextDenied", reasons: ["the contact has opted out"] })
        assert.isNull((yield* take(from("The roof is still open"))).signalId)
        assert.isNull((yield* take(from("Start"))).signalId)
        assert.isNotNull((yield* take(from("The roof again"))).signalId)
        const entries = yield* (yield* Activities).before("acme", contactId, null, 9)
        assert.deepStrictEqual(
          entries.map(({ type }) => type).filter((type) => type.startsWith("opted")),
          ["opted_in", "opted_out"]
        )
        assert.deepStrictEqual(outbox, [])
      })
    )

    scene("YES is an answer from who has not opted out, and HELP is for the provider", () =>
      Effect.gen(function* () {
        yield* open()
        assert.isNotNull((yield* take(from("Yes"))).signalId)
        assert.isNull((yield* take(from("HELP"))).signalId)
        assert.isNull((yield* take(from("Por favor ya no me escriban"))).signalId)
        assert.deepInclude((yield* wishes)[0], { optedOut: true, source: "wording" })
        assert.isNull((yield* take(from("Yes"))).signalId)
        assert.deepInclude((yield* wishes)[0], { optedOut: false })
        assert.isNull((yield* take(from("whatever", { asked: "stop" }))).signalId)
        assert.deepInclude((yield* wishes)[0], { optedOut: true, source: "keyword" })
      })
    )

    scene("of blocked numbers and of short codes are kept and not answered", () =>
      Effect.gen(function* () {
        yield* open()
        yield* blockNumber("acme", jane)
        const blocked = yield* take(from("A roof"))
        const code = yield* take(from("Your code for the roof is 1234", { from: "22395" }))
        yield* work
        assert.deepStrictEqual([blocked.signalId, code.signalId, outbox.length], [null, null, 0])
        assert.lengthOf(yield* history(code.contactId), 1)
      })
    )

    scene("a draft for a text goes to the number that wrote, once", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId } = yield* take(from("A roof please"))
        yield* work
        const seen = { draftId: null, contentHash: null, headMessageId: null, body: "On our way" }
        const sent = yield* approveDraft(tenant, contactId, seen)
        assert.deepStrictEqual((yield* approveDraft(tenant, contactId, seen)).messageId, sent.messageId)
        assert.deepStrictEqual(
          outbox.map(({ messageId, text }) => [messageId, text.to, text.body, text.automatic]),
          [[sent.messageId, jane, "On our way", false]]
        )
      })
    )

    scene("refused for good say so, and what is said of the number is heeded until it writes again", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* take(from("Hello"))
        const refuse = (code: string, about: TextRefused["about"]) =>
          fates.push(new TextRefused({ reason: code, about }))
        const send = Effect.flip(sendMessage(tenant, contactId, letter("Hello"), null))
        refuse("21614: not a mobile number", "unreachable")
        assert.deepInclude(yield* send, { _tag: "TextRejected", reason: "21614: not a mobile number" })
        assert.deepInclude(yield* send, {
          _tag: "TextDenied",
          reasons: ["the number cannot be reached: 21614: not a mobile number"]
        })
        yield* take(from("I am here"))
        refuse("21610: unsubscribed recipient", "opted_out")
        assert.deepInclude(yield* send, { _tag: "TextRejected" })
        assert.deepInclude((yield* wishes)[0], { ownPhone: own, optedOut: true, source: "provider" })
        assert.deepInclude(yield* send, { _tag: "TextDenied", reasons: ["the contact has opted out"] })
      })
    )

    scene("what the provider cannot take now goes later, once", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* take(from("Hello"))
        fates.push(new TextUnavailable({ reason: "429: busy", retryAfterMillis: 60_000 }))
        const { messageId } = yield* sendMessage(tenant, contactId, letter("Hello"), null)
        yield* TestClock.adjust("59 seconds")
        yield* work
        assert.lengthOf(outbox, 1)
        yield* TestClock.adjust("1 second")
        yield* work
        assert.deepStrictEqual(
          outbox.map((order) => order.messageId),
          [messageId, messageId]
        )
        assert.strictEqual((yield* (yield* Sends).find("acme", messageId))?.state, "confirmed")
      })
    )

    scene("nobody knows of are looked for, never sent again, and a person is asked in the end", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* take(from("Hello"))
        fates.push(new OutcomeUnknown({ reason: "the connection was lost" }))
        const { messageId } = yield* sendMessage(tenant, contactId, letter("One"), null)
        yield* errands
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "One", "unknown"])
        found = [moved(messageId, "delivered")]
        yield* TestClock.adjust("1 minute")
        yield* errands
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "One", "delivered"])
        found = []
        fates.push(new OutcomeUnknown({ reason: "the connection was lost" }))
        const second = yield* sendMessage(tenant, contactId, letter("Two"), null)
        for (let look = 0; look < 12; look++) {
          yield* TestClock.adjust("15 minutes")
          yield* errands
        }
        assert.strictEqual((yield* (yield* Sends).find("acme", second.messageId))?.state, "unknown")
        const titles = (yield* (yield* Tasks).page("acme", openTasks, 9, null)).map(({ title }) => title)
        assert.deepStrictEqual(titles, [`It is not known whether a text was sent: a text to ${jane}`])
        assert.lengthOf(outbox, 2)
      })
    )

    scene("nobody knows of are taken for none that is known as another, and for none of two that are alike", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* take(from("Hello"))
        const sent = yield* sendMessage(tenant, contactId, letter("Yes"), null)
        fates.push(new OutcomeUnknown({ reason: "the connection was lost" }))
        const { messageId } = yield* sendMessage(tenant, contactId, letter("Yes"), null)
        const [other, lost, alike] = ["SMours", "SMlost", "SMalike"].map((providerMessageId) =>
          moved(messageId, "delivered", { providerMessageId })
        )
        if (other === undefined || lost === undefined || alike === undefined) return assert.fail("no texts")
        const deliveries = Effect.map(history(contactId), (all) => all.map(([, , delivery]) => delivery).slice(1))
        for (const books of [[], [other], [other, lost, alike]]) {
          found = books
          yield* TestClock.adjust("15 minutes")
          yield* errands
          assert.deepStrictEqual(yield* deliveries, ["sent", "unknown"])
        }
        found = [other, lost]
        yield* TestClock.adjust("15 minutes")
        yield* errands
        assert.deepStrictEqual(yield* deliveries, ["sent", "delivered"])
        const names = yield* (yield* Messages).holders("acme", ["sms:SMours", "sms:SMlost"])
        assert.deepStrictEqual(names.map(({ key, messageId: held }) => [key, held]).toSorted(), [
          ["sms:SMlost", messageId],
          ["sms:SMours", sent.messageId]
        ])
      })
    )

    scene("of ours only move forward, whatever order the provider tells in", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* take(from("Hello"))
        const { messageId } = yield* sendMessage(tenant, contactId, letter("One"), null)
        const state = Effect.map(history(contactId), (all) => all.at(-1)?.[2])
        yield* followText(moved(messageId, "delivered"))
        yield* followText(moved(messageId, "sent"))
        yield* followText(moved(messageId, "undelivered", { about: "unreachable" }))
        assert.strictEqual(yield* state, "delivered")
        const contacts = yield* Contacts
        assert.isNull(yield* contacts.undeliverable("acme", jane))
        const second = yield* sendMessage(tenant, contactId, letter("Two"), null)
        const lost = moved(second.messageId, "undelivered", { about: "unreachable", reason: "Twilio 30005" })
        yield* followText(lost)
        yield* followText(lost)
        assert.strictEqual(yield* state, "bounced")
        assert.strictEqual(yield* contacts.undeliverable("acme", jane), "Twilio 30005")
        assert.lengthOf(yield* (yield* Tasks).page("acme", openTasks, 9, null), 1)
        yield* followText(moved("msg_of_nothing", "delivered"))
        yield* followText({ ...lost, tenantId: "other" })
      })
    )

    scene("bring pictures, which are kept as attachments, and one that is gone keeps nobody from the others", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const pictures = ["gone", "here"].map((url) => ({ url, contentType: "image/jpeg" }))
        const { contactId } = yield* take(from("Look", { media: pictures }))
        yield* errands
        const [message] = yield* (yield* Messages).ofContact("acme", contactId)
        assert.deepStrictEqual(
          message?.attachments.map(({ contentType, size, stored }) => [contentType, size, stored ?? false]),
          [
            ["image/jpeg", 0, false],
            ["image/png", 3, true]
          ]
        )
        assert.isNotNull(message?.raw)
      })
    )
  })
}
