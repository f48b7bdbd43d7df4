import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Fate } from "../../memory/EmailTransport.ts"
import { assert, describe } from "@effect/vitest"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import type { SendOverride } from "@leadloom/core/internal/domain/consent/Override"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, present, scenesOn, start, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const jo = "jo@customer.example"
const phone = "+12125550100"
const kim: SendOverride = { reasons: ["undeliverable"], by: "user:kim" }
const away: Fate = ProviderFailure.unavailable("mail", "451 try later")

/** Creates the tenant with an account, which receives a mail of Jo. */
const open = Effect.gen(function* () {
  const tenant = yield* acme.open({ rules: [thanks], replyMode: "draft" })
  yield* acme.connectMail()
  const { contactId } = yield* acme.receiveMail()
  return { tenant, contactId: present(contactId) }
})

const bounce = (address: string) =>
  Effect.flatMap(Contacts, (contacts) => contacts.markUndeliverable("acme", address, start, "550 no such user"))

/** Kim sends an email to Al, with Jo as the hidden recipient. */
const send = (override: SendOverride | null = null) =>
  acme.sendMail({ to: [{ email: "Al@Customer.example", name: null }], bcc: [{ email: jo, name: null }] }, { override })

const answer = { channel: "email", body: "We can come on Monday.", replyAll: false } as const
const seen = { draftId: null, contentHash: null, headMessageId: null, body: null }

/** Tests messages to an address after bounces, on a store. */
export const undeliverableSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`writing to an undeliverable address on ${name}`, () => {
    scene("rejects every message of a person with address and reason, and stores nothing", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* open
        yield* workDueSignals()
        yield* bounce(jo)
        const before = (yield* acme.messagesOf(contactId)).length
        const denials = [
          yield* Effect.flip(send()),
          yield* Effect.flip(sendMessage(tenant, contactId, answer, null)),
          yield* Effect.flip(approveDraft(tenant, contactId, seen))
        ]
        for (const denial of denials)
          assert.deepInclude(denial, {
            _tag: "MailDenied",
            reasons: [`mail to ${jo} is returned: 550 no such user`],
            overridable: ["undeliverable"]
          })
        assert.deepStrictEqual(outbox, [])
        assert.strictEqual((yield* acme.messagesOf(contactId)).length, before)
        assert.strictEqual((yield* acme.draftOf(contactId))?.state, "pending")
      })
    )

    scene("an override allows one message, with the name of its author, and not the next one", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* open
        yield* workDueSignals()
        yield* bounce(jo)
        const approved = yield* approveDraft(tenant, contactId, { ...seen, override: kim })
        const sent = yield* send(kim)
        const answered = yield* sendMessage(tenant, contactId, { ...answer, override: kim }, null)
        for (const { messageId, overridden } of [approved, sent, answered]) {
          assert.deepStrictEqual(overridden, kim)
          assert.deepStrictEqual((yield* (yield* Sends).find("acme", messageId))?.override, kim)
          const message = yield* (yield* Messages).find("acme", messageId)
          assert.deepStrictEqual(message?.metadata["override"], kim)
        }
        assert.strictEqual(outbox.length, 3)
        assert.strictEqual((yield* Effect.flip(sendMessage(tenant, contactId, answer, null)))._tag, "MailDenied")
      })
    )

    scene("an unnecessary override does not appear in the receipt of the message", () =>
      Effect.gen(function* () {
        yield* open
        const { messageId, overridden } = yield* send(kim)
        assert.isNull(overridden)
        assert.isNull((yield* (yield* Sends).find("acme", messageId))?.override)
      })
    )

    scene("a queued message keeps its override, and one without is stopped after a bounce", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        yield* open
        fates.push(away, away)
        const plain = yield* send()
        yield* bounce(jo)
        const overridden = yield* send(kim)
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        const states = yield* Effect.forEach([plain, overridden], ({ messageId }) =>
          Effect.map(
            Effect.flatMap(Sends, (sends) => sends.find("acme", messageId)),
            (send) => [send?.state, send?.reason]
          )
        )
        assert.deepStrictEqual(states[0], ["failed", `mail to ${jo} is returned: 550 no such user`])
        assert.strictEqual(states[1]?.[0], "confirmed")
      })
    )

    scene("rejects a text to an unreachable number, and sends it with an override", ({ texts }) =>
      Effect.gen(function* () {
        const { tenant } = yield* open
        yield* acme.connectPhone
        const { contactId } = yield* createContact("acme", { name: "Jane", phone })
        yield* TestClock.setTime(start + 8 * 3_600_000)
        yield* bounce(phone)
        const text = { channel: "sms", body: "Hello", replyAll: false } as const
        const denial = yield* Effect.flip(sendMessage(tenant, contactId, text, null))
        assert.deepInclude(denial, { _tag: "TextDenied", overridable: ["undeliverable"] })
        const sent = yield* sendMessage(tenant, contactId, { ...text, override: kim }, null)
        assert.deepStrictEqual(sent.overridden, kim)
        assert.strictEqual(texts.outbox.length, 1)
        assert.deepStrictEqual((yield* (yield* Sends).find("acme", sent.messageId))?.override, kim)
      })
    )

    scene(
      "a request with an override conflicts with the same request without one under the same key",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          const { contactId, tenant } = yield* open
          const key = "key_1:k"
          yield* sendMessage(tenant, contactId, answer, key)
          const other = sendMessage(tenant, contactId, { ...answer, override: kim }, key)
          assert.strictEqual((yield* Effect.flip(other))._tag, "IdempotencyConflict")
          yield* bounce(jo)
          const again = yield* sendMessage(tenant, contactId, answer, key)
          assert.isTrue(again.replayed)
          assert.strictEqual(outbox.length, 1)
        })
    )
  })
}
