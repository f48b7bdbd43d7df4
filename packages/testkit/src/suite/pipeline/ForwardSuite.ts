import { assert, describe } from "@effect/vitest"
import type { MessageId } from "@leadloom/core/internal/domain/Id"
import { maxForwardsPerContact } from "@leadloom/core/internal/domain/rule/action/Forward"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { forwardKey } from "@leadloom/core/internal/domain/sending/Reservation"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { Objects, ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import { StoreUnavailable, Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { runForward } from "@leadloom/core/internal/workflow/action/RunForward"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { recordConsentChange } from "@leadloom/core/internal/workflow/sending/RecordConsentChange"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drain, drainJobs, drainSends, type MailText, present, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { everything, setRules } from "./TriggerWorld.ts"

const expert = "claims@insurer.example"

const forward = { type: "forward", to: ["Claims@Insurer.example"], body: "For you, from {{ contact.name }}:" } as const

const rule = (...actions: readonly [Action, ...ReadonlyArray<Action>]): Rule => ({
  id: "pass",
  name: "Pass on",
  priority: 1,
  when: everything,
  actions
})

const open = Effect.fnUntraced(function* (...rules: ReadonlyArray<Rule>) {
  yield* acme.open({ rules, replyMode: "off" })
  yield* acme.connectMail()
})

/** Receives a mail, and does all work of its run. Returns the run afterwards. */
const handle = Effect.fnUntraced(function* (mail: MailText = {}) {
  // A mail with an equal content would be a copy.
  const accepted = yield* acme.handleMail({ body: mail.id ?? "What would a new roof cost?", ...mail })
  yield* drainJobs
  yield* drainSends
  return { ...accepted, run: yield* acme.runOf(accepted.signalId) }
})

const outcomes = ({ actions }: { readonly actions: ReadonlyArray<{ outcome: string; reason: string }> }) =>
  actions.map(({ outcome, reason }) => `${outcome}: ${reason}`)

/** Receives a mail, and returns the outcomes of the actions of its run. */
const outcomesOf = (mail: MailText = {}) => Effect.map(handle(mail), ({ run }) => outcomes(run))

/** Attaches stored text files to a message. */
const attachFiles = Effect.fnUntraced(function* (messageId: MessageId, ...names: ReadonlyArray<string>) {
  const { put } = yield* Objects
  const messages = yield* Messages
  const { raw } = yield* acme.messageOf(messageId)
  for (const name of names) yield* put("acme", `file-${name}`, new TextEncoder().encode(name))
  const attachments = names.map((name) => ({
    filename: `${name}.txt`,
    contentType: "text/plain",
    size: name.length,
    contentId: null,
    inline: false,
    objectKey: `file-${name}`
  }))
  yield* (yield* Transactions).atomically("acme", messages.setContent("acme", messageId, present(raw), attachments))
})

/** Runs the waiting job again and again. An attempt can fail at the nth file or unit of work that it stores. */
const makeAttempts = Effect.gen(function* () {
  const [jobs, objects, transactions] = [yield* Jobs, yield* Objects, yield* Transactions]
  const puts: Array<string> = []
  const attempt = Effect.fnUntraced(function* (failing: { readonly put?: number; readonly unit?: number }) {
    const now = yield* Clock.currentTimeMillis
    const { job, ...state } = present((yield* jobs.claim(1, now, now))[0])
    if (job.kind !== "forward") return assert.fail("another job")
    let [files, units] = [0, 0]
    const put: typeof objects.put = (tenantId, key, bytes) => {
      if (++files === failing.put) return Effect.fail(new ObjectsUnavailable({ reason: "no disk" }))
      puts.push(key)
      return objects.put(tenantId, key, bytes)
    }
    const atomically: typeof transactions.atomically = (tenantId, unit) =>
      ++units === failing.unit
        ? Effect.fail(new StoreUnavailable({ reason: "no database" }))
        : transactions.atomically(tenantId, unit)
    return yield* runForward({ ...state, job }).pipe(
      Effect.provideService(Objects, Objects.of({ ...objects, put })),
      Effect.provideService(Transactions, Transactions.of({ ...transactions, atomically }))
    )
  })
  return { attempt, puts }
})

/** Tests the forwarding of emails by rules, on a store. */
export const forwardSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`an email that a rule forwards on ${name}`, () => {
    scene("leaves once, marked as automatic, in a thread and conversation of its recipient", ({ mail }) =>
      Effect.gen(function* () {
        yield* open(rule({ type: "tag", tag: "seen" }, forward))
        const { contactId, leadId, messageId, run, signalId, threadId } = yield* handle()
        const [left, ...more] = mail.outbox
        assert.deepStrictEqual(more, [])
        const { automatic, autoSubmitted, from, inReplyTo, references, subject, text, to } = present(left)
        assert.deepStrictEqual(
          { automatic, autoSubmitted, from: from.email, inReplyTo, references, subject, to },
          {
            automatic: true,
            autoSubmitted: "auto-generated",
            from: "office@acme.com",
            inReplyTo: null,
            references: [],
            subject: "Fwd: A roof",
            to: [{ email: expert, name: null }]
          }
        )
        const original = "---------- Forwarded message ----------\nFrom: jo@customer.example"
        assert.include(text, `For you, from Jo Smith:\n\n${original}`)
        assert.include(text, "What would a new roof cost?")
        const send = present(yield* (yield* Sends).findByKey("acme", forwardKey(present(signalId), 1)))
        assert.deepStrictEqual(outcomes(run), ["done: tag seen", `done: forwarded with ${send.messageId}`])
        const sent = yield* acme.messageOf(send.messageId)
        assert.deepInclude(sent, { actor: "system", delivery: "sent", leadId: null })
        assert.notStrictEqual(sent.contactId, contactId)
        assert.notStrictEqual(sent.threadId, threadId)
        // Jo still waits for an answer.
        assert.isNotNull((yield* (yield* Conversations).get("acme", contactId)).waitingSince)
        // The answer of the recipient belongs to the recipient.
        yield* setRules()
        const answered = yield* handle({
          id: "answer@insurer.example",
          from: expert,
          inReplyTo: present(left).internetMessageId,
          body: "We pay."
        })
        assert.strictEqual(answered.contactId, sent.contactId)
        assert.notStrictEqual(answered.leadId, leadId)
        assert.deepStrictEqual(
          (yield* acme.messagesOf(contactId)).map((message) => message.messageId),
          [messageId]
        )
      })
    )

    scene("is sent once if its job runs again or twice at the same time", ({ mail }) =>
      Effect.gen(function* () {
        yield* open(rule(forward))
        const { signalId } = yield* acme.handleMail()
        const jobs = yield* Jobs
        const now = yield* Clock.currentTimeMillis
        const [first] = yield* jobs.claim(1, now, now)
        const [second] = yield* jobs.claim(1, now, now)
        const of = (queued: typeof first) => {
          const { job, ...state } = present(queued)
          return job.kind === "forward" ? runForward({ ...state, job }) : Effect.die("another job")
        }
        // The lease of the first worker has expired, and the second one runs the job too.
        yield* Effect.all([of(first), of(second)], { concurrency: 2 })
        yield* of(second)
        yield* drainSends
        assert.strictEqual(mail.outbox.length, 1)
        assert.match(outcomes(yield* acme.runOf(signalId))[0] ?? "", /^done: forwarded with msg_/u)
        assert.strictEqual(yield* jobs.backlog, 0)
      })
    )

    scene("uses the copies and the count of an earlier attempt", ({ mail }) =>
      Effect.gen(function* () {
        yield* open(rule(forward))
        const { contactId, messageId } = yield* acme.handleMail()
        yield* attachFiles(messageId, "one", "two")
        const { attempt, puts } = yield* makeAttempts
        // The second file cannot be stored. Then the database fails after the count.
        const first = yield* attempt({ put: 2 })
        assert.strictEqual(first._tag, "Again")
        const second = yield* Effect.flip(attempt({ unit: 2 }))
        assert.strictEqual(second._tag, "StoreUnavailable")
        const third = yield* attempt({})
        assert.strictEqual(third._tag, "Done")
        assert.deepStrictEqual([puts.length, new Set(puts).size], [2, 2])
        yield* drainSends
        const [files = []] = mail.files
        assert.deepStrictEqual(
          files.map((file) => new TextDecoder().decode(file)),
          ["one", "two"]
        )
        const limit = { limit: maxForwardsPerContact, windowMillis: 24 * 3_600_000 }
        const { consume } = yield* RateLimits
        const now = yield* Clock.currentTimeMillis
        let left = 0
        while ((yield* consume("acme", `forward:${contactId}`, limit, now)).allowed) left += 1
        assert.strictEqual(left, maxForwardsPerContact - 1)
      })
    )

    scene("is refused with its reason for loops, and mail that nobody wrote", ({ mail }) =>
      Effect.gen(function* () {
        yield* open()
        const refusal = Effect.fnUntraced(function* (to: string, mailText: MailText = {}) {
          yield* setRules(rule({ type: "forward", to: [expert, to] }))
          return (yield* outcomesOf({ id: `${to}${mailText.subject ?? ""}`, ...mailText })).join()
        })
        const own = "skipped: the address is one of the tenant's own addresses"
        assert.strictEqual(yield* refusal("sales+roofs@acme.com"), own)
        assert.strictEqual(yield* refusal("anyone@acme.com"), own)
        const contact = "skipped: a recipient is the sender of the email or an address of the contact"
        assert.strictEqual(yield* refusal("JO@customer.example"), contact)
        assert.strictEqual(
          yield* refusal("jo.private@home.example", { more: ["Reply-To: jo.private@home.example"] }),
          contact
        )
        const automatic = { id: "news@list.example", more: ["List-Id: <news.list.example>"] }
        assert.strictEqual(
          yield* refusal("al@b.example", automatic),
          "skipped: automatic mail (list) is never forwarded by a rule"
        )
        // A notification of a program that asks for no replies is forwarded.
        const shop = { id: "order@shop.example", from: "no-reply@shop.example", subject: "Order 1" }
        assert.match(yield* refusal("al@b.example", shop), /^done: forwarded with/u)
        assert.strictEqual(mail.outbox.length, 1)
      })
    )

    scene("is refused if a recipient has opted out, also after the email was reserved", ({ mail }) =>
      Effect.gen(function* () {
        yield* open(rule(forward))
        yield* acme.handleMail()
        yield* drainJobs
        const change = { optedOut: true, source: "unsubscribe", at: yield* Clock.currentTimeMillis } as const
        const optOut = { tenantId: "acme", contactId: null, phone: expert, ownPhone: "", consentChange: change }
        yield* (yield* Transactions).atomically("acme", recordConsentChange(optOut))
        yield* drainSends
        assert.deepStrictEqual(yield* outcomesOf({ id: "two@customer.example" }), [
          "skipped: the contact has opted out"
        ])
        assert.deepStrictEqual(mail.outbox, [])
      })
    )

    scene("is refused without an account, on other channels, and beyond the limits", ({ mail }) =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [rule(forward)], replyMode: "off" })
        assert.deepStrictEqual(yield* outcomesOf(), ["skipped: no connected email account can send"])
        const { result } = yield* acme.handleRequest()
        assert.deepStrictEqual(outcomes(result), ["skipped: only an email can be forwarded"])
        yield* acme.connectMail()
        const { contactId } = yield* handle({ id: "one@customer.example" })
        const now = yield* Clock.currentTimeMillis
        const limit = { limit: maxForwardsPerContact, windowMillis: 24 * 3_600_000 }
        const { consume } = yield* RateLimits
        while ((yield* consume("acme", `forward:${contactId}`, limit, now)).allowed);
        assert.deepStrictEqual(yield* outcomesOf({ id: "three@customer.example" }), [
          "skipped: 20 emails of the contact were forwarded within 24 hours"
        ])
        // Other contacts have their own limit.
        const other = { id: "al@b.example", from: "al@b.example" }
        assert.match((yield* outcomesOf(other)).join(), /^done: forwarded/u)
        assert.strictEqual(mail.outbox.length, 2)
      })
    )

    scene("waits for the quiet hours of the guardrails", ({ mail }) =>
      Effect.gen(function* () {
        const quiet = { id: "night", kind: "quiet_hours", from: "08:00", to: "12:00" } as const
        yield* acme.open({ rules: [rule(forward)], replyMode: "off", guardrails: [quiet], timeZone: "UTC" })
        yield* acme.connectMail()
        const { signalId } = yield* handle()
        assert.deepStrictEqual(mail.outbox, [])
        assert.deepStrictEqual(outcomes(yield* acme.runOf(signalId)), ["done: queued: the email is being forwarded"])
        yield* TestClock.adjust("3 hours")
        yield* drainJobs
        yield* drainSends
        assert.strictEqual(mail.outbox.length, 1)
      })
    )

    scene("replaces no draft and no answer of its recipient", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [rule({ type: "reply", template: "Thank you." })], replyMode: "draft" })
        yield* acme.connectMail()
        const waiting = yield* acme.handleMail({ id: "question@insurer.example", from: expert })
        yield* setRules(rule(forward))
        yield* handle()
        assert.isNotNull(yield* (yield* Drafts).pending("acme", waiting.contactId))
        assert.isNotNull((yield* (yield* Conversations).get("acme", waiting.contactId)).waitingSince)
      })
    )

    scene("is listed and not sent in a dry run", ({ mail }) =>
      Effect.gen(function* () {
        yield* open(rule(forward))
        const tenant = yield* (yield* Tenants).get("acme")
        const { wanted } = yield* dryRun({ tenant, request: { ...request, channel: "email" } })
        assert.deepStrictEqual(
          wanted.map(({ action }) => action),
          [forward]
        )
        yield* Effect.all([drain, drainJobs])
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
        assert.deepStrictEqual(mail.outbox, [])
      })
    )

    scene("is rejected twice in a rule, to no address, in macros, and in rules without a message", () =>
      Effect.gen(function* () {
        yield* open()
        const pathsOf = (...rules: ReadonlyArray<Rule>) =>
          Effect.map(Effect.flip(setRules(...rules)), (error) =>
            error._tag === "ConfigInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
          )
        assert.deepStrictEqual(yield* pathsOf(rule(forward, forward)), ["rules.0.actions.1.type"])
        const to = ["Jo <jo@x.example>", "nobody", "a@b.example", "A@b.example"] as const
        assert.deepStrictEqual(yield* pathsOf(rule({ type: "forward", to })), [
          "rules.0.actions.0.to.1",
          "rules.0.actions.0.to.3"
        ])
        assert.deepStrictEqual(yield* pathsOf(rule({ ...forward, body: "{% if %}" })), ["rules.0.actions.0.body"])
        const manual: Rule = { ...rule(forward), trigger: { type: "manual" } }
        assert.deepStrictEqual(yield* pathsOf(manual), ["rules.0.actions.0.type"])
        const macro = yield* Effect.flip(createMacro("acme", { name: "Pass on", actions: [forward] }))
        assert.strictEqual(macro._tag, "MacroInvalid")
      })
    )
  })
}
