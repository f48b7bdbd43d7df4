/** The suite of links in emails whose openings are recorded. */
import { assert, describe } from "@effect/vitest"
import { PublicUrl } from "@leadloom/core/internal/domain/consent/UnsubscribeLink"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { linkScanMillis, maxLinkOpens } from "@leadloom/core/internal/domain/link/TrackedLink"
import { unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { automationRetentionDays } from "@leadloom/core/internal/domain/sequence/Sequence"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { TrackedLinks } from "@leadloom/core/internal/port/repository/sequence/TrackedLinks"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { readConsent } from "@leadloom/core/internal/workflow/consent/ReadConsent"
import { recordTrackingConsent } from "@leadloom/core/internal/workflow/consent/RecordTracking"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { findLink, recordOpen } from "@leadloom/core/internal/workflow/link/OpenLink"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { expireAutomation } from "@leadloom/core/internal/workflow/sequence/ExpireAutomation"
import { readResults } from "@leadloom/core/internal/workflow/sequence/ReadResults"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, inTenant, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, now, open, work, workAt } from "./SequenceWorld.ts"

const publicUrl = "https://leads.example"
const path = `${publicUrl}/api/v1/public/links/`

const linked = Effect.provideService(PublicUrl, publicUrl)

const quote = "https://shop.example/quote?a=1&b=2"
const anchor = (url: string, text: string) => `<a href="${url.replaceAll("&", "&amp;")}">${text}</a>`
const rest = `<a href="mailto:jo@acme.com">Mail</a> <a href="{{ contact.unsubscribe_url }}">Unsubscribe</a>`
const faq = "http://shop.example/faq"
const body = `<p>${anchor(quote, "https://shop.example/quote")} ${anchor(faq, "FAQ")} ${anchor(quote, "Again")} ${rest}</p>`

/** A tenant that records opened links, and a contact who gets an email with links. */
const openTracked = Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}) {
  const opened = yield* open({ linkTracking: true, ...config }, "UTC")
  const send = Effect.fnUntraced(function* (html = body) {
    const enrolment = yield* opened.enrol(fields(email("hello", now, { body: html })))
    yield* work
    yield* TestClock.adjust(linkScanMillis)
    return enrolment
  })
  return { ...opened, send }
})

const hrefs = ({ html }: Pick<OutgoingMail, "html">): ReadonlyArray<string> =>
  [...(html ?? "").matchAll(/href="([^"]*)"/gu)].map(([, href = ""]) => href)

/** Returns the token of each tracked link of a mail, in their order. */
const tokens = (mail: OutgoingMail | undefined): ReadonlyArray<string> => [
  ...new Set(hrefs(present(mail)).flatMap((href) => (href.startsWith(path) ? [href.slice(path.length)] : [])))
]

/** Opens a link as a person does. */
const openLink = (token: string | undefined) => Effect.tap(findLink(present(token)), recordOpen)

const opens = (token: string | undefined) => Effect.map(findLink(present(token)), ({ opens: count }) => count)

const openedEvents = Effect.map(acme.events(), (all) => all.filter(({ type }) => type === "link.opened"))

/** Records a consent of the contact's address. */
const decide = Effect.fnUntraced(function* (contactId: string, optedOut: boolean) {
  const [consent] = yield* readConsent("acme", contactId)
  const { identityId } = present(consent).identity
  return yield* recordTrackingConsent("acme", contactId, {
    identityId,
    optedOut,
    source: "person",
    proof: optedOut ? null : "a form",
    recordedBy: "user:kim",
    isManager: true
  })
})

const configure = Effect.fnUntraced(function* (change: Partial<TenantConfig>) {
  const { config } = yield* (yield* Tenants).get("acme")
  yield* saveConfig("acme", { ...config, ...change })
})

/** Tests tracked links, on a store. */
export const linkSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`tracked links on ${name}`, () => {
    scene("replace the http links in the HTML of sequences, and nothing else", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, send } = yield* openTracked()
        yield* send()
        const [sent] = mail.outbox
        const [first = "", second = "", again, mailto, unsubscribe = ""] = hrefs(present(sent))
        assert.isTrue(first.startsWith(path) && second.startsWith(path))
        assert.deepStrictEqual([again, mailto], [first, "mailto:jo@acme.com"])
        assert.isTrue(unsubscribe.startsWith(`${publicUrl}/api/v1/public/unsubscribe/`))
        const texts = (html: string | null | undefined) => html?.replaceAll(/<[^<>]*>/gu, "")
        assert.strictEqual(texts(sent?.html), texts(body))
        assert.notInclude(sent?.text ?? "", path)
        assert.deepStrictEqual(
          yield* Effect.forEach(tokens(sent), (token) => Effect.map(findLink(token), ({ url }) => url)),
          [quote, faq]
        )
        // Agents see the message as it was written.
        const stored = (yield* acme.messagesOf(contactId)).find(({ actor }) => actor === "assistant")
        assert.include(stored?.htmlBody ?? "", anchor(quote, "Again"))
        assert.notInclude(stored?.htmlBody ?? "", path)
        const tenant = yield* (yield* Tenants).get("acme")
        const message = { channel: "email", body, subject: "Hello", replyAll: false } as const
        yield* sendMessage(tenant, contactId, message, null)
        yield* drainSends
        assert.deepStrictEqual(tokens(mail.outbox[1]), [])
      }).pipe(linked)
    )

    scene("are the same in every attempt to send an email", ({ mail }) =>
      Effect.gen(function* () {
        const { send } = yield* openTracked()
        mail.fates.push(unavailable("mail", "451 later"), unavailable("mail", "451 later"))
        yield* send()
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        assert.strictEqual(mail.outbox.length, 3)
        const unsigned = mail.outbox.map(({ unsubscribeUrl: _, ...same }) => same)
        assert.strictEqual(tokens(mail.outbox[0]).length, 2)
        assert.deepStrictEqual(unsigned[1], unsigned[0])
        assert.deepStrictEqual(unsigned[2], unsigned[0])
        // The time of the last attempt counts.
        yield* openLink(tokens(mail.outbox[2])[0])
        assert.strictEqual(yield* opens(tokens(mail.outbox[2])[0]), 0)
      }).pipe(linked)
    )

    scene("need the setting of the tenant, a public URL, and no opt-out of the contact", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, send } = yield* openTracked({ linkTracking: false, maxSequenceMessagesPerDay: 100 })
        const tracked = Effect.map(send(), () => tokens(mail.outbox.at(-1)).length)
        assert.strictEqual(yield* tracked, 0)
        yield* configure({ linkTracking: true })
        assert.strictEqual(yield* Effect.provideService(tracked, PublicUrl, null), 0)
        assert.strictEqual(yield* tracked, 2)
        const [consent] = yield* decide(contactId, true)
        assert.deepStrictEqual([consent?.status, consent?.tracking?.optedOut], ["unknown", true])
        assert.strictEqual(yield* tracked, 0)
        yield* decide(contactId, false)
        assert.strictEqual(yield* tracked, 2)
        assert.strictEqual((yield* readConsent("acme", contactId))[0]?.tracking?.history.length, 1)
        // The contact opts out between the reservation and the handover, and other contacts are not concerned.
        const { contactId: ann } = yield* createContact("acme", { email: "ann@customer.example" })
        yield* decide(ann, true)
        assert.strictEqual(yield* tracked, 2)
        mail.fates.push(unavailable("mail", "451 later"))
        yield* tracked
        yield* decide(contactId, true)
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        assert.deepStrictEqual(tokens(mail.outbox.at(-1)), [])
      }).pipe(linked)
    )

    scene("count openings after the handover, up to a limit, and report the first one", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol } = yield* openTracked()
        const enrolment = yield* enrol(fields(email("hello", now, { body })))
        yield* work
        const [token, other] = tokens(mail.outbox[0])
        // A program checks the links immediately.
        yield* openLink(token)
        yield* TestClock.adjust(linkScanMillis - 1)
        yield* openLink(token)
        assert.strictEqual(yield* opens(token), 0)
        assert.deepStrictEqual(yield* openedEvents, [])
        yield* TestClock.adjust(1)
        for (let count = 0; count < maxLinkOpens + 5; count++) yield* openLink(token)
        yield* TestClock.adjust("1 minute")
        yield* openLink(other)
        yield* TestClock.adjust("1 minute")
        yield* openLink(other)
        assert.strictEqual(yield* opens(token), maxLinkOpens)
        const { firstOpenedAt, lastOpenedAt } = yield* findLink(present(other))
        assert.strictEqual(present(lastOpenedAt) - present(firstOpenedAt), 60_000)
        const events = yield* openedEvents
        assert.deepStrictEqual(
          events.map(({ data }) => [data["contact_id"], data["enrolment_id"], data["step"], data["url"]]),
          [
            [contactId, enrolment.enrolmentId, "hello", quote],
            [contactId, enrolment.enrolmentId, "hello", faq]
          ]
        )
        const { results } = yield* readResults("acme", enrolment.sequenceId)
        assert.deepStrictEqual(results, [{ step: "hello", variant: null, sent: 1, answered: 0, opened: 1 }])
      }).pipe(linked)
    )

    scene("lead to their URL without a record after the tenant or the contact has withdrawn", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, send } = yield* openTracked()
        yield* send()
        const [token] = tokens(mail.outbox[0])
        yield* configure({ linkTracking: false })
        yield* openLink(token)
        yield* configure({ linkTracking: true })
        yield* decide(contactId, true)
        yield* openLink(token)
        assert.strictEqual(yield* opens(token), 0)
        yield* decide(contactId, false)
        yield* openLink(token)
        assert.strictEqual(yield* opens(token), 1)
      }).pipe(linked)
    )

    scene("exist in one tenant only, and a wrong token finds nothing", ({ mail }) =>
      Effect.gen(function* () {
        yield* inTenant("other").open({ linkTracking: true })
        const { send } = yield* openTracked()
        yield* send()
        const token = present(tokens(mail.outbox[0])[0])
        const [secret = ""] = token.split(".")
        const wrong = [
          "",
          secret,
          `${secret}.`,
          `${secret}.other`,
          `${secret}.nobody`,
          `${secret.slice(0, -1)}.acme`,
          `${secret.slice(0, -1)}-.acme`,
          `${secret}A.acme`,
          `${token}${"a".repeat(2_000)}`,
          `${"A".repeat(22)}.acme`,
          `${secret}.acme/../other`
        ]
        for (const each of wrong) assert.strictEqual((yield* Effect.flip(findLink(each)))._tag, "LinkNotFound", each)
        assert.isNull(yield* (yield* TrackedLinks).find("other", secret))
        assert.strictEqual((yield* findLink(token)).url, quote)
      }).pipe(linked)
    )

    scene("follow a merge, and are erased with their contact, whose opt-out stays", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, send } = yield* openTracked()
        yield* send()
        const [token, other] = tokens(mail.outbox[0])
        const { contactId: target } = yield* acme.handleMail({ id: "2@x.example", from: "Jo <jo@other.example>" })
        yield* mergeContacts("acme", target, contactId)
        yield* openLink(token)
        assert.deepStrictEqual(
          (yield* openedEvents).map(({ data }) => data["contact_id"]),
          [target]
        )
        assert.strictEqual((yield* findLink(present(other))).contactId, target)
        const consents = yield* readConsent("acme", target)
        const jo = present(consents.find(({ identity }) => identity.identity.value === "jo@customer.example"))
        const { identityId } = jo.identity
        const change = { identityId, optedOut: true, source: "person", proof: null } as const
        yield* recordTrackingConsent("acme", target, { ...change, recordedBy: "user:kim", isManager: false })
        // The email went to this address, which is no longer the main one of the contact.
        yield* openLink(other)
        assert.strictEqual(yield* opens(other), 0)
        yield* eraseContact({ tenantId: "acme", contactId: target, confirm: target, requestedBy: "admin" })
        for (const each of [token, other])
          assert.strictEqual((yield* Effect.flip(findLink(present(each))))._tag, "LinkNotFound")
        const { contactId: again } = yield* createContact("acme", { email: "jo@customer.example" })
        assert.strictEqual((yield* readConsent("acme", again))[0]?.tracking?.optedOut, true)
      }).pipe(linked)
    )

    scene("are kept for 400 days", ({ mail }) =>
      Effect.gen(function* () {
        const { send } = yield* openTracked()
        yield* send()
        const [token] = tokens(mail.outbox[0])
        yield* TestClock.adjust(automationRetentionDays * 86_400_000 - 2 * linkScanMillis)
        yield* expireAutomation()
        assert.strictEqual(yield* opens(token), 0)
        yield* TestClock.adjust("1 hour")
        const { expire } = yield* TrackedLinks
        assert.strictEqual(yield* expire("other", Number.MAX_SAFE_INTEGER, 10), 0)
        yield* expireAutomation()
        assert.strictEqual((yield* Effect.flip(findLink(present(token))))._tag, "LinkNotFound")
      }).pipe(linked)
    )

    scene("are limited to 100 per message, and later ones stay", ({ mail }) =>
      Effect.gen(function* () {
        const { send } = yield* openTracked()
        const many = Array.from({ length: 105 }, (_, index) => anchor(`https://shop.example/${index}`, `${index}`))
        yield* send(`<p>${many.join(" ")}</p>`)
        assert.strictEqual(tokens(mail.outbox[0]).length, 100)
        assert.include(hrefs(present(mail.outbox[0])), "https://shop.example/104")
      }).pipe(linked)
    )

    scene("belong to the message of their step", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* openTracked()
        const { sequenceId } = yield* enrol(fields(email("one", now, { body }), email("two", days(1), { body })))
        yield* work
        yield* workAt("2026-03-03T13:00:00Z")
        yield* TestClock.adjust(linkScanMillis)
        assert.strictEqual(mail.outbox.length, 2)
        yield* openLink(tokens(mail.outbox[1])[0])
        yield* openLink(tokens(mail.outbox[1])[1])
        const { results } = yield* readResults("acme", sequenceId)
        assert.deepStrictEqual(
          results.map(({ opened, step }) => [step, opened]),
          [
            ["one", 0],
            ["two", 1]
          ]
        )
      }).pipe(linked)
    )
  })
}
