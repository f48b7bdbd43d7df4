import { assert, describe } from "@effect/vitest"
import { PublicUrl } from "@leadloom/core/internal/domain/consent/UnsubscribeLink"
import { Activities } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { readOptOuts } from "@leadloom/core/internal/workflow/consent/ReadConsent"
import { readUnsubscribeLink, unsubscribe } from "@leadloom/core/internal/workflow/consent/Unsubscribe"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { Effect } from "effect"
import { acme, inTenant, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, now, open, outcomes, read, stopReason, workAt } from "./SequenceWorld.ts"

const publicUrl = "https://leads.example"
const path = `${publicUrl}/api/v1/public/unsubscribe/`

const linked = Effect.provideService(PublicUrl, publicUrl)

/** Returns the token of a link. */
const tokenOf = (link: string | null | undefined): string => {
  assert.isTrue(link?.startsWith(path))
  return (link ?? "").slice(path.length)
}

const jo = "jo@customer.example"

/** Returns the opt-outs of the address: whether they forbid messages, and their source. */
const optOutsOf = (tenantId: string) =>
  Effect.map(readOptOuts(tenantId, { kind: "email", value: jo }), (all) =>
    all.map(({ optedOut, ownPhone, source }) => ({ optedOut, ownPhone, source }))
  )

const byLink = [{ optedOut: true, ownPhone: "", source: "unsubscribe" }]

/** Tests the links with which recipients opt out, on a store. */
export const unsubscribeSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`links to unsubscribe on ${name}`, () => {
    scene("are in the emails of sequences, and end them", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const body = "Hello {{ contact.first_name }}. No more emails: {{ contact.unsubscribe_url }}"
        const enrolment = yield* enrol(fields(email("hello", now, { body }), email("reminder", days(1))))
        yield* workAt("2026-03-02T13:00:00Z")
        const [hello] = mail.outbox
        const token = tokenOf(hello?.unsubscribeUrl)
        const { claim } = yield* readUnsubscribeLink(token)
        assert.deepStrictEqual(claim, { tenantId: "acme", contactId: enrolment.contactId, email: jo })
        const shown = hello?.text.split("No more emails: ")[1] ?? ""
        assert.deepStrictEqual((yield* readUnsubscribeLink(tokenOf(shown))).claim, claim)
        // Programs that check links only read them.
        assert.deepStrictEqual(yield* optOutsOf("acme"), [])
        assert.deepStrictEqual(yield* stopReason(enrolment), ["active", null])

        assert.strictEqual((yield* unsubscribe(token)).tenantId, "acme")
        yield* unsubscribe(token)
        assert.deepStrictEqual(yield* optOutsOf("acme"), byLink)
        yield* workAt("2026-03-03T13:00:00Z")
        assert.strictEqual(mail.outbox.length, 1)
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello sent"])
        assert.deepStrictEqual(yield* stopReason(enrolment), ["stopped", "opted_out"])
      }).pipe(linked)
    )

    scene("are absent if recipients cannot reach the server, and in the email of a person", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol } = yield* open({}, "UTC")
        yield* enrol(fields(email("hello", now, { body: "Bye: {{ contact.unsubscribe_url }}." })))
        yield* workAt("2026-03-02T13:00:00Z")
        const tenant = yield* (yield* Tenants).get("acme")
        const message = { channel: "email", body: "Hello", subject: "Hello", replyAll: false } as const
        yield* linked(sendMessage(tenant, contactId, message, null))
        assert.deepStrictEqual(
          mail.outbox.map(({ text, unsubscribeUrl = null }) => [text, unsubscribeUrl]),
          [
            ["Bye: .", null],
            ["Hello", null]
          ]
        )
      })
    )

    scene("opt an address out of one tenant only, and only with the seal of this deployment", ({ mail }) =>
      Effect.gen(function* () {
        yield* inTenant("other").open()
        const { contactId, enrol } = yield* open({}, "UTC")
        yield* enrol(fields(email("hello", now)))
        yield* workAt("2026-03-02T13:00:00Z")
        const token = tokenOf(mail.outbox[0]?.unsubscribeUrl)
        const vault = yield* Vault
        const claim = JSON.stringify(["acme", contactId, jo])
        const forged = [
          "",
          "v1",
          claim,
          `${token}${"A".repeat(2_000)}`,
          vault.seal(claim, "another-place"),
          vault.seal(JSON.stringify(["acme", "con", jo]), "unsubscribe-link"),
          vault.seal(JSON.stringify(["nobody", contactId, jo]), "unsubscribe-link")
        ]
        for (const each of forged)
          assert.strictEqual((yield* Effect.flip(unsubscribe(each)))._tag, "UnsubscribeLinkInvalid", each)
        assert.deepStrictEqual(yield* optOutsOf("acme"), [])
        yield* unsubscribe(token)
        assert.deepStrictEqual([yield* optOutsOf("acme"), yield* optOutsOf("other")], [byLink, []])
      }).pipe(linked)
    )

    scene("work after the contact was merged", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol } = yield* open({}, "UTC")
        yield* enrol(fields(email("hello", now)))
        yield* workAt("2026-03-02T13:00:00Z")
        const token = tokenOf(mail.outbox[0]?.unsubscribeUrl)
        const { contactId: target } = yield* acme.handleMail({ id: "2@x.example", from: "jo@other.example" })
        yield* mergeContacts("acme", target, contactId)
        yield* unsubscribe(token)
        assert.deepStrictEqual(yield* optOutsOf("acme"), byLink)
        const activities = yield* (yield* Activities).before("acme", target, null, 100)
        const types = activities.map(({ type }) => type)
        assert.include(types, "opted_out")
      }).pipe(linked)
    )

    scene("work after the contact was erased", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol } = yield* open({}, "UTC")
        yield* enrol(fields(email("hello", now)))
        yield* workAt("2026-03-02T13:00:00Z")
        const token = tokenOf(mail.outbox[0]?.unsubscribeUrl)
        yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "admin" })
        yield* unsubscribe(token)
        assert.deepStrictEqual(yield* optOutsOf("acme"), byLink)
      }).pipe(linked)
    )
  })
}
