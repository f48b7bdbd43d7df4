import { assert, describe } from "@effect/vitest"
import { AccountLimit } from "@leadloom/core/internal/domain/email/Accounts"
import type { SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { setDefaultAccount } from "@leadloom/core/internal/workflow/mailbox/Accounts"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { disconnect } from "@leadloom/core/internal/workflow/mailbox/Disconnect"
import { activateGrant, expireGrant } from "@leadloom/core/internal/workflow/mailbox/ExpireGrant"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { workDueScheduled } from "@leadloom/core/internal/workflow/schedule/ReleaseScheduled"
import { scheduleEmail, scheduleMessage } from "@leadloom/core/internal/workflow/schedule/ScheduleMessage"
import { readScheduled } from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import { resumeEnrolment } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { Clock, type Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drain, drainSends, letter, present, rawMail, type Scene, scenesOn, thanks } from "../Scene.ts"
import { days, email, fields, now, open, outcomes, read, work } from "../sequence/SequenceWorld.ts"
import type { Doubles } from "../Doubles.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const greeting: Rule = { ...thanks, actions: [{ type: "reply", template: "Thank you." }] }

const first = "office@acme.com"
const second = "support@acme.com"

/** Connects another account of the tenant. */
const connectSecond = connectEmail("acme", { provider: "smtp", providerGrantId: null, email: second, name: null })

/** Returns the connected account with this address. */
const accountAt = (address: string) =>
  Effect.flatMap(Grants, ({ list }) =>
    Effect.map(list("acme"), (all) => present(all.find((one) => one.email === address)))
  )

const expire = (address: string) =>
  Effect.flatMap(accountAt(address), (grant) => expireGrant(grant, "the password was changed"))

const signInAgain = (address: string) => Effect.flatMap(accountAt(address), activateGrant)

const remove = (address: string) => Effect.flatMap(accountAt(address), ({ grantId }) => disconnect("acme", grantId))

const tenant = Effect.flatMap(Tenants, ({ get }) => get("acme"))

const senders = ({ mail }: Doubles) => mail.outbox.map(({ from }) => from.email)

const titles = (contactId: string | null) => Effect.map(acme.tasksOf(contactId), (all) => all.map(({ title }) => title))

/** Receives a new mail of Jo. With an envelope, the account of its recipient receives it. Without one, no account does. */
const receive = Effect.fnUntraced(function* (number: number, isImported = false) {
  yield* TestClock.adjust("1 minute")
  const to = isImported ? "former@acme.com" : "sales@acme.com"
  const raw = rawMail({ id: `<${number}@customer.example>`, to, body: `Question ${number} about a roof` })
  const envelope = { sender: "jo@customer.example", recipients: ["sales@acme.com"] }
  const arrival = { tenant: yield* tenant, raw, source: "smtp", historical: false } as const
  const { contactId } = yield* ingestEmail(isImported ? arrival : { ...arrival, envelope })
  yield* drain
  return present(contactId)
})

/** Schedules an email to Jo in one hour: an answer to the newest email, or a new email. */
const schedule = Effect.fnUntraced(function* (contactId: ContactId, kind: "answer" | "new") {
  const at = new Date((yield* Clock.currentTimeMillis) + 3_600_000).toISOString()
  const time = { time: { text: at, zone: null }, undoSeconds: 0, cancelOnReply: false } as const
  const timing = { tenant: yield* tenant, schedule: time, createdBy: "user:kim", idempotencyKey: null }
  const message = { channel: "email", body: letter.body, replyAll: false } as const
  const { scheduled } =
    kind === "answer"
      ? yield* scheduleMessage({ ...timing, contactId, message })
      : yield* scheduleEmail({ ...timing, request: letter })
  return readScheduled("acme", scheduled.messageId)
})

/** Lets an hour pass, and sends what is due. */
const release = Effect.gen(function* () {
  yield* TestClock.adjust("1 hour")
  yield* workDueScheduled()
  yield* drainSends
})

/** A tenant with two accounts: the default account with the alias `sales`, and another one. */
const openTwo = Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}) {
  yield* acme.open({ timeZone: "UTC", ...config })
  yield* acme.connectMail()
  yield* connectSecond
})

/** A tenant with one account. */
const openOne = Effect.fnUntraced(function* () {
  yield* acme.open({ timeZone: "UTC" })
  yield* acme.connectMail()
})

const several = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, AccountLimit, 2)

/** Adds the tests of scheduled messages. */
const scheduledMessages = (scene: Scene): void => {
  for (const [problem, stop] of [
    ["has expired", expire],
    ["that received this email is disconnected", remove]
  ] as const)
    scene(`fails a scheduled answer with a task if its account ${problem}`, (doubles) =>
      several(
        Effect.gen(function* () {
          yield* openTwo()
          const contactId = yield* receive(1)
          const scheduled = yield* schedule(contactId, "answer")
          yield* stop(first)
          yield* release
          const { reason, state } = yield* scheduled
          assert.deepStrictEqual([state, senders(doubles)], ["failed", []])
          assert.include(reason, problem)
          assert.include(reason, "Connect it again, or state another sender in `from`.")
          assert.include((yield* titles(contactId)).at(-1), "A scheduled message could not be sent: The account")
        })
      )
    )

  for (const kind of ["answer", "new"] as const)
    scene(`keeps the sender of a scheduled email when the default account changes or goes (${kind})`, (doubles) =>
      several(
        Effect.gen(function* () {
          yield* openTwo()
          // No account received this mail or is among its recipients, so the default account answers it.
          const contactId = yield* receive(1, true)
          const kept = yield* schedule(contactId, kind)
          yield* setDefaultAccount("acme", (yield* accountAt(second)).grantId)
          yield* release
          assert.deepStrictEqual([(yield* kept).state, senders(doubles)], ["sent", [first]])
          const lost = yield* schedule(contactId, "new")
          yield* remove(second)
          yield* release
          const { reason, state } = yield* lost
          assert.deepStrictEqual([state, senders(doubles)], ["failed", [first]])
          assert.include(reason, "This address cannot send mail for the tenant")
        })
      )
    )

  scene("lets a scheduled message of a tenant with one account wait until its owner signs in again", (doubles) =>
    Effect.gen(function* () {
      yield* openOne()
      const contactId = yield* receive(1)
      const scheduled = yield* schedule(contactId, "answer")
      yield* expire(first)
      yield* release
      assert.deepStrictEqual([(yield* scheduled).state, senders(doubles)], ["sent", []])
      assert.strictEqual((yield* acme.messagesOf(contactId)).at(-1)?.delivery, "queued")
      yield* signInAgain(first)
      yield* release
      yield* release
      assert.deepStrictEqual(senders(doubles), ["sales@acme.com"])
    })
  )

  scene("fails a waiting message after a day, with a task", (doubles) =>
    Effect.gen(function* () {
      yield* openOne()
      const contactId = yield* receive(1)
      yield* schedule(contactId, "answer")
      yield* expire(first)
      yield* Effect.repeat(release, { times: 30 })
      assert.deepStrictEqual([(yield* acme.messagesOf(contactId)).at(-1)?.delivery, senders(doubles)], ["failed", []])
      assert.include((yield* titles(contactId)).at(-1), "An email could not be sent")
    })
  )
}

/** Adds the tests of automatic replies. */
const automaticReplies = (scene: Scene): void => {
  for (const limit of [1, 2])
    scene(`keeps an automatic reply as a draft while its account has expired, with a limit of ${limit}`, (doubles) =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [greeting], replyMode: "auto" })
        yield* acme.connectMail()
        if (limit > 1) yield* connectSecond
        yield* expire(first)
        const { contactId, run, step } = yield* acme.handleMail()
        assert.deepStrictEqual([run?.reply?.requiresApproval, senders(doubles)], [true, []])
        assert.include(step, "no connected email account can send")
        const draft = present(yield* acme.draftOf(contactId))
        yield* signInAgain(first)
        const approval = { draftId: draft.draftId, contentHash: null, headMessageId: null, body: draft.text }
        yield* approveDraft(yield* tenant, contactId, approval)
        assert.deepStrictEqual(senders(doubles), ["sales@acme.com"])
      }).pipe(Effect.provideService(AccountLimit, limit))
    )

  scene("fails a queued reply whose account is disconnected, with a task", (doubles) =>
    several(
      Effect.gen(function* () {
        yield* openTwo({ rules: [greeting], replyMode: "auto" })
        yield* TestClock.adjust("1 minute")
        const { contactId } = yield* acme.receiveMail()
        yield* workDueSignals()
        yield* remove(first)
        yield* drainSends
        const reply = present((yield* acme.messagesOf(present(contactId))).at(-1))
        assert.deepStrictEqual([reply.actor, reply.delivery, senders(doubles)], ["assistant", "failed", []])
        assert.include((yield* titles(contactId)).at(-1), "An email could not be sent")
      })
    )
  )

  scene("lets a queued reply wait for its account", (doubles) =>
    several(
      Effect.gen(function* () {
        yield* openTwo({ rules: [greeting], replyMode: "auto" })
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail()
        yield* workDueSignals()
        yield* expire(first)
        yield* drainSends
        assert.deepStrictEqual(senders(doubles), [])
        yield* signInAgain(first)
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        assert.deepStrictEqual(senders(doubles), ["sales@acme.com"])
      })
    )
  )
}

/** Moves the clock, and runs the steps that are due. */
const pass = (time: Duration.Input) => Effect.andThen(TestClock.adjust(time), work)

/** Adds the tests of sequences. */
const sequenceSteps = (scene: Scene): void => {
  for (const limit of [1, 2])
    scene(`delays the step of a sequence until its account is available, with a limit of ${limit}`, (doubles) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("second", days(1))))
        yield* expire(first)
        yield* work
        const waiting = yield* read(enrolment)
        assert.deepStrictEqual([outcomes(waiting), waiting.state], [["hello delayed"], "active"])
        assert.strictEqual(waiting.history[0]?.reason, "the email account office@acme.com is expired")
        yield* pass("1 hour")
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello delayed"])
        yield* signInAgain(first)
        yield* pass("1 hour")
        const after = yield* read(enrolment)
        assert.deepStrictEqual([outcomes(after), senders(doubles)], [["hello delayed", "hello sent"], [first]])
        assert.strictEqual(after.nextAt, (yield* Clock.currentTimeMillis) + 86_400_000)
      }).pipe(Effect.provideService(AccountLimit, limit))
    )

  scene("pauses an enrolment whose account was unavailable for a week, and continues it on request", (doubles) =>
    Effect.gen(function* () {
      const { enrol } = yield* open({}, "UTC")
      const enrolment = yield* enrol(fields(email("hello", now)))
      yield* remove(first)
      yield* work
      yield* pass("6 days")
      yield* pass("23 hours")
      const state = Effect.map(read(enrolment), (found) => [
        found.state,
        found.pauseReason,
        found.step,
        ...outcomes(found)
      ])
      assert.deepStrictEqual(yield* state, ["active", null, "hello", "hello delayed"])
      yield* pass("1 hour")
      assert.deepStrictEqual(yield* state, ["paused", "account_unavailable", "hello", "hello delayed"])
      assert.strictEqual(
        (yield* read(enrolment)).history[0]?.reason,
        "paused, because for a week no email account is connected"
      )
      // Its continuation begins a new wait.
      yield* resumeEnrolment("acme", enrolment.enrolmentId)
      yield* work
      assert.deepStrictEqual(yield* state, ["active", null, "hello", "hello delayed"])
      yield* acme.connectMail()
      yield* pass("1 hour")
      assert.deepStrictEqual(senders(doubles), [first])
    })
  )

  scene("sends all emails of an enrolment from the account of the first one", (doubles) =>
    several(
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        yield* connectSecond
        const { grantId } = yield* accountAt(second)
        const enrolment = yield* enrol(fields(email("hello", now), email("second", days(1)), email("third", days(1))))
        yield* work
        yield* setDefaultAccount("acme", grantId)
        yield* pass("1 day")
        assert.deepStrictEqual(senders(doubles), [first, first])
        yield* remove(first)
        yield* pass("1 day")
        const { history, state } = yield* read(enrolment)
        assert.deepStrictEqual([state, senders(doubles)], ["active", [first, first]])
        assert.strictEqual(history.at(-1)?.reason, "the email account office@acme.com is disconnected")
        // An enrolment that begins now uses the present default account.
        yield* connectEmail("acme", { provider: "smtp", providerGrantId: null, email: first, name: null })
        yield* pass("1 hour")
        assert.deepStrictEqual(senders(doubles), [first, first, first])
      })
    )
  )

  scene("runs other steps while the account of the emails is unavailable", (doubles) =>
    Effect.gen(function* () {
      const { enrol } = yield* open({}, "UTC")
      const call: SequenceStep = { name: "call", kind: "task", title: "Call", delay: now }
      const enrolment = yield* enrol(fields(call, email("hello", now)))
      yield* expire(first)
      yield* work
      yield* work
      assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["call task_created", "hello delayed"])
      assert.deepStrictEqual(senders(doubles), [])
    })
  )
}

/** Tests messages whose email account has expired or is disconnected, on a store. */
export const unavailableAccountSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`an unavailable email account on ${name}`, () => {
    scheduledMessages(scene)
    automaticReplies(scene)
    sequenceSteps(scene)
  })
}
