import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { TaskId } from "../../domain/Id.ts"
import { type Enrolment, nextStep, sequenceKey, withEntry } from "../../domain/sequence/Enrolment.ts"
import { contactClock, dayOf, nextDay, permittedAt, type StepHours } from "../../domain/sequence/PlanStep.ts"
import type { SendStep, SequenceStep } from "../../domain/sequence/Sequence.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { hourMillis, maxSendsPerHour } from "../../domain/sending/SendLimit.ts"
import { plainComposition } from "../../domain/sending/Composition.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { admitComposition } from "../conversation/AdmitComposition.ts"
import { type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { addTask } from "../task/OpenTask.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { onDefect } from "../worker/OnDefect.ts"
import { log } from "../LogEvents.ts"
import { withSpan } from "../WithSpan.ts"
import { saveEnrolment, stillDue, stopped } from "./Enrolments.ts"
import {
  accountLookMillis,
  chooseStepSender,
  describeAccount,
  maxAccountWaitMillis,
  noAccount,
  type NoAccount
} from "./ChooseAccount.ts"
import { countMessage, holdEnrolment, pauseOnExcess } from "./PauseSequence.ts"
import { afterStep, followedVersion, plainEntry, plannedAt, stepHours } from "./PlanEnrolment.ts"
import { recordStepDefect } from "./RecordStepDefect.ts"
import { type RenderedStep, renderStep } from "./RenderStep.ts"
import { type DueStep, stopOf } from "./StopCheck.ts"

/** A step that is due, with its tenant and its hours. */
interface Due extends DueStep {
  readonly tenant: Tenant
  readonly hours: StepHours
}

/** Reads everything about the next step of an enrolment. Null if its tenant is archived or its contact is gone. */
const readDue = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const { contactId, sequenceId, tenantId } = enrolment
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const contact = yield* resolveMergedContact(tenantId, contactId)
  const sequence = yield* (yield* Sequences)
    .get(tenantId, sequenceId)
    .pipe(Effect.catchTag("SequenceNotFound", () => Effect.succeed(null)))
  if (tenant === null || contact === null || sequence === null) return null
  const followed = yield* followedVersion(sequence, enrolment)
  const step = nextStep(followed.steps, enrolment.history)
  const hours = yield* stepHours(tenant, contact)
  const due: Due = { tenant, contact, sequence, enrolment, followed, step, hours }
  return due
})

/** A message that was rendered before the unit of work, and the facts from which it was rendered. */
interface PreparedMessage {
  readonly step: SendStep
  readonly contact: Contact
  /** A text is the reason why there is no message. */
  readonly message: string | { readonly rendered: RenderedStep; readonly body: RenderedBody }
}

const userOf = Effect.fnUntraced(function* ({ enrolledByUser, tenantId }: Enrolment) {
  if (enrolledByUser === null) return null
  const users = yield* Users
  return yield* users.get(tenantId, enrolledByUser).pipe(Effect.catchTag("UserNotFound", () => Effect.succeed(null)))
})

/** Renders the message of the next step. Null if the step sends none. */
const prepare = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const due = yield* readDue(enrolment)
  if (due === null || due.step?.kind !== "send") return null
  const { contact, step, tenant } = due
  const now = yield* Clock.currentTimeMillis
  const rendered = yield* renderStep({ tenant, contact, user: yield* userOf(enrolment) }, step, now)
  const message =
    typeof rendered === "string" ? rendered : { rendered, body: yield* renderLongBody(tenant.tenantId, rendered.body) }
  return { step, contact, message } satisfies PreparedMessage as PreparedMessage
})

const textValues = ({ company, contactId, email, name, phone }: Contact) =>
  JSON.stringify([contactId, name, email, phone, company])

/** Returns whether a message was rendered from the present facts. */
const isCurrent = (prepared: PreparedMessage | null, { contact, step }: Due): prepared is PreparedMessage =>
  prepared !== null &&
  JSON.stringify(prepared.step) === JSON.stringify(step) &&
  textValues(prepared.contact) === textValues(contact)

/** The delay of an enrolment whose tenant is archived and may be restored, in milliseconds. */
const archivedMillis = 3_600_000

/** The delay of a step. `since` is the time at which it began. Default: now. */
interface Delay {
  readonly until: number
  readonly reason: string
  readonly since?: number
}

/** Moves a step to a later time, with the reason. Runs inside a unit of work. */
const postpone = ({ enrolment, followed }: Due, step: SequenceStep, { reason, since, until }: Delay, now: number) => {
  const entry = { ...plainEntry(step.name, followed.version, "delayed", since ?? now, reason), until }
  return saveEnrolment({
    ...enrolment,
    version: followed.version,
    step: step.name,
    nextAt: until,
    dueAt: until,
    history: withEntry(enrolment.history, entry),
    defects: 0,
    updatedAt: now
  })
}

/** Completes a step without a message, and plans the next one. Runs inside a unit of work. */
const finish = (
  { enrolment, followed, hours }: Due,
  step: SequenceStep,
  outcome: "refused" | "waited" | "task_created",
  now: number,
  { reason = null, taskId = null }: { readonly reason?: string | null; readonly taskId?: TaskId | null } = {}
) => {
  const entry = { ...plainEntry(step.name, followed.version, outcome, now, reason?.slice(0, 500) ?? null), taskId }
  return saveEnrolment(afterStep(enrolment, entry, followed, hours))
}

/**
 * The emails per hour that sequences leave to people. A sequence with many contacts would otherwise use the hourly limit
 * of the tenant alone.
 */
export const sendsLeftToPeople = 10

/** Returns the time until which the limits of messages delay a message, and the reason; null if it may leave now. */
const limitOf = Effect.fnUntraced(function* ({ contact, hours, tenant }: Due, step: SendStep, now: number) {
  const { tenantId } = tenant
  const clock = contactClock(hours)
  const today = dayOf(clock, now)
  const histories = yield* (yield* Enrolments).sentSince(tenantId, contact.contactId, today)
  const sent = histories.flat().filter(({ at, outcome }) => outcome === "sent" && at >= today).length
  const { maxSequenceMessagesPerDay: cap } = tenant.config
  if (sent >= cap)
    return { until: nextDay(clock, now), reason: `sequences have sent ${sent} of at most ${cap} messages today` }
  if (step.channel === "sms") return null
  const slots = yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour)
  const free = (slots[maxSendsPerHour - sendsLeftToPeople - 1] ?? 0) + hourMillis
  return free > now ? { until: free, reason: "the hourly limit of emails" } : null
})

const refused = (reason: string) => Effect.succeed({ refused: reason })

/** Reserves the message of a step under its key. Returns the id of the message, or why it is refused or waits. */
const reserve = Effect.fnUntraced(function* (due: Due, prepared: PreparedMessage) {
  const { contact, enrolment, tenant } = due
  const { message, step } = prepared
  if (typeof message === "string") return { refused: message }
  const { email, name } = contact
  if (step.channel === "email" && email === null) return { refused: "the contact has no email address" }
  const key = sequenceKey(enrolment.enrolmentId, step.name)
  const known = yield* (yield* Sends).findByKey(tenant.tenantId, key)
  if (known !== null) return { messageId: known.messageId }
  const sender = step.channel === "email" ? yield* chooseStepSender(enrolment, step) : { from: null }
  if ("unavailable" in sender) return sender
  const { body, subject } = message.rendered
  const to = step.channel === "email" && email !== null ? [{ email, name }] : []
  return yield* admitComposition({
    tenant,
    contact,
    composition: { ...plainComposition, channel: step.channel, body, subject, to, ...sender },
    rendered: message.body,
    key,
    fingerprint: key,
    override: null,
    holder: null,
    actor: "assistant",
    claimed: false,
    besides: Effect.void
  }).pipe(
    Effect.map(({ reservation }) => ({ messageId: reservation.messageId })),
    Effect.catchTags({
      SendLimitReached: ({ rate }) => Effect.succeed({ afterSeconds: rate.retryAfterSeconds }),
      MailDenied: ({ reasons }) => refused(reasons.join("; ")),
      TextDenied: ({ reasons }) => refused(reasons.join("; ")),
      EmailRequestInvalid: ({ issues }) => refused(issues.map((issue) => issue.message).join(" ")),
      EmailNotConnected: () => Effect.succeed(noAccount),
      AccountUnavailable: (unavailable) => Effect.succeed(describeAccount(unavailable)),
      SmsNotConfigured: () => refused("no number is connected for texts"),
      TextTooLong: ({ limit }) => refused(`the text exceeds ${limit} characters`),
      UploadNotFound: () => refused("an attachment is no longer stored"),
      MessageNotFound: () => refused("the answered email no longer exists"),
      AnswerableEmailNotFound: () => refused("the contact has no email that can be answered; give the step a subject")
    })
  )
})

/**
 * Moves a step whose account cannot send to the next look at the account. The entry keeps the time at which the wait
 * began. After a week, the enrolment is paused, and its continuation begins a new wait. Runs inside a unit of work.
 */
const waitForAccount = (due: Due, step: SendStep, { unavailable }: NoAccount, now: number) => {
  const { enrolment, followed, hours } = due
  const { history } = enrolment
  const last = history.at(-1)
  const waits = last?.outcome === "delayed" && last.step === step.name && last.reason === unavailable
  const since = waits ? last.at : now
  if (now - since < maxAccountWaitMillis) {
    const until = now + accountLookMillis
    const delay = { until: permittedAt(hours, step, until)?.at ?? until, reason: unavailable, since }
    return postpone(due, step, delay, now)
  }
  const entry = plainEntry(step.name, followed.version, "delayed", now, `paused, because for a week ${unavailable}`)
  const state = {
    state: "paused",
    pauseReason: "account_unavailable",
    step: step.name,
    version: followed.version
  } as const
  return saveEnrolment({ ...enrolment, ...state, history: withEntry(history, entry), updatedAt: now })
}

/** Runs a step that sends a message. Runs inside a unit of work. */
const runSend = Effect.fnUntraced(function* (due: Due, prepared: PreparedMessage, now: number) {
  const { enrolment, followed, hours } = due
  const { step } = prepared
  const limit = yield* limitOf(due, step, now)
  const delay = (until: number, reason: string) =>
    postpone(due, step, { until: permittedAt(hours, step, until)?.at ?? until, reason }, now)
  if (limit !== null) return yield* delay(limit.until, limit.reason)
  if (yield* pauseOnExcess(due.sequence, now)) return yield* holdEnrolment(enrolment, now)
  const result = yield* reserve(due, prepared)
  if ("afterSeconds" in result) return yield* delay(now + result.afterSeconds * 1_000, "the hourly limit of emails")
  if ("unavailable" in result) return yield* waitForAccount(due, step, result, now)
  if ("refused" in result) return yield* finish(due, step, "refused", now, { reason: result.refused })
  yield* countMessage(due.sequence, step.channel, now)
  const entry = { ...plainEntry(step.name, followed.version, "sent", now), messageId: result.messageId }
  const after = afterStep(enrolment, entry, followed, hours)
  yield* recordEvents([sequenceEvent("sequence.step_sent", { ...after, state: "active" }, entry)], now)
  yield* saveEnrolment(after)
})

const runTask = Effect.fnUntraced(function* (
  due: Due,
  step: Extract<SequenceStep, { readonly kind: "task" }>,
  now: number
) {
  const { contact, enrolment } = due
  const taskId = yield* (yield* Ids).next("task")
  const { leadId, tenantId } = enrolment
  yield* addTask({
    taskId,
    tenantId,
    type: "follow_up",
    title: step.title,
    contactId: contact.contactId,
    leadId,
    signalId: null,
    dueAt: null,
    createdAt: now
  })
  yield* finish(due, step, "task_created", now, { taskId })
})

/**
 * Runs the next step of a claimed enrolment, moves it, or stops the enrolment. All facts are read again in this unit of
 * work: a reply, an opt-out or a change by a person that committed earlier wins.
 */
const advance = Effect.fnUntraced(function* (claimed: Enrolment, prepared: PreparedMessage | null) {
  const now = yield* Clock.currentTimeMillis
  const enrolment = yield* stillDue(claimed, now)
  if (enrolment === null) return
  const due = yield* readDue(enrolment)
  if (due === null) return yield* saveEnrolment({ ...enrolment, dueAt: now + archivedMillis })
  const stop = yield* stopOf(due)
  if (stop !== null) return yield* saveEnrolment(stopped(enrolment, stop, now))
  if (due.sequence.pausedAt !== null) return yield* holdEnrolment(enrolment, now)
  const { followed, hours, step } = due
  if (step === null)
    return yield* saveEnrolment({ ...enrolment, state: "completed", step: null, nextAt: null, updatedAt: now })
  const planned = plannedAt(hours, step, enrolment.baseAt, now)
  if (planned === null)
    return yield* finish(due, step, "refused", now, { reason: "its hours permit no time in the next two weeks" })
  if (planned.at > now) {
    const reason = planned.reason ?? `the delay in version ${followed.version}`
    return yield* postpone(due, step, { until: planned.at, reason }, now)
  }
  if (step.kind === "wait") return yield* finish(due, step, "waited", now)
  if (step.kind === "task") return yield* runTask(due, step, now)
  // A fact of the text has changed since it was rendered, so the step is claimed again immediately.
  if (!isCurrent(prepared, due)) return yield* saveEnrolment({ ...enrolment, dueAt: now })
  yield* runSend(due, prepared, now)
})

/**
 * Runs the next step of a claimed enrolment. The step and the progress of the enrolment are one unit of work. A defect
 * delays the step, and after `maxDefects` it pauses the enrolment.
 */
export const runEnrolment = Effect.fnUntraced(function* (claimed: Enrolment) {
  const { enrolmentId, tenantId } = claimed
  const run = Effect.gen(function* () {
    const prepared = yield* prepare(claimed)
    yield* (yield* Transactions).atomically(tenantId, advance(claimed, prepared))
  })
  // The lease ends soon, and the enrolment is claimed again.
  yield* onDefect(run, (cause) => recordStepDefect(claimed, cause)).pipe(
    Effect.catchTag("ParserUnavailable", ({ reason }) =>
      log("sequence.step_delayed", { tenant: tenantId, enrolment: enrolmentId, reason })
    )
  )
}, withSpan("runEnrolment"))

/** The queue of enrolments whose next step is due. */
export const sequenceQueue: Queue<Enrolment, Enrolments | Effect.Services<ReturnType<typeof runEnrolment>>> = {
  ...defaults,
  name: "sequences",
  workers: 1,
  failure: "failed to run the step of a sequence",
  about: ({ attempts, enrolmentId, tenantId }) => ({ tenant: tenantId, enrolment: enrolmentId, attempts }),
  open: Effect.map(Enrolments, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + sendLeaseMillis),
    run: (enrolment) => Effect.as(runEnrolment(enrolment), null),
    wait
  }))
}

/** Claims due enrolments and runs their steps once. Returns the number of these enrolments. */
export const workDueEnrolments = () => workOnce(sequenceQueue)
