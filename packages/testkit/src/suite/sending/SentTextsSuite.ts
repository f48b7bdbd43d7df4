import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { sendLeaseMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { applyTextStatus } from "@leadloom/core/internal/workflow/sms/ApplyTextStatus"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { history, hour, letter, moved, open, openTasks } from "./TextWorld.ts"
import { acme, drain, drainJobs, jane, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests the delivery states of outbound texts on a store. */
export const sentTextsSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")
  describe(`sent texts on ${name}`, () => {
    scene("with an unknown outcome are looked up, never sent again, and finally create a task", ({ texts: there }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* acme.receiveText("Hello")
        there.fates.push(ProviderFailure.outcomeUnknown("sms", "the connection was lost"))
        const { messageId } = yield* sendMessage(tenant, contactId, letter("One"), null)
        yield* drainJobs
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "One", "unknown"])
        there.found = [moved(messageId, "delivered")]
        yield* TestClock.adjust("1 minute")
        yield* drainJobs
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "One", "delivered"])
        there.found = []
        there.fates.push(ProviderFailure.outcomeUnknown("sms", "the connection was lost"))
        const second = yield* sendMessage(tenant, contactId, letter("Two"), null)
        for (let look = 0; look < 12; look++) {
          yield* TestClock.adjust("15 minutes")
          yield* drainJobs
        }
        assert.strictEqual((yield* (yield* Sends).find("acme", second.messageId))?.state, "unknown")
        const titles = (yield* (yield* Tasks).page("acme", openTasks, 9, null)).map(({ title }) => title)
        assert.deepStrictEqual(titles, [`It is unknown whether a text was sent: a text to ${jane}`])
        assert.lengthOf(there.outbox, 2)
      })
    )

    scene("of a crashed server are looked up from their earliest possible time on, however late", ({ texts: there }) =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" }, start + 20 * hour)
        const { contactId } = yield* acme.receiveText("Good night")
        yield* TestClock.adjust("2 hours")
        const { messageId } = yield* sendMessage(tenant, contactId, letter("Good morning"), null)
        yield* TestClock.setTime(start + 28 * hour)
        const gone = yield* Clock.currentTimeMillis
        const sends = yield* Sends
        const [held = assert.fail("nothing is due")] = yield* sends.claim(1, gone, gone + sendLeaseMillis)
        assert.isTrue(yield* sends.handOver(held, gone + sendLeaseMillis))
        yield* TestClock.adjust("3 hours")
        yield* drain
        there.found = [moved(messageId, "delivered")]
        yield* TestClock.adjust("1 minute")
        yield* drainJobs
        const [{ since, until } = assert.fail("nobody has looked")] = there.looked
        assert.isTrue(since <= gone && gone <= until)
        assert.deepStrictEqual((yield* history(contactId)).at(-1), ["agent", "Good morning", "delivered"])
        assert.deepStrictEqual(there.outbox, [])
      })
    )

    scene(
      "with an unknown outcome never match a text of another message, nor one of two equal texts",
      ({ texts: there }) =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "off" })
          const { contactId } = yield* acme.receiveText("Hello")
          const sent = yield* sendMessage(tenant, contactId, letter("Yes"), null)
          there.fates.push(ProviderFailure.outcomeUnknown("sms", "the connection was lost"))
          const { messageId } = yield* sendMessage(tenant, contactId, letter("Yes"), null)
          const [other, lost, alike] = ["SMours", "SMlost", "SMalike"].map((providerMessageId) =>
            moved(messageId, "delivered", { providerMessageId })
          )
          if (other === undefined || lost === undefined || alike === undefined) return assert.fail("no texts")
          const deliveries = Effect.map(history(contactId), (all) => all.map(([, , delivery]) => delivery).slice(1))
          for (const books of [[], [other], [other, lost, alike]]) {
            there.found = books
            yield* TestClock.adjust("15 minutes")
            yield* drainJobs
            assert.deepStrictEqual(yield* deliveries, ["sent", "unknown"])
          }
          there.found = [other, lost]
          yield* TestClock.adjust("15 minutes")
          yield* drainJobs
          assert.deepStrictEqual(yield* deliveries, ["sent", "delivered"])
          const names = yield* (yield* Messages).holders("acme", ["sms:SMours", "sms:SMlost"])
          assert.deepStrictEqual(names.map(({ key, messageId: held }) => [key, held]).toSorted(), [
            ["sms:SMlost", messageId],
            ["sms:SMours", sent.messageId]
          ])
        })
    )

    scene("only move forward in state, in any order of the provider's events", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "off" })
        const { contactId } = yield* acme.receiveText("Hello")
        const { messageId } = yield* sendMessage(tenant, contactId, letter("One"), null)
        const state = Effect.map(history(contactId), (all) => all.at(-1)?.[2])
        yield* applyTextStatus(moved(messageId, "delivered"))
        yield* applyTextStatus(moved(messageId, "sent"))
        yield* applyTextStatus(moved(messageId, "undelivered", { about: "unreachable" }))
        assert.strictEqual(yield* state, "delivered")
        const contacts = yield* Contacts
        assert.isNull(yield* contacts.undeliverable("acme", jane))
        const second = yield* sendMessage(tenant, contactId, letter("Two"), null)
        const lost = moved(second.messageId, "undelivered", { about: "unreachable", reason: "Twilio 30005" })
        yield* applyTextStatus(lost)
        yield* applyTextStatus(lost)
        assert.strictEqual(yield* state, "bounced")
        assert.strictEqual(yield* contacts.undeliverable("acme", jane), "Twilio 30005")
        assert.lengthOf(yield* (yield* Tasks).page("acme", openTasks, 9, null), 1)
        yield* applyTextStatus(moved("msg_of_nothing", "delivered"))
        yield* applyTextStatus({ ...lost, tenantId: "other" })
      })
    )
  })
}
