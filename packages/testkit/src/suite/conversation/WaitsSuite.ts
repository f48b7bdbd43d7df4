import { assert, describe } from "@effect/vitest"
import { ModelFailed } from "@leadloom/core/internal/domain/classification/Model"
import { maxSendsPerHour } from "@leadloom/core/internal/domain/sending/SendLimit"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { readWaits } from "@leadloom/core/internal/workflow/conversation/ReadWaits"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { readRun } from "@leadloom/core/internal/workflow/pipeline/Runs"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { away, defaultScript } from "../../memory/ScriptedModel.ts"
import { hour, letter, open } from "../sending/TextWorld.ts"
import { acme, drain, present, scenesOn, start, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** An email to another person than Jo, so that automatic replies to Jo do not pause. */
const toAnother = { to: [{ email: "ann@customer.example", name: null }] }

/** Returns the waits of a contact's messages: author, milliseconds from now, and reason. */
const waitsOf = Effect.fnUntraced(function* (contactId: string | null) {
  const messages = yield* acme.messagesOf(contactId)
  const now = yield* Clock.currentTimeMillis
  const ids = messages.map(({ messageId }) => messageId)
  const waits = yield* readWaits(acme.tenantId, ids)
  assert.strictEqual((yield* readWaits("other", ids)).size, 0, "another tenant sees the waits")
  return messages.flatMap(({ actor, messageId }) => {
    const wait = waits.get(messageId)
    return wait === undefined ? [] : [[actor, wait.until - now, wait.reason]]
  })
})

/** Tests on a store that a message which waits states until when, and why. */
export const waitsSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "model", "texts")

  describe(`a message that arrives waits on ${name}`, () => {
    scene("while more messages may follow", () =>
      Effect.gen(function* () {
        yield* acme.open({ replyWaitSeconds: 60 })
        const { contactId, signalId } = yield* acme.receiveMail()
        const reason = "more messages of the contact may follow (reply_wait_seconds of the configuration)"
        assert.deepStrictEqual(yield* waitsOf(contactId), [["contact", 60_000, reason]])
        const early = yield* Effect.flip(readRun("acme", present(signalId)))
        assert.deepInclude(early._tag === "RunNotFound" ? early.wait : null, { until: start + 60_000, reason })
        yield* TestClock.adjust("60 seconds")
        yield* drain
        assert.deepStrictEqual(yield* waitsOf(contactId), [])
      })
    )

    scene("while the language model does not answer", ({ model }) =>
      Effect.gen(function* () {
        yield* acme.open()
        model.classify = () => Effect.fail(new ModelFailed({ ...away, retryAfterMillis: 60_000 }))
        const { contactId } = yield* acme.receiveMail()
        assert.deepStrictEqual(yield* waitsOf(contactId), [])
        yield* workDueSignals()
        const reason = "the language model did not answer"
        assert.deepStrictEqual(yield* waitsOf(contactId), [["contact", 60_000, reason]])
      })
    )

    scene("for a reason of an earlier version, without the stored error", () =>
      Effect.gen(function* () {
        yield* acme.open({ replyWaitSeconds: 60 })
        const { contactId, signalId } = yield* acme.receiveMail()
        const waitFor = (reason: string) =>
          Effect.flatMap(Signals, (signals) =>
            signals.release(acme.tenantId, present(signalId), start + 60_000, reason)
          )
        yield* waitFor("Error: at /srv/internal.ts")
        const failed = "the last attempt failed; the server tries again"
        assert.deepStrictEqual(yield* waitsOf(contactId), [["contact", 60_000, failed]])
        yield* waitFor("the language model did not answer: the language model at 10.0.0.7:8080: it is overloaded")
        const silent = "the language model did not answer"
        assert.deepStrictEqual(yield* waitsOf(contactId), [["contact", 60_000, silent]])
      })
    )

    scene("after a failed attempt, without internal details", ({ model }) =>
      Effect.gen(function* () {
        yield* acme.open()
        model.classify = () => Effect.die(new Error("at /srv/internal.ts"))
        const { contactId } = yield* acme.receiveMail()
        yield* workDueSignals()
        const reason = "the last attempt failed; the server tries again"
        assert.deepStrictEqual(yield* waitsOf(contactId), [["contact", 1_000, reason]])
        model.classify = defaultScript().classify
        yield* TestClock.adjust("1 second")
        yield* drain
        assert.deepStrictEqual(yield* waitsOf(contactId), [])
      })
    )
  })

  describe(`a message to a contact waits on ${name}`, () => {
    scene("during the contact's quiet hours, whether a person or the assistant wrote it", () =>
      Effect.gen(function* () {
        const tenant = yield* open({}, start + 20 * hour)
        const { contactId } = yield* acme.receiveText("A roof, it is late")
        yield* drain
        const untilMorning = start + 28 * hour - (yield* Clock.currentTimeMillis)
        assert.deepStrictEqual(yield* waitsOf(contactId), [["assistant", untilMorning, "quiet hours"]])
        yield* TestClock.adjust("61 minutes")
        yield* sendMessage(tenant, contactId, letter("Tomorrow then"), null)
        const later = untilMorning - 61 * 60_000
        assert.deepInclude(yield* waitsOf(contactId), ["agent", later, "quiet hours"])
        yield* TestClock.setTime(start + 29 * hour)
        yield* drain
        assert.deepStrictEqual(yield* waitsOf(contactId), [])
      })
    )

    scene("while the hourly limit of emails is reached", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [thanks], replyMode: "auto" })
        yield* acme.connectMail()
        yield* Effect.forEach(Array.from({ length: maxSendsPerHour }), () => acme.sendMail(toAnother))
        const { contactId } = yield* acme.handleMail()
        const waits = yield* waitsOf(contactId)
        assert.deepStrictEqual(waits, [["assistant", 59 * 60_000, "the hourly send limit is reached"]])
        yield* TestClock.adjust("59 minutes")
        yield* drain
        assert.deepStrictEqual(yield* waitsOf(contactId), [])
      })
    )

    scene("while its provider accepts no messages", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.connectMail()
        fates.push(ProviderFailure.unavailable("mail", "451 try later"))
        const { messageId } = yield* acme.sendMail()
        const { contactId } = yield* acme.messageOf(messageId)
        const [wait] = yield* waitsOf(contactId)
        assert.deepStrictEqual([wait?.[0], wait?.[2]], ["agent", "451 try later"])
        yield* TestClock.adjust(Number(wait?.[1]))
        yield* drain
        assert.deepStrictEqual(yield* waitsOf(contactId), [])
      })
    )
  })
}
