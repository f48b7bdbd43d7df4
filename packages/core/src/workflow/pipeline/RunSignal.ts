/**
 * Runs signals through the pipeline: classify, score, route, reply, guard and act. Also replays, explains and back-
 * tests runs. Rules and guardrails themselves do not belong here; see `domain/rule` and `domain/guardrail`.
 *
 * Tests: `packages/testkit/src/suite/pipeline`, `packages/core/test/workflow/pipeline`.
 */
import { Clock, Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import type { ContactId } from "../../domain/Id.ts"
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
import { decideWithUnitBudget, type RunDecision } from "./DecideRun.ts"
import { extendLeaseWhile, type GatherOptions, gatherRun } from "./GatherRun.ts"
import { type ModelNotCalled, nothingRecorded, type Question, type Recordings } from "../../domain/run/Recordings.ts"
import { type Run, type RunStep, stepOf } from "../../domain/run/Run.ts"
import { inputsOf, type RunSubject } from "../../domain/run/RunSubject.ts"
import type { Signal } from "../../domain/classification/Signal.ts"

const dayMillis = 24 * 3_600_000

const nothingSent = { repliesSince: 0, lastByPersonAt: null }

/**
 * Reads the records that a message refers to, and the subject of its run. Uses the message's current lead, because a
 * merge may have replaced the queued one.
 */
const readSubject = Effect.fnUntraced(function* (tenant: Tenant, message: Message, now: number) {
  const { tenantId } = tenant
  const messages = yield* Messages
  const contact = yield* (yield* Contacts)
    .get(tenantId, message.contactId)
    .pipe(Effect.catchTag("ContactNotFound", Effect.die))
  const lead =
    message.leadId === null
      ? null
      : yield* (yield* Leads).get(tenantId, message.leadId).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  const contactIsNew = contact.createdAt === message.receivedAt
  // A new contact has no earlier messages from us, and automatic mail gets no reply, so the query is skipped.
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
  return { contact, lead, subject }
})

/** Returns the steps of a decision with their effects. */
const stepsOf = (decision: RunDecision, { actions, afterwards }: AppliedRun): ReadonlyArray<RunStep> => [
  ...decision.steps.map((step) => (step.step === "reply" && afterwards !== null ? { ...step, afterwards } : step)),
  stepOf("act", { code: "actions_done", count: actions.length })
]

/** An attempt that wrote nothing. */
interface OpenRun {
  readonly _tag: "Open"
  readonly subject: RunSubject
  readonly contactId: ContactId
  /** The question that a model has to answer first; null when the decision exceeds the budget of a unit of work. */
  readonly question: Question | null
}

type Attempt = { readonly _tag: "Ended"; readonly run: Run | null } | OpenRun

/** A decision that was made outside the unit of work, with its subject. */
interface Prepared {
  readonly subject: RunSubject
  readonly decision: RunDecision
}

/** Serialises everything that a decision depends on, except the time. */
const stateOf = (subject: RunSubject): string => {
  const { now: _, outOfTime: _late, ...inputs } = inputsOf(subject)
  return JSON.stringify([subject.tenant.configVersion, subject.message.flags, inputs])
}

/**
 * Returns a decision and the subject that reproduces it. A prepared decision stays valid, with its own time, when
 * nothing has changed. Returns null when the decision exceeds the small budget.
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

/** The preparations for an attempt. */
interface Preparations {
  readonly recordings: Recordings
  readonly prepared: Prepared | null
  /** True when the conversation changed during every preparation. The run then counts as out of time. */
  readonly isLate: boolean
}

const unprepared: Preparations = { recordings: nothingRecorded, prepared: null, isLate: false }

/**
 * Makes one attempt at a signal in a unit of work: reads the records, decides, and if no question is left, ends the
 * signal and applies the decision.
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
  const { contact, lead, subject: found } = yield* readSubject(tenant, message, now)
  const { contactId } = contact
  const decided = yield* decide(isLate ? { ...found, outOfTime: true } : found, recordings, prepared)
  if (decided === null) return { _tag: "Open", subject: found, contactId, question: null } satisfies Attempt
  const { decision, subject } = decided
  const { question } = decision
  if (question !== null) return { _tag: "Open", subject, contactId, question } satisfies Attempt
  if (!(yield* signals.finish(tenantId, signalId, "done", now))) return ended(null)
  const applied = yield* applyRun({ tenant, signalId, message, contact, lead, now }, decision, recordings)
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
    leadId: lead?.leadId ?? null,
    configVersion: tenant.configVersion,
    createdAt: now,
    inputs: inputsOf(subject),
    recordings
  }
  yield* (yield* Runs).insert(run)
  return ended(run)
})

/** The maximum number of new attempts after the subject changed during a model request or a decision. */
const gatherings = 3

const changedTooOften: ModelNotCalled = {
  outcome: "skipped",
  reason: { code: "conversation_changed" }
}

/** Does the work that an attempt left for outside the unit, so that the next attempt can succeed. */
const prepare = Effect.fnUntraced(function* (
  { question, subject }: OpenRun,
  recordings: Recordings,
  modelPolicy: GatherOptions,
  isLast: boolean
) {
  if (isLast && question === null) return { recordings, prepared: null, isLate: true } satisfies Preparations
  if (isLast && question !== null)
    return { ...unprepared, recordings: { ...recordings, [question]: changedTooOften } } satisfies Preparations
  const gathering = gatherRun(subject, recordings, modelPolicy)
  // After a question, the unit of work decides again, because the request took time.
  if (question !== null) return { ...unprepared, recordings: (yield* gathering).recordings } satisfies Preparations
  const { decision, ...gathered } = yield* extendLeaseWhile(subject.tenant.tenantId, modelPolicy, gathering)
  return { ...gathered, prepared: { subject, decision }, isLate: false } satisfies Preparations
})

/** Asks models or makes long decisions outside the unit of work, and repeats the attempt until the run ends. */
const finishOutside = Effect.fnUntraced(function* (tenant: Tenant, signal: Signal, mayDelay: boolean, found: OpenRun) {
  const { atomically } = yield* Transactions
  const { signalId, tenantId } = signal
  let known: Preparations = unprepared
  let last: Attempt = found
  for (let round = 0; last._tag !== "Ended"; round++) {
    const modelPolicy = { signalId, contactId: last.contactId, mayDelay }
    known = yield* prepare(last, known.recordings, modelPolicy, round >= gatherings)
    last = yield* atomically(tenantId, attempt(tenant, signal, known))
  }
  return last.run
})

/**
 * Starts the run of a signal. When the decision needs no model and fits the small budget, decision and effects commit
 * in the unit of work that ends the signal. Otherwise `rest` does the remaining work and ends the signal. A failing
 * model raises `RunDelayed` only if `mayDelay`.
 */
export const beginRun = Effect.fn("beginRun")(function* (tenant: Tenant, signal: Signal, mayDelay: boolean) {
  const unit = attempt(tenant, signal, unprepared)
  const first = yield* (yield* Transactions).atomically(signal.tenantId, unit)
  if (first._tag === "Ended") return { run: first.run, rest: null }
  return { run: null, rest: finishOutside(tenant, signal, mayDelay, first) }
})

/**
 * Runs one signal to its end; a failing model becomes a step of the run. Returns null when another worker ended the
 * signal first.
 */
export const runSignal = Effect.fn("runSignal")(function* (tenant: Tenant, signal: Signal) {
  const { rest, run } = yield* beginRun(tenant, signal, false)
  return rest === null ? run : yield* Effect.catchTag(rest, "RunDelayed", Effect.die)
})
