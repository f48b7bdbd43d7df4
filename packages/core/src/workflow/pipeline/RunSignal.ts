/**
 * Runs signals through the pipeline: classify, score, route, reply, guard and act. Also replays, explains and
 * back-tests runs. The rules for conditions and guardrails do not belong here (`domain/rule`, `domain/guardrail`).
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
import { readRecordFacts } from "../fact/ReadRecordFacts.ts"
import { awaitOurAnswer } from "../cause/AwaitAnswer.ts"
import { withSpan } from "../WithSpan.ts"
import { keywordsVersion } from "../../domain/classification/KeywordClassifier.ts"

const dayMillis = 24 * 3_600_000

const nothingSent = { repliesSince: 0, lastByPersonAt: null }

/**
 * Reads the records to which a message belongs, and the subject of its run. The current lead of the message is used,
 * because a merge may have changed it since the signal was queued.
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
  // A new contact has no earlier messages from the tenant, and automatic mail gets no reply. In both cases the query is
  // not needed.
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
    keywordsVersion,
    ...(yield* readRecordFacts(tenant, { contact, contactId: contact.contactId, lead, before: message }, now)),
    now
  }
  return { contact, lead, subject }
})

/** Returns the steps of a decision with their effects. */
const stepsOf = (decision: RunDecision, { actions, afterwards }: AppliedRun): ReadonlyArray<RunStep> => [
  ...decision.steps.map((step) => (step.step === "reply" && afterwards !== null ? { ...step, afterwards } : step)),
  stepOf("act", { code: "actions_done", count: actions.length })
]

/** The result of an attempt that could not finish the run. It has written nothing. */
interface OpenRun {
  readonly _tag: "Open"
  readonly subject: RunSubject
  readonly contactId: ContactId
  /** The question that a model must answer first. Null when the decision exceeds the budget of a unit of work. */
  readonly question: Question | null
}

type Attempt = { readonly _tag: "Ended"; readonly run: Run | null } | OpenRun

/** A decision that was made outside the unit of work, and its subject. */
interface Prepared {
  readonly subject: RunSubject
  readonly decision: RunDecision
}

/** Serialises everything on which a decision depends, except the time. */
const stateOf = (subject: RunSubject): string => {
  const { now: _, outOfTime: _late, ...inputs } = inputsOf(subject)
  return JSON.stringify([subject.tenant.configVersion, subject.message.flags, inputs])
}

/**
 * Returns a decision, and the subject that reproduces it. If a decision was prepared and its inputs have not changed,
 * returns the prepared decision, which has its own time. Returns null when the decision exceeds the budget of a unit of
 * work.
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

/** The results of work outside the unit of work, for the next attempt. */
interface Preparations {
  readonly recordings: Recordings
  readonly prepared: Prepared | null
  /**
   * True when the conversation changed during every preparation. The run then ends as if it had exceeded the time
   * limit.
   */
  readonly isLate: boolean
}

const unprepared: Preparations = { recordings: nothingRecorded, prepared: null, isLate: false }

/**
 * Makes one attempt at a signal in a unit of work. Reads the records and decides. If the decision is complete, applies
 * it and ends the signal.
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
  yield* awaitOurAnswer(tenant, message, now)
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

/** The maximum number of further attempts after the inputs have changed during a model request or a decision. */
const gatherings = 3

const changedTooOften: ModelNotCalled = {
  outcome: "skipped",
  reason: { code: "conversation_changed" }
}

/** Does the work outside the unit of work that the next attempt needs. */
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
  // After a model request, the unit of work decides again, because the inputs may have changed during the request.
  if (question !== null) return { ...unprepared, recordings: (yield* gathering).recordings } satisfies Preparations
  const { decision, ...gathered } = yield* extendLeaseWhile(subject.tenant.tenantId, modelPolicy, gathering)
  return { ...gathered, prepared: { subject, decision }, isLate: false } satisfies Preparations
})

/**
 * Finishes a run that needs work outside the unit of work: asks models or makes long decisions, and repeats the attempt
 * until the run ends.
 */
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
 * Starts the run of a signal. If the decision needs no model and fits the budget of a unit of work, the decision and
 * its effects are committed in the unit of work that ends the signal. Otherwise `rest` does the remaining work and ends
 * the signal. If the model fails temporarily, `rest` fails with `RunDelayed`, but only if `mayDelay`.
 */
export const beginRun = Effect.fnUntraced(function* (tenant: Tenant, signal: Signal, mayDelay: boolean) {
  const unit = attempt(tenant, signal, unprepared)
  const first = yield* (yield* Transactions).atomically(signal.tenantId, unit)
  if (first._tag === "Ended") return { run: first.run, rest: null }
  return { run: null, rest: finishOutside(tenant, signal, mayDelay, first) }
}, withSpan("beginRun"))

/**
 * Runs one signal to its end. A failure of the model becomes a step of the run. Returns null when another worker has
 * already ended the signal.
 */
export const runSignal = Effect.fnUntraced(function* (tenant: Tenant, signal: Signal) {
  const { rest, run } = yield* beginRun(tenant, signal, false)
  return rest === null ? run : yield* Effect.catchTag(rest, "RunDelayed", Effect.die)
}, withSpan("runSignal"))
