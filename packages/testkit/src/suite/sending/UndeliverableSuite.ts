import * as ProviderFailure from "@leadloom/core/domain/provider/ProviderFailure"
import { inMemorySmsProvider } from "../../memory/SmsProvider.ts"
import { inMemoryEmailTransport, type Fate } from "../../memory/EmailTransport.ts"
import { assert, describe, layer } from "@effect/vitest"
import { createContact } from "@leadloom/core/workflow/contact/CreateContact"
import { approveDraft } from "@leadloom/core/workflow/draft/ApproveDraft"
import { sendMessage } from "@leadloom/core/workflow/conversation/SendMessage"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { type SendInput, sendEmail } from "@leadloom/core/workflow/sending/SendEmail"
import { workDueSends } from "@leadloom/core/workflow/sending/WorkSends"
import { assignNumber } from "@leadloom/core/workflow/tenant/AssignNumber"
import type { SendOverride } from "@leadloom/core/domain/consent/Override"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/port/repository/contact/Contacts"
import { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import type { TextOrder } from "@leadloom/core/port/provider/SmsProvider"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around } from "../Doubles.ts"
import { rawMail, start, acme } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const jo = "jo@customer.example"
const phone = "+12125550100"
const kim: SendOverride = { reasons: ["undeliverable"], by: "user:kim" }
const taken: Fate = { left: true, response: "250 ok", refused: [], assigned: null }
const away: Fate = ProviderFailure.unavailable("mail", "451 try later")

const open = Effect.gen(function* () {
  const rule = {
    id: "rule_thanks",
    name: "Thanks",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "roof" },
    actions: [{ type: "reply", template: "Thank you." }]
  } as const
  const tenant = yield* acme.open({ rules: [rule], replyMode: "draft" })
  yield* connectEmail("acme", { provider: "smtp", providerGrantId: null, email: "sales@acme.com", name: "Acme" })
  const { contactId } = yield* ingestEmail({ tenant, raw: rawMail({}), source: "smtp", historical: false })
  return { tenant, contactId: contactId ?? assert.fail("no contact") }
})

const bounce = (address: string) =>
  Effect.flatMap(Contacts, (contacts) => contacts.markUndeliverable("acme", address, start, "550 no such user"))

const order = (tenant: Tenant, override: SendOverride | null = null, more: Partial<SendInput["request"]> = {}) => ({
  tenant,
  idempotencyKey: null,
  override,
  request: {
    to: [{ email: "Al@Customer.example", name: null }],
    cc: [],
    bcc: [{ email: jo, name: null }],
    subject: "Your roof",
    body: "We can come on Monday.",
    from: null,
    replyToMessageId: null,
    ...more
  }
})

const answer = { channel: "email", body: "We can come on Monday.", replyAll: false } as const
const seen = { draftId: null, contentHash: null, headMessageId: null, body: null }

/** Tests messages to an address after bounces, on a store. */
export const undeliverableSuite = (name: string, store: StoreLayer): void => {
  const outbox: Array<OutgoingMail> = []
  const texts: Array<TextOrder> = []
  const fates: Array<Fate> = []
  const world = Layer.mergeAll(
    store,
    around,
    inMemoryEmailTransport(outbox, () => fates.shift() ?? taken),
    inMemorySmsProvider(texts)
  )
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Layer.Success<typeof world>>) =>
    layer(Layer.fresh(world))("on a fresh store", (it) =>
      it.effect(title, () => {
        outbox.length = 0
        texts.length = 0
        return test()
      })
    )

  describe(`writing to an undeliverable address on ${name}`, () => {
    scene("rejects every message of a person with address and reason, and stores nothing", () =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* open
        yield* workDueSignals()
        yield* bounce(jo)
        const before = (yield* (yield* Messages).ofContact("acme", contactId)).length
        const denials = [
          yield* Effect.flip(sendEmail(order(tenant))),
          yield* Effect.flip(sendMessage(tenant, contactId, answer, null)),
          yield* Effect.flip(approveDraft(tenant, contactId, seen))
        ]
        for (const denial of denials)
          assert.deepInclude(denial, {
            _tag: "MailDenied",
            reasons: [`mail to ${jo} comes back: 550 no such user`],
            overridable: ["undeliverable"]
          })
        assert.deepStrictEqual(outbox, [])
        assert.strictEqual((yield* (yield* Messages).ofContact("acme", contactId)).length, before)
        assert.strictEqual((yield* (yield* Drafts).pending("acme", contactId))?.state, "pending")
      })
    )

    scene("an override allows one message, with the name of its author, and not the next one", () =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* open
        yield* workDueSignals()
        yield* bounce(jo)
        const approved = yield* approveDraft(tenant, contactId, { ...seen, override: kim })
        const sent = yield* sendEmail(order(tenant, kim))
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
        const { tenant } = yield* open
        const { messageId, overridden } = yield* sendEmail(order(tenant, kim))
        assert.isNull(overridden)
        assert.isNull((yield* (yield* Sends).find("acme", messageId))?.override)
      })
    )

    scene("a queued message keeps its override, and one without is stopped after a bounce", () =>
      Effect.gen(function* () {
        const { tenant } = yield* open
        fates.push(away, away)
        const plain = yield* sendEmail(order(tenant))
        yield* bounce(jo)
        const overridden = yield* sendEmail(order(tenant, kim))
        yield* TestClock.adjust("1 hour")
        while ((yield* workDueSends()) > 0);
        const states = yield* Effect.forEach([plain, overridden], ({ messageId }) =>
          Effect.map(
            Effect.flatMap(Sends, (sends) => sends.find("acme", messageId)),
            (send) => [send?.state, send?.reason]
          )
        )
        assert.deepStrictEqual(states[0], ["failed", `mail to ${jo} comes back: 550 no such user`])
        assert.strictEqual(states[1]?.[0], "confirmed")
      })
    )

    scene("rejects a text to an unreachable number, and sends it with an override", () =>
      Effect.gen(function* () {
        const { tenant } = yield* open
        yield* assignNumber("acme", "+12125550199", true)
        const { contactId } = yield* createContact("acme", { name: "Jane", phone })
        yield* TestClock.setTime(start + 8 * 3_600_000)
        yield* bounce(phone)
        const text = { channel: "sms", body: "Hello", replyAll: false } as const
        const denial = yield* Effect.flip(sendMessage(tenant, contactId, text, null))
        assert.deepInclude(denial, { _tag: "TextDenied", overridable: ["undeliverable"] })
        const sent = yield* sendMessage(tenant, contactId, { ...text, override: kim }, null)
        assert.deepStrictEqual(sent.overridden, kim)
        assert.strictEqual(texts.length, 1)
        assert.deepStrictEqual((yield* (yield* Sends).find("acme", sent.messageId))?.override, kim)
      })
    )

    scene("a request with an override conflicts with the same request without one under the same key", () =>
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
