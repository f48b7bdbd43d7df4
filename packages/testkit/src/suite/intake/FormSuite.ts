import { assert, describe } from "@effect/vitest"
import { doubleSubmitMillis, type Visitor } from "@leadloom/core/internal/workflow/intake/SubmitForm"
import type { FormFields } from "@leadloom/core/internal/workflow/intake/Submission"
import { closedForm, type PublicForm } from "@leadloom/core/internal/domain/tenant/PublicForm"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn, start, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const open = (form: Partial<PublicForm> = {}) =>
  Effect.gen(function* () {
    const publicForm = { ...closedForm, enabled: true, ...form }
    const tenant = yield* acme.open({ rules: [thanks], replyMode: "draft", publicForm })
    yield* acme.connectMail()
    return tenant
  })

const visitor: Visitor = { address: "203.0.113.7", userAgent: "a browser", idempotencyKey: null }
const jo = { name: "Somebody", email: "jo@customer.example", message: "And what of the roof?" }

const holderOf = (kind: "email" | "phone", value: string) =>
  Effect.gen(function* () {
    const [holder] = yield* (yield* Contacts).holders("acme", [{ kind, value }])
    return holder?.contact ?? null
  })

const joHerself = Effect.map(holderOf("email", jo.email), (contact) => contact ?? assert.fail("nobody"))

/** Returns the messages to and from a contact, newest first. */
const saidTo = (contactId: string) =>
  Effect.gen(function* () {
    return yield* (yield* Messages).before("acme", contactId, null, 20)
  })

const outcomes = Effect.gen(function* () {
  const counts = yield* acme.arrivals
  return Object.fromEntries(counts.map(({ count, outcome }) => [outcome, count]))
})

const why = (fields: FormFields, of: Visitor = visitor) =>
  Effect.map(Effect.flip(acme.receiveForm(fields, of)), ({ _tag }) => _tag)

/** Tests public forms on a store. */
export const formSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`public forms on ${name}`, () => {
    scene("a submission under a known address stays separate from that contact's replies and drafts", () =>
      Effect.gen(function* () {
        yield* open()
        yield* acme.receiveMail()
        yield* workDueSignals()
        const known = yield* joHerself
        const drafts = yield* Drafts
        const draft = yield* drafts.pending("acme", known.contactId)
        assert.isNotNull(draft)
        yield* acme.receiveForm({ ...jo, phone: "+12025550199", company: "Evil Ltd" }, visitor)
        yield* workDueSignals()
        assert.deepStrictEqual(yield* joHerself, known)
        assert.isNull(yield* holderOf("phone", "+12025550199"))
        assert.deepStrictEqual((yield* saidTo(known.contactId))[0]?.flags, ["sender_unverified"])
        // The submission gets no reply, and the pending draft stays.
        assert.deepStrictEqual(yield* drafts.pending("acme", known.contactId), draft)
      })
    )
    scene("an unknown sender becomes a contact, and its first message gets a reply like any other", () =>
      Effect.gen(function* () {
        yield* open()
        yield* acme.receiveForm({ ...jo, phone: "(202) 555-0199", consent: "on", consent_text: "Yes." }, visitor)
        yield* workDueSignals()
        const contact = yield* joHerself
        assert.deepStrictEqual(yield* holderOf("phone", "+12025550199"), contact)
        assert.strictEqual(contact.name, "Somebody")
        const [message] = yield* saidTo(contact.contactId)
        assert.deepStrictEqual(message?.flags, [])
        const consent: unknown = message?.metadata["consent"]
        assert.deepInclude(consent, { given: true, text: "Yes.", at: new Date(start).toISOString() })
        assert.match(JSON.stringify(consent), /"address_hash":"[0-9a-f]{40}"/u)
        assert.notInclude(JSON.stringify(message), "203.0.113.7")
        assert.isNotNull(yield* acme.draftOf(contact.contactId))
      })
    )
    scene("a second click changes nothing, even across two time spans", () =>
      Effect.gen(function* () {
        yield* open()
        yield* TestClock.setTime(start + doubleSubmitMillis - 1)
        const click = acme.receiveForm(jo, visitor)
        yield* Effect.all([click, click, click], { concurrency: "unbounded" })
        yield* TestClock.adjust("1 second")
        yield* click
        assert.deepStrictEqual(yield* outcomes, { duplicate_of: 3, message: 1 })
        yield* TestClock.adjust("11 minutes")
        yield* click
        assert.deepStrictEqual(yield* outcomes, { duplicate_of: 3, message: 2 })
      })
    )
    scene("a program that fills in hidden fields is counted, without any other effect", () =>
      Effect.gen(function* () {
        yield* open()
        yield* acme.receiveForm({ ...jo, [closedForm.honeypot]: "x" }, visitor)
        assert.deepStrictEqual(yield* outcomes, { quarantined: 1 })
        assert.isNull(yield* holderOf("email", jo.email))
      })
    )
    scene("a proof of a human counts once, and an invalid one never", () =>
      Effect.gen(function* () {
        yield* open({ verification: "turnstile" })
        const token = { "cf-turnstile-response": "a token" }
        assert.strictEqual(yield* why(jo), "HumanCheckFailed")
        assert.strictEqual(yield* why({ ...jo, proof: "nonsense" }), "HumanCheckFailed")
        assert.strictEqual(yield* why({ ...token, message: "Hello" }), "FormInvalid")
        yield* acme.receiveForm({ ...jo, ...token }, visitor)
        yield* acme.receiveForm({ ...jo, ...token }, visitor)
        const more = { ...jo, message: "One more" }
        assert.strictEqual(yield* why({ ...more, ...token }), "HumanCheckFailed")
        assert.deepStrictEqual(yield* outcomes, { duplicate_of: 1, message: 1 })
        yield* acme.receiveForm({ ...more, proof: "another token" }, visitor)
        assert.deepStrictEqual(yield* outcomes, { duplicate_of: 1, message: 2 })
      })
    )
  })
}
