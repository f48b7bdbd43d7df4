import { Clock, Effect } from "effect"
import type { Contact } from "../../contact/Contact.ts"
import type { Message } from "../../conversation/Message.ts"
import type { ContactId } from "../../Id.ts"
import type { Lead } from "../../lead/Lead.ts"
import { Classifier } from "../../port/Classifier.ts"
import { Contacts } from "../../port/Contacts.ts"
import { Ids } from "../../port/Ids.ts"
import { Leads } from "../../port/Leads.ts"
import { Messages } from "../../port/Messages.ts"
import { ReplyWriter } from "../../port/ReplyWriter.ts"
import { Runs } from "../../port/Runs.ts"
import { Signals } from "../../port/Signals.ts"
import { Transactions } from "../../port/Transactions.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { mayAsk } from "../model/Model.ts"
import { type AppliedRun, applyRun } from "./ApplyRun.ts"
import { decideRun, type RunDecision } from "./DecideRun.ts"
import { gatherRun } from "./GatherRun.ts"
import { type NotAsked, nothingRecorded, type Question, type Recordings } from "./Recordings.ts"
import type { Run, RunStep } from "./Run.ts"
import { inputsOf, type RunSubject } from "./RunSubject.ts"
import type { Signal } from "../Signal.ts"

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
    modelConfigured: mayAsk(tenant, yield* Classifier) && mayAsk(tenant, yield* ReplyWriter),
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

const ended = (run: Run | null): Attempt => ({ _tag: "Ended", run })

/**
 * One attempt at a signal, a unit of work: reads what it is about, decides, and when nothing is left to be asked ends the
 * signal and does what was decided.
 */
const attempt = Effect.fnUntraced(function* (tenant: Tenant, signal: Signal, recordings: Recordings) {
  const now = yield* Clock.currentTimeMillis
  const { signalId, tenantId } = signal
  const signals = yield* Signals
  const message = yield* (yield* Messages).find(tenantId, signal.messageId)
  if (message === null) {
    if (!(yield* signals.finish(tenantId, signalId, "done", now))) return ended(null)
    return yield* Effect.die(new Error(`${signalId} has no message`))
  }
  const records = yield* load(tenantId, message)
  const subject = yield* subjectOf(tenant, records, now)
  const decision = yield* decideRun(subject, recordings)
  const { question } = decision
  const { contactId } = records.contact
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

/** How often a run begins again because the subject has changed while a model was asked. */
const gatherings = 3

const changedTooOften: NotAsked = {
  outcome: "skipped",
  reason: "the conversation changed again and again while the model was asked"
}

/** Asks a model and tries again, until nothing is left to be asked. */
const askAndEnd = Effect.fnUntraced(function* (
  tenant: Tenant,
  signal: Signal,
  mayDelay: boolean,
  found: Extract<Attempt, { readonly _tag: "Question" }>
) {
  const { atomically } = yield* Transactions
  const { signalId, tenantId } = signal
  let recordings = nothingRecorded
  let last: Attempt = found
  for (let round = 0; last._tag === "Question"; round++) {
    recordings =
      round < gatherings
        ? yield* gatherRun(last.subject, recordings, { signalId, contactId: last.contactId, mayDelay })
        : { ...recordings, [last.question]: changedTooOften }
    last = yield* atomically(tenantId, attempt(tenant, signal, recordings))
  }
  return last.run
})

/**
 * Begins to pass a signal through the pipeline. Without a question to a model that is all: decision and effects are one
 * unit of work that ends the signal, so however often it is tried it happens once. Otherwise `rest` asks and ends it; a
 * model that fails is a `RunDelayed` only where the signal `mayDelay`.
 */
export const beginRun = Effect.fn("beginRun")(function* (tenant: Tenant, signal: Signal, mayDelay: boolean) {
  const unit = attempt(tenant, signal, nothingRecorded)
  const first = yield* (yield* Transactions).atomically(signal.tenantId, unit)
  if (first._tag === "Ended") return { run: first.run, rest: null }
  return { run: null, rest: askAndEnd(tenant, signal, mayDelay, first) }
})

/**
 * Passes one signal through the pipeline now, to its end; a model that fails is a step of the run. Null: somebody else
 * ended the signal first.
 */
export const runSignal = Effect.fn("runSignal")(function* (tenant: Tenant, signal: Signal) {
  const { rest, run } = yield* beginRun(tenant, signal, false)
  return rest === null ? run : yield* Effect.catchTag(rest, "RunDelayed", Effect.die)
})
