import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { assignNumber } from "@leadloom/core/internal/workflow/tenant/AssignNumber"
import { blockNumber } from "@leadloom/core/internal/workflow/sms/BlockNumber"
import { Activities } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { ingestText } from "@leadloom/core/internal/workflow/sms/IngestText"
import { maxMediaItems } from "@leadloom/core/internal/domain/conversation/TextJob"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { history, hour, letter, open, openTasks, storedOptOuts } from "./TextWorld.ts"
import { acme, drain, drainJobs, jane, own, scenesOn, start, textFromJane } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests text messages on a store. */
export const textsSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")
  describe(`texts on ${name}`, () => {
    scene("arrive once, and get an automatic reply from the number that received them", ({ texts: { outbox } }) =>
      Effect.gen(function* () {
        yield* open()
        yield* assignNumber("acme", "+12125550198", true)
        const providerEvent = textFromJane("A new roof?")
        const { contactId } = yield* acme.receiveText(providerEvent)
        assert.strictEqual((yield* acme.receiveText(providerEvent)).outcome, "duplicate_of")
        yield* drain
        assert.deepStrictEqual(
          outbox.map(({ text }) => [text.from, text.to, text.body, text.segments, text.automatic]),
          [[own, jane, "Thank you.", 1, true]]
        )
        assert.deepStrictEqual(yield* history(contactId), [
          ["contact", "A new roof?", null],
          ["assistant", "Thank you.", "sent"]
        ])
        assert.isNull(yield* ingestText(textFromJane("Hello?", { to: "+12125550111" })))
      })
    )

    scene("wait for the morning if automatic, and are then sent", ({ texts: { outbox } }) =>
      Effect.gen(function* () {
        yield* open({}, start + 20 * hour)
        const { contactId } = yield* acme.receiveText("A roof, it is late")
        yield* drain
        assert.deepStrictEqual(outbox, [])
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["assistant", "Thank you.", "queued"])
        yield* TestClock.setTime(start + 28 * hour - 1)
        yield* drain
        assert.deepStrictEqual(outbox, [])
        yield* TestClock.setTime(start + 28 * hour)
        yield* drain
        assert.lengthOf(outbox, 1)
      })
    )

    scene("of a person also wait for the morning, unless they answer a recent message", ({ texts: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
        const { contactId } = yield* acme.receiveText("Are you there?")
        yield* sendMessage(tenant, contactId, letter("Yes"), null)
        assert.lengthOf(outbox, 1)
        yield* TestClock.adjust("61 minutes")
        const key = "one"
        const { messageId } = yield* sendMessage(tenant, contactId, letter("Tomorrow then"), key)
        const again = yield* sendMessage(tenant, contactId, letter("Tomorrow then"), key)
        assert.deepStrictEqual([again.messageId, again.replayed], [messageId, true])
        const other = yield* Effect.flip(sendMessage(tenant, contactId, letter("Or today"), key))
        assert.strictEqual(other._tag, "IdempotencyConflict")
        yield* drain
        assert.lengthOf(outbox, 1)
        yield* TestClock.setTime(start + 29 * hour)
        yield* drain
        assert.strictEqual(outbox[1]?.text.body, "Tomorrow then")
      })
    )

    scene(
      "are checked again just before the send: after an opt-out, a block or a takeover none is sent",
      ({ texts: { outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
          const { contactId } = yield* acme.receiveText("Are you there?")
          yield* TestClock.adjust("2 hours")
          yield* sendMessage(tenant, contactId, letter("Yes"), null)
          yield* acme.receiveText("Stop texting me")
          yield* TestClock.setTime(start + 29 * hour)
          yield* drain
          assert.deepStrictEqual(outbox, [])
          assert.deepStrictEqual((yield* history(contactId))[1], ["agent", "Yes", "failed"])
          const [task] = yield* (yield* Tasks).page("acme", openTasks, 9, null)
          assert.include(task?.title, "A text could not be sent")
        })
    )

    scene("STOP is stored, supersedes drafts and gets no reply; START reverts it", ({ texts: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId } = yield* acme.receiveText("A roof please")
        yield* drain
        assert.isNotNull(yield* acme.draftOf(contactId))
        const stop = textFromJane("Stop")
        const stopped = yield* acme.receiveText(stop)
        yield* acme.receiveText(stop)
        assert.isNull(stopped.signalId)
        assert.isNull(yield* acme.draftOf(contactId))
        assert.deepInclude((yield* storedOptOuts)[0], { ownPhone: own, optedOut: true, source: "keyword", history: [] })
        const denied = yield* Effect.flip(sendMessage(tenant, contactId, letter("Are you sure?"), null))
        assert.deepInclude(denied, { _tag: "TextDenied", reasons: ["the contact has opted out"] })
        assert.isNull((yield* acme.receiveText("The roof is still open")).signalId)
        assert.isNull((yield* acme.receiveText("Start")).signalId)
        assert.isNotNull((yield* acme.receiveText("The roof again")).signalId)
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
        assert.isNotNull((yield* acme.receiveText("Yes")).signalId)
        assert.isNull((yield* acme.receiveText("HELP")).signalId)
        assert.isNull((yield* acme.receiveText("Por favor ya no me escriban")).signalId)
        assert.deepInclude((yield* storedOptOuts)[0], { optedOut: true, source: "wording" })
        assert.isNull((yield* acme.receiveText("Yes")).signalId)
        assert.deepInclude((yield* storedOptOuts)[0], { optedOut: false })
        assert.isNull((yield* acme.receiveText(textFromJane("whatever", { requested: "stop" }))).signalId)
        assert.deepInclude((yield* storedOptOuts)[0], { optedOut: true, source: "keyword" })
      })
    )

    scene("of blocked numbers and short codes are stored and get no reply", ({ texts: { outbox } }) =>
      Effect.gen(function* () {
        yield* open()
        yield* blockNumber("acme", jane)
        const blocked = yield* acme.receiveText("A roof")
        const code = yield* acme.receiveText(textFromJane("Your code for the roof is 1234", { from: "22395" }))
        yield* drain
        assert.deepStrictEqual([blocked.signalId, code.signalId, outbox.length], [null, null, 0])
        assert.lengthOf(yield* history(code.contactId), 1)
      })
    )

    scene("of a draft go once to the number that wrote", ({ texts: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId } = yield* acme.receiveText("A roof please")
        yield* drain
        const seen = { draftId: null, contentHash: null, headMessageId: null, body: "On our way" }
        const sent = yield* approveDraft(tenant, contactId, seen)
        assert.deepStrictEqual((yield* approveDraft(tenant, contactId, seen)).messageId, sent.messageId)
        assert.deepStrictEqual(
          outbox.map(({ messageId, text }) => [messageId, text.to, text.body, text.automatic]),
          [[sent.messageId, jane, "On our way", false]]
        )
      })
    )

    scene(
      "with a permanent rejection report it, and its reason blocks the number until it writes again",
      ({ texts: { fates } }) =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "off" })
          const { contactId } = yield* acme.receiveText("Hello")
          const refuse = (code: string, about: ProviderFailure.RecipientReport | null) =>
            fates.push(ProviderFailure.refused("sms", code, { about }))
          const send = Effect.flip(sendMessage(tenant, contactId, letter("Hello"), null))
          refuse("21614: not a mobile number", "unreachable")
          assert.deepInclude(yield* send, { _tag: "TextRejected", reason: "21614: not a mobile number" })
          assert.deepInclude(yield* send, {
            _tag: "TextDenied",
            reasons: ["the number cannot be reached: 21614: not a mobile number"]
          })
          yield* acme.receiveText("I am here")
          refuse("21610: unsubscribed recipient", "opted_out")
          assert.deepInclude(yield* send, { _tag: "TextRejected" })
          assert.deepInclude((yield* storedOptOuts)[0], { ownPhone: own, optedOut: true, source: "provider" })
          assert.deepInclude(yield* send, { _tag: "TextDenied", reasons: ["the contact has opted out"] })
        })
    )

    scene("are sent later, once, after a temporary rejection", ({ texts: { outbox, fates } }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* acme.receiveText("Hello")
        fates.push(ProviderFailure.unavailable("sms", "429: busy", { retryAfterMillis: 60_000 }))
        const { messageId } = yield* sendMessage(tenant, contactId, letter("Hello"), null)
        yield* TestClock.adjust("59 seconds")
        yield* drain
        assert.lengthOf(outbox, 1)
        yield* TestClock.adjust("1 second")
        yield* drain
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
        const { contactId } = yield* acme.receiveText(textFromJane("Look", { media: pictures }))
        yield* drainJobs
        const [message] = yield* acme.messagesOf(contactId)
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

    scene(
      "are tried once more before the time limit, whatever delay the provider requests",
      ({ texts: { fates, outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "off" })
          const { contactId } = yield* acme.receiveText("Are you there?")
          const years = 3 * 365 * 24 * hour
          fates.push(ProviderFailure.unavailable("sms", "503: maintenance", { retryAfterMillis: years }))
          yield* sendMessage(tenant, contactId, letter("Yes"), null)
          assert.lengthOf(outbox, 1)
          yield* TestClock.adjust("24 hours")
          yield* drain
          assert.lengthOf(outbox, 2)
          assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "Yes", "sent"])
        })
    )

    scene(
      "fetch all their pictures concurrently, so that slow ones do not block the others",
      ({ texts: { fetching } }) =>
        Effect.gen(function* () {
          yield* open()
          const pictures = Array.from({ length: maxMediaItems }, () => ({ url: "here", contentType: "image/jpeg" }))
          const { contactId } = yield* acme.receiveText(textFromJane("Look at all of these", { media: pictures }))
          yield* drainJobs
          const [message] = yield* acme.messagesOf(contactId)
          assert.isTrue(message?.attachments.every(({ stored }) => stored))
          assert.strictEqual(fetching.max, maxMediaItems)
        })
    )
  })
}
