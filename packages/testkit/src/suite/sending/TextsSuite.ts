import * as ProviderFailure from "@leadloom/core/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { approveDraft } from "@leadloom/core/workflow/draft/ApproveDraft"
import { sendMessage } from "@leadloom/core/workflow/conversation/SendMessage"
import { assignNumber } from "@leadloom/core/workflow/tenant/AssignNumber"
import { blockNumber } from "@leadloom/core/workflow/sms/BlockNumber"
import { Activities } from "@leadloom/core/port/repository/contact/Contacts"
import { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import { Tasks } from "@leadloom/core/port/repository/lead/Tasks"
import { ingestText } from "@leadloom/core/workflow/sms/IngestText"
import { maxMediaItems } from "@leadloom/core/domain/conversation/TextJob"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  jobs,
  from,
  history,
  hour,
  jane,
  letter,
  open,
  openTasks,
  own,
  receive,
  textScene,
  storedOptOuts,
  work
} from "./TextWorld.ts"
import { start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests text messages on a store. */
export const textsSuite = (name: string, store: StoreLayer): void => {
  const scene = textScene(store)
  describe(`texts on ${name}`, () => {
    scene("arrive once, and get an automatic reply from the number that received them", ({ outbox }) =>
      Effect.gen(function* () {
        yield* open()
        yield* assignNumber("acme", "+12125550198", true)
        const providerEvent = from("A new roof?")
        const { contactId } = yield* receive(providerEvent)
        assert.strictEqual((yield* receive(providerEvent)).outcome, "duplicate_of")
        yield* work
        assert.deepStrictEqual(
          outbox.map(({ text }) => [text.from, text.to, text.body, text.segments, text.automatic]),
          [[own, jane, "Thank you.", 1, true]]
        )
        assert.deepStrictEqual(yield* history(contactId), [
          ["contact", "A new roof?", null],
          ["assistant", "Thank you.", "sent"]
        ])
        assert.isNull(yield* ingestText(from("Hello?", { to: "+12125550111" })))
      })
    )

    scene("wait for the morning if automatic, and are then sent", ({ outbox }) =>
      Effect.gen(function* () {
        yield* open({}, start + 20 * hour)
        const { contactId } = yield* receive(from("A roof, it is late"))
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

    scene("of a person also wait for the morning, unless they answer a recent message", ({ outbox }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
        const { contactId } = yield* receive(from("Are you there?"))
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

    scene(
      "are checked again just before the send: after an opt-out, a block or a takeover none is sent",
      ({ outbox }) =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
          const { contactId } = yield* receive(from("Are you there?"))
          yield* TestClock.adjust("2 hours")
          yield* sendMessage(tenant, contactId, letter("Yes"), null)
          yield* receive(from("Stop texting me"))
          yield* TestClock.setTime(start + 29 * hour)
          yield* work
          assert.deepStrictEqual(outbox, [])
          assert.deepStrictEqual((yield* history(contactId))[1], ["agent", "Yes", "failed"])
          const [task] = yield* (yield* Tasks).page("acme", openTasks, 9, null)
          assert.include(task?.title, "A text could not be sent")
        })
    )

    scene("STOP is stored, supersedes drafts and gets no reply; START reverts it", ({ outbox }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId } = yield* receive(from("A roof please"))
        yield* work
        assert.isNotNull(yield* (yield* Drafts).pending("acme", contactId))
        const stop = from("Stop")
        const stopped = yield* receive(stop)
        yield* receive(stop)
        assert.isNull(stopped.signalId)
        assert.isNull(yield* (yield* Drafts).pending("acme", contactId))
        assert.deepInclude((yield* storedOptOuts)[0], { ownPhone: own, optedOut: true, source: "keyword", history: [] })
        const denied = yield* Effect.flip(sendMessage(tenant, contactId, letter("Are you sure?"), null))
        assert.deepInclude(denied, { _tag: "TextDenied", reasons: ["the contact has opted out"] })
        assert.isNull((yield* receive(from("The roof is still open"))).signalId)
        assert.isNull((yield* receive(from("Start"))).signalId)
        assert.isNotNull((yield* receive(from("The roof again"))).signalId)
        const entries = yield* (yield* Activities).before("acme", contactId, null, 9)
        assert.deepStrictEqual(
          entries.map(({ type }) => type).filter((type) => type.startsWith("opted")),
          ["opted_in", "opted_out"]
        )
        assert.deepStrictEqual(outbox, [])
      })
    )

    scene("YES is a normal reply without an earlier opt-out, and the provider answers HELP", () =>
      Effect.gen(function* () {
        yield* open()
        assert.isNotNull((yield* receive(from("Yes"))).signalId)
        assert.isNull((yield* receive(from("HELP"))).signalId)
        assert.isNull((yield* receive(from("Por favor ya no me escriban"))).signalId)
        assert.deepInclude((yield* storedOptOuts)[0], { optedOut: true, source: "wording" })
        assert.isNull((yield* receive(from("Yes"))).signalId)
        assert.deepInclude((yield* storedOptOuts)[0], { optedOut: false })
        assert.isNull((yield* receive(from("whatever", { requested: "stop" }))).signalId)
        assert.deepInclude((yield* storedOptOuts)[0], { optedOut: true, source: "keyword" })
      })
    )

    scene("of blocked numbers and short codes are stored and get no reply", ({ outbox }) =>
      Effect.gen(function* () {
        yield* open()
        yield* blockNumber("acme", jane)
        const blocked = yield* receive(from("A roof"))
        const code = yield* receive(from("Your code for the roof is 1234", { from: "22395" }))
        yield* work
        assert.deepStrictEqual([blocked.signalId, code.signalId, outbox.length], [null, null, 0])
        assert.lengthOf(yield* history(code.contactId), 1)
      })
    )

    scene("of a draft go once to the number that wrote", ({ outbox }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId } = yield* receive(from("A roof please"))
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

    scene("with a permanent rejection report it, and its reason blocks the number until it writes again", ({ fates }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* receive(from("Hello"))
        const refuse = (code: string, about: ProviderFailure.RecipientReport | null) =>
          fates.push(ProviderFailure.refused("sms", code, { about }))
        const send = Effect.flip(sendMessage(tenant, contactId, letter("Hello"), null))
        refuse("21614: not a mobile number", "unreachable")
        assert.deepInclude(yield* send, { _tag: "TextRejected", reason: "21614: not a mobile number" })
        assert.deepInclude(yield* send, {
          _tag: "TextDenied",
          reasons: ["the number cannot be reached: 21614: not a mobile number"]
        })
        yield* receive(from("I am here"))
        refuse("21610: unsubscribed recipient", "opted_out")
        assert.deepInclude(yield* send, { _tag: "TextRejected" })
        assert.deepInclude((yield* storedOptOuts)[0], { ownPhone: own, optedOut: true, source: "provider" })
        assert.deepInclude(yield* send, { _tag: "TextDenied", reasons: ["the contact has opted out"] })
      })
    )

    scene("are sent later, once, after a temporary rejection", ({ outbox, fates }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* receive(from("Hello"))
        fates.push(ProviderFailure.unavailable("sms", "429: busy", { retryAfterMillis: 60_000 }))
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

    scene("can have pictures, which are stored as attachments; a missing one does not affect the others", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const pictures = ["gone", "here"].map((url) => ({ url, contentType: "image/jpeg" }))
        const { contactId } = yield* receive(from("Look", { media: pictures }))
        yield* jobs
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

    scene("are tried once more before the time limit, whatever delay the provider requests", ({ fates, outbox }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* receive(from("Are you there?"))
        const years = 3 * 365 * 24 * hour
        fates.push(ProviderFailure.unavailable("sms", "503: maintenance", { retryAfterMillis: years }))
        yield* sendMessage(tenant, contactId, letter("Yes"), null)
        assert.lengthOf(outbox, 1)
        yield* TestClock.adjust("24 hours")
        yield* work
        assert.lengthOf(outbox, 2)
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "Yes", "sent"])
      })
    )

    scene("fetch all their pictures concurrently, so that slow ones do not block the others", ({ fetching }) =>
      Effect.gen(function* () {
        yield* open()
        const pictures = Array.from({ length: maxMediaItems }, () => ({ url: "here", contentType: "image/jpeg" }))
        const { contactId } = yield* receive(from("Look at all of these", { media: pictures }))
        yield* jobs
        const [message] = yield* (yield* Messages).ofContact("acme", contactId)
        assert.isTrue(message?.attachments.every(({ stored }) => stored))
        assert.strictEqual(fetching.max, maxMediaItems)
      })
    )
  })
}
