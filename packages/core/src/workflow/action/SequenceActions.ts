import { Effect } from "effect"
import { isId, type SequenceId } from "../../domain/Id.ts"
import type { SendTemplate } from "../../domain/rule/action/SendTemplate.ts"
import type { Action, RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { maxSequences, type SendStep, type Sequence } from "../../domain/sequence/Sequence.ts"
import { CannedReplies } from "../../port/repository/conversation/CannedReplies.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { enrolInUnit } from "../sequence/EnrolContact.ts"
import { saveEnrolment, stopped } from "../sequence/Enrolments.ts"
import { ruleFields, sequenceOfRule } from "../sequence/RuleSequence.ts"
import { readSequence } from "../sequence/Sequences.ts"
import { channelKinds, hasOptedOut } from "../sequence/StopCheck.ts"
import { done, skipped } from "./AssignAction.ts"

type StartSequence = Extract<Action, { readonly type: "start_sequence" }>
type StopSequence = Extract<Action, { readonly type: "stop_sequence" }>

/** Returns the message whose rule requests the actions; null for a macro, and for a rule that waited for a time. */
const causeOf = ({ message, signalId }: ActionTarget) => (signalId === null ? null : message)

/** Returns whether a rule requests the actions. Otherwise, a person runs a macro. */
const isByRule = ({ actor, signalId }: ActionTarget): boolean => signalId !== null || actor === "system"

/**
 * Returns whether the contact has been in the sequence since its last message. The messages of a sequence can be the
 * cause of a rule that waits for an answer, so such a rule would otherwise start the sequence again and again.
 */
const hasPassed = Effect.fnUntraced(function* (
  { contact, tenant }: Pick<ActionTarget, "contact" | "tenant">,
  sequenceId: SequenceId
) {
  const { contactId } = contact
  const { tenantId } = tenant
  const newest = yield* (yield* Enrolments).newest(tenantId, sequenceId, contactId)
  if (newest === null || newest.answeredAt !== null) return false
  return !(yield* (yield* Messages).hasWrittenSince(tenantId, contactId, newest.createdAt))
})

/** The facts on which the start of a sequence by an action depends. */
export interface StartTarget extends Pick<ActionTarget, "contact" | "now" | "tenant" | "trigger"> {
  /** The message whose rule requests the start; null without one. */
  readonly cause: { readonly receivedAt: number } | null
  /** False if a person runs a macro. */
  readonly byRule: boolean
}

/** Returns why a contact does not enter a sequence by an action: it has opted out, or has written again. Null: it does. */
export const whyNotStarted = Effect.fnUntraced(function* (
  target: StartTarget,
  { ruleId, sequenceId, steps }: Pick<Sequence, "ruleId" | "sequenceId" | "steps">
) {
  const { byRule, cause, contact, now, tenant, trigger } = target
  const since = cause?.receivedAt ?? now
  const firstMessage = steps.find(({ kind }) => kind === "send") ?? null
  if (yield* hasOptedOut(contact, channelKinds(firstMessage), since)) return "the contact has opted out"
  if (cause !== null && (yield* (yield* Messages).hasWrittenSince(tenant.tenantId, contact.contactId, since)))
    return "the contact has written again since this message"
  // The message of a rule is a cause of these triggers only, so other rules cannot start themselves again. A program that
  // opens all links would otherwise cause messages without end.
  const mayRepeat = ruleId !== null && trigger !== "no_answer" && trigger !== "link_opened"
  if (cause === null && byRule && !mayRepeat && (yield* hasPassed(target, sequenceId)))
    return "the contact has not written since its last enrolment in the sequence"
  return null
})

/** Enrols the contact, unless it has opted out or has written again since the message of the rule. */
const enrol = Effect.fnUntraced(function* (target: ActionTarget, ruleId: string, sequence: Sequence) {
  const { contact, lead, tenant } = target
  const { tenantId } = tenant
  const { name, sequenceId } = sequence
  const cause = causeOf(target)
  const why = yield* whyNotStarted({ ...target, cause, byRule: isByRule(target) }, sequence)
  if (why !== null) return skipped(why)
  const { created, enrolment } = yield* enrolInUnit({
    tenantId,
    sequenceId,
    contactId: contact.contactId,
    leadId: lead?.leadId ?? null,
    enrolledBy: `${isByRule(target) ? "rule" : "macro"}:${ruleId}`,
    ...(cause !== null && { cause: { receivedAt: cause.receivedAt } })
  })
  if (enrolment.state === "held_out") return skipped(`the contact is in the holdout group of ${name}`)
  return created
    ? done(`${enrolment.enrolmentId} in ${name}`)
    : skipped(`the contact is already in the sequence ${name} with ${enrolment.enrolmentId}`)
})

const start = Effect.fnUntraced(function* (target: ActionTarget, ruleId: string, { sequence }: StartSequence) {
  return yield* enrol(target, ruleId, yield* readSequence(target.tenant.tenantId, sequence))
})

/** Returns the step of the sequence of a rule that sends a message; null if the action has no text. */
export const messageStep = Effect.fnUntraced(function* (tenantId: string, action: SendTemplate) {
  const { canned_reply: cannedReply, type: _type, ...texts } = action
  const reply = cannedReply === undefined ? null : yield* (yield* CannedReplies).get(tenantId, cannedReply)
  const body = reply?.body ?? texts.body
  if (body === undefined) return null
  const subject = texts.channel === "email" ? (texts.subject ?? reply?.subject ?? null) : null
  return {
    ...texts,
    kind: "send",
    name: "send",
    delay: { amount: 0, unit: "minutes" },
    subject,
    body
  } satisfies SendStep as SendStep
})

/** Enrols the contact in the sequence of the rule, whose only step is the message. */
const send = Effect.fnUntraced(function* (target: ActionTarget, ruleId: string, action: SendTemplate) {
  const { tenantId } = target.tenant
  const step = yield* messageStep(tenantId, action)
  if (step === null) return skipped("the action has no text")
  const sequence = yield* sequenceOfRule(tenantId, ruleId, ruleFields(ruleId, step))
  return sequence === null ? skipped("the rule has had too many texts") : yield* enrol(target, ruleId, sequence)
})

const startOrSend = Effect.fnUntraced(function* (
  target: ActionTarget,
  ruleId: string,
  action: SendTemplate | StartSequence
) {
  return action.type === "start_sequence" ? yield* start(target, ruleId, action) : yield* send(target, ruleId, action)
})

/** Enrols the contact. A sequence, contact or lead that cannot be enrolled skips the action. */
const startOrSkip = (target: ActionTarget, ruleId: string, action: SendTemplate | StartSequence) =>
  startOrSend(target, ruleId, action).pipe(
    Effect.catchTags({
      SequenceNotFound: ({ sequenceId }) => Effect.succeed(skipped(`the sequence ${sequenceId} does not exist`)),
      CannedReplyNotFound: ({ cannedReplyId }) =>
        Effect.succeed(skipped(`the canned reply ${cannedReplyId} does not exist`)),
      ContactNotEnrollable: () => Effect.succeed(skipped("the contact is archived")),
      ContactNotFound: () => Effect.succeed(skipped("the contact no longer exists")),
      ContactMerged: () => Effect.succeed(skipped("the contact was merged into another one")),
      TenantNotFound: () => Effect.succeed(skipped("the tenant no longer exists")),
      LeadNotFound: () => Effect.succeed(skipped("the lead no longer belongs to the contact"))
    })
  )

/** Stops the running enrolments of the contact. */
export const stopSequences = Effect.fnUntraced(function* (target: ActionTarget, action: StopSequence) {
  const { contact, now, tenant } = target
  const sequence = action.sequence ?? null
  if (sequence !== null && !isId("seq", sequence)) return skipped(`the sequence ${sequence} does not exist`)
  // A contact has one running enrolment per sequence. Merged contacts can have a few more for a short time.
  const running = yield* (yield* Enrolments).runningOf(tenant.tenantId, contact.contactId, sequence, 2 * maxSequences)
  if (running.length === 0)
    return skipped(`the contact is in no ${sequence === null ? "sequence" : "running enrolment of this sequence"}`)
  const reason = isByRule(target) ? "by_rule" : "by_person"
  for (const enrolment of running) yield* saveEnrolment(stopped(enrolment, reason, now))
  return done(`stopped ${running.map(({ enrolmentId }) => enrolmentId).join(", ")}`.slice(0, 500))
})

/**
 * Carries out the actions about sequences, and replaces their outcomes in `actions`, which has one entry per requested
 * action. Runs inside the same unit of work as `performActions`, after the caller has stored the lead: an enrolment
 * records the place of the lead.
 */
export const performSequenceActions = Effect.fnUntraced(function* (
  target: ActionTarget,
  wanted: ReadonlyArray<RequestedAction>,
  actions: ReadonlyArray<RunAction>
) {
  const performed: Array<RunAction> = []
  for (const [position, before] of actions.entries()) {
    const { action, ruleId = before.ruleId } = wanted[position] ?? {}
    if (action?.type === "start_sequence" || action?.type === "send_template")
      performed.push({ ...before, ...(yield* startOrSkip(target, ruleId, action)) })
    else if (action?.type === "stop_sequence") performed.push({ ...before, ...(yield* stopSequences(target, action)) })
    else performed.push(before)
  }
  return performed
})
