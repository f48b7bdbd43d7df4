import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { ContactId } from "../../domain/Id.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { Classifier } from "../../port/provider/Classifier.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ReplyWriter } from "../../port/provider/ReplyWriter.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { mayUseModel } from "../../domain/classification/Model.ts"
import { type AppliedRun, applyRun } from "./ApplyRun.ts"
import { decideWithRunBudget, decideWithUnitBudget, type RunDecision } from "./DecideRun.ts"
import { type GatherOptions, gatherRun, extendLeaseWhile } from "./GatherRun.ts"
import { type ModelNotCalled, nothingRecorded, type Question, type Recordings } from "../../domain/run/Recordings.ts"
import type { Run, RunStep } from "../../domain/run/Run.ts"
import { inputsOf, type RunSubject } from "../../domain/run/RunSubject.ts"
import type { Signal } from "../../domain/classification/Signal.ts"

/** The records a signal is about. */
interface Records {
  readonly message: Message
  readonly contact: Contact
  readonly lead: Lead | null
}

/** Reads what a signal is about; the message's own lead, which a merge may have replaced since it was queued. */
const load = Effect.fnUntraced(function* (tenantId: string, message: Message) {
  const contact = yield* (yield* Contacts)
    .get(tenantId, message.contactId)
    .pipe(Effect.catchTag("ContactNotFound", Effect.die))
  const lead =
    message.leadId === null
      ? null
      : yield* (yield* Leads).get(tenantId, message.leadId).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  const records: Records = { message, contact, lead }
  return records
})

const dayMillis = 24 * 3_600_000

const nothingSent = { repliesSince: 0, lastByPersonAt: null }

const subjectOf = Effect.fnUntraced(function* (tenant: Tenant, { message, contact, lead }: Records, now: number) {
  const { tenantId } = tenant
  const messages = yield* Messages
  const contactIsNew = contact.createdAt === message.receivedAt
  // Nobody has written to somebody whose first message this is, and nobody answers a machine.
  const unasked = contactIsNew || message.auto !== null
  const ours = unasked ? nothingSent : yield* messages.ourSide(tenantId, contact.contactId, now - dayMillis)
  const subject: RunSubject = {
    tenant,
    message,
    contact,
    contactIsNew,
    lead,
    leadIsNew: lead?.createdAt === message.receivedAt,
    overtaken: yield* messages.hasNewerFromContact(tenantId, contact.contactId, message.messageId),
    repliesToday: ours.repliesSince,
    lastByPersonAt: ours.lastByPersonAt,
    modelConfigured: mayUseModel(tenant, yield* Classifier) && mayUseModel(tenant, yield* ReplyWriter),
    now
  }
  return subject
})

/** The steps of a decision with what came of them. */
const stepsOf = (decision: RunDecision, { actions, replyReason }: AppliedRun): ReadonlyArray<RunStep> => [
  ...decision.steps.map((step) =>
    step.step === "reply" && replyReason !== null ? { ...step, afterwards: replyReason } : step
  ),
  { step: "act", outcome: "done", reason: `${actions.length} actions` }
]

/** What an attempt came to. */
type Attempt =
  | { readonly _tag: "Ended"; readonly run: Run | null }
  /** Nothing was written: a model has to be asked first. */
  | {
      readonly _tag: "Question"
      readonly subject: RunSubject
      readonly contactId: ContactId
      readonly question: Question
    }
  /** Nothing was written: deciding takes more work than a unit of work may do. */
  | { readonly _tag: "Costly"; readonly subject: RunSubject; readonly contactId: ContactId }

/** What was decided outside of the unit of work, about the subject as it stood then. */
interface Prepared {
  readonly subject: RunSubject
  readonly decision: RunDecision
}

/** Everything that a decision depends on and that may have changed since, but for the time. */
const stateOf = (subject: RunSubject): string => {
  const { now: _, outOfTime: _late, ...inputs } = inputsOf(subject)
  return JSON.stringify([subject.tenant.configVersion, subject.message.flags, inputs])
}

/**
 * The decision about a subject, and the subject that gives the same decision when it is run again: what was prepared
 * stands if nothing has changed, with the time at which it was made. Null: it takes more work than this may do.
 */
const decide = Effect.fnUntraced(function* (subject: RunSubject, recordings: Recordings, prepared: Prepared | null) {
  if (prepared !== null && stateOf(prepared.subject) === stateOf(subject)) {
    const isLate = prepared.decision.overBudget?.resource === "milliseconds"
    return isLate ? { ...prepared, subject: { ...prepared.subject, outOfTime: true as const } } : prepared
  }
  return yield* decideWithUnitBudget(subject, recordings).pipe(
    Effect.map((decision): Prepared => ({ subject, decision })),
    Effect.catchTag("BudgetExceeded", () => Effect.succeed(null))
  )
})

const ended = (run: Run | null): Attempt => ({ _tag: "Ended", run })

/** What is known before an attempt. */
interface Preparations {
  readonly recordings: Recordings
  readonly prepared: Prepared | null
  /** The conversation changed each time while the run was decided: it counts as having run out of time. */
  readonly isLate: boolean
}

const unprepared: Preparations = { recordings: nothingRecorded, prepared: null, isLate: false }

/**
 * One attempt at a signal, a unit of work: reads what it is about, decides, and when nothing is left to be asked ends the
 * signal and does what was decided.
 */
const attempt = Effect.fnUntraced(function* (
  tenant: Tenant,
  signal: Signal,
  { isLate, prepared, recordings }: Preparations
) {
  const now = yield* Clock.currentTimeMillis
  const { signalId, tenantId } = signal
  const signals = yield* Signals
  const message = yield* (yield* Messages).find(tenantId, signal.messageId)
  if (message === null) {
    if (!(yield* signals.finish(tenantId, signalId, "done", now))) return ended(null)
    return yield* Effect.die(new Error(`${signalId} has no message`))
  }
  const records = yield* load(tenantId, message)
  const found = yield* subjectOf(tenant, records, now)
  const { contactId } = records.contact
  const decided = yield* decide(isLate ? { ...found, outOfTime: true } : found, recordings, prepared)
  if (decided === null) return { _tag: "Costly", subject: found, contactId } satisfies Attempt
  const { decision, subject } = decided
  const { question } = decision
  if (question !== null) return { _tag: "Question", subject, contactId, question } satisfies Attempt
  if (!(yield* signals.finish(tenantId, signalId, "done", now))) return ended(null)
  const applied = yield* applyRun({ tenant, signalId, now, ...records }, decision, recordings)
  const run: Run = {
    classification: decision.classification,
    score: decision.score,
    matchedRules: decision.matchedRules,
    actions: applied.actions,
    written: decision.written,
    reply: applied.reply,
    steps: stepsOf(decision, applied),
    runId: yield* (yield* Ids).next("run"),
    tenantId,
    signalId,
    messageId: message.messageId,
    contactId,
    leadId: records.lead?.leadId ?? null,
    configVersion: tenant.configVersion,
    createdAt: now,
    inputs: inputsOf(subject),
    recordings
  }
  yield* (yield* Runs).insert(run)
  return ended(run)
})

/** How often a run begins again because the subject has changed while a model was asked, or while it was decided. */
const gatherings = 3

const changedTooOften: ModelNotCalled = {
  outcome: "skipped",
  reason: "the conversation changed again and again while the model was asked"
}

/** What an attempt left to be done outside: then the run can be attempted again. */
const prepare = Effect.fnUntraced(function* (
  found: Exclude<Attempt, { readonly _tag: "Ended" }>,
  before: Recordings,
  modelPolicy: GatherOptions,
  isLast: boolean
) {
  if (found._tag === "Costly" && isLast) return { recordings: before, prepared: null, isLate: true }
  let recordings = before
  if (found._tag === "Question") {
    recordings = isLast
      ? { ...before, [found.question]: changedTooOften }
      : yield* gatherRun(found.subject, before, modelPolicy)
    return { recordings, prepared: null, isLate: false } satisfies Preparations
  }
  const { subject } = found
  const decideHeld = (known: Recordings) =>
    extendLeaseWhile(subject.tenant.tenantId, modelPolicy, decideWithRunBudget(subject, known))
  let decision = yield* decideHeld(recordings)
  if (decision.question !== null) {
    recordings = yield* gatherRun(subject, recordings, modelPolicy)
    decision = yield* decideHeld(recordings)
  }
  return { recordings, prepared: { subject, decision }, isLate: false } satisfies Preparations
})

/** Does outside what a unit of work may not do, asking a model or deciding at length, and tries again until the run ends. */
const finishOutside = Effect.fnUntraced(function* (
  tenant: Tenant,
  signal: Signal,
  mayDelay: boolean,
  found: Exclude<Attempt, { readonly _tag: "Ended" }>
) {
  const { atomically } = yield* Transactions
  const { signalId, tenantId } = signal
  let known = unprepared
  let last: Attempt = found
  for (let round = 0; last._tag !== "Ended"; round++) {
    const modelPolicy = { signalId, contactId: last.contactId, mayDelay }
    known = yield* prepare(last, known.recordings, modelPolicy, round >= gatherings)
    last = yield* atomically(tenantId, attempt(tenant, signal, known))
  }
  return last.run
})

/**
 * Begins to pass a signal through the pipeline. Without a question to a model and with little to work out that is all:
 * decision and effects are one unit of work that ends the signal, so however often it is tried it happens once. Otherwise
 * `rest` asks, works it out and ends it; a model that fails is a `RunDelayed` only where the signal `mayDelay`.
 */
export const beginRun = Effect.fn("beginRun")(function* (tenant: Tenant, signal: Signal, mayDelay: boolean) {
  const unit = attempt(tenant, signal, unprepared)
  const first = yield* (yield* Transactions).atomically(signal.tenantId, unit)
  if (first._tag === "Ended") return { run: first.run, rest: null }
  return { run: null, rest: finishOutside(tenant, signal, mayDelay, first) }
})

/**
 * Passes one signal through the pipeline now, to its end; a model that fails is a step of the run. Null: somebody else
 * ended the signal first.
 */
export const runSignal = Effect.fn("runSignal")(function* (tenant: Tenant, signal: Signal) {
  const { rest, run } = yield* beginRun(tenant, signal, false)
  return rest === null ? run : yield* Effect.catchTag(rest, "RunDelayed", Effect.die)
})
