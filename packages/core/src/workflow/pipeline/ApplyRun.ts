import { Effect } from "effect"
import { withCompany } from "../contact/LinkCompany.ts"
import { recordScoring, recordTransition } from "../contact/RecordActivity.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import { type Contact, maxTags } from "../../domain/contact/Contact.ts"
import { normalizeTag } from "../../domain/contact/ContactFields.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { mayTransition } from "../../domain/lead/LeadState.ts"
import { recordScore, type Scored, scoreEvents, withScore } from "../lead/Scores.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import type { RunDecision } from "./DecideRun.ts"
import { recordGuardEvaluations } from "./RecordGuardEvaluations.ts"
import { modelFailed, type Recordings } from "../../domain/run/Recordings.ts"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { RunTarget } from "../../domain/run/RunSubject.ts"
import { notify } from "./Notify.ts"
import { queueCrmAction } from "./QueueCrmAction.ts"
import { type AppliedReply, sendReply } from "../reply/SendReply.ts"
import { maxTaskTitleLength, openTask } from "../task/OpenTask.ts"

interface Progress {
  readonly contact: Contact
  readonly lead: Lead | null
  readonly outcome: Omit<RunAction, "type" | "ruleId">
  /** An outbound event that is recorded with the run. */
  readonly event?: NewEvent
}

const done = (reason: string): Progress["outcome"] => ({ outcome: "done", reason })
const skipped = (reason: string): Progress["outcome"] => ({ outcome: "skipped", reason })
const noLead = skipped("the message belongs to no lead")

/** Carries out one action. Returns the changed contact and lead. `applyRun` stores both at the end. */
const perform = Effect.fnUntraced(function* (
  target: RunTarget,
  { action, rendered, ruleId }: RequestedAction,
  contact: Contact,
  lead: Lead | null,
  position: number
) {
  const same = (outcome: Progress["outcome"]): Progress => ({ contact, lead, outcome })
  if (rendered !== undefined && "failure" in rendered) return same(skipped(rendered.failure))
  switch (action.type) {
    case "tag": {
      const tag = normalizeTag(action.tag)
      if (contact.tags.includes(tag)) return same(skipped("the contact already has the tag"))
      if (contact.tags.length >= maxTags) return same(skipped(`a contact has at most ${maxTags} tags`))
      return { lead, contact: { ...contact, tags: [...contact.tags, tag] }, outcome: done(`tag ${tag}`) }
    }
    case "assign": {
      if (lead === null) return same(noLead)
      return { contact, lead: { ...lead, assignee: action.to }, outcome: done(`to ${action.to}`) }
    }
    case "transition": {
      if (lead === null) return same(noLead)
      const check = mayTransition(lead.state, action.state)
      if (!check.ok)
        return same(skipped(`a lead in the state ${lead.state} can change only to ${check.legal.join(", ")}`))
      return { contact, lead: { ...lead, state: action.state }, outcome: done(`${lead.state} to ${action.state}`) }
    }
    case "create_task": {
      // The default title contains the contact's name as text. It is not rendered as a template, because a contact
      // could write a template into the name.
      const defaultTitle = `${action.task_type.replaceAll("_", " ")} for ${contact.name ?? "a new contact"}`
      const title = action.title ?? defaultTitle.slice(0, maxTaskTitleLength).toWellFormed()
      yield* openTask(target, action.task_type, title, action.due_in_minutes)
      return same(done(title))
    }
    case "notify": {
      if (rendered === undefined) return same(skipped("its template was not rendered"))
      const { event, reason } = yield* notify(target, ruleId, action, rendered.text)
      return { ...same(done(reason)), event }
    }
    case "crm_action":
      return same(yield* queueCrmAction({ ...target, contact }, ruleId, position, action, rendered))
    case "reply":
      // The outcome is known only after the reply is sent, which is the last step.
      return same(done("see the reply step"))
    case "suppress_reply":
    case "stop":
      return same(done("see the reply and route steps"))
  }
})

/** Stores the changed lead, and returns the outbound events about it. */
const keepLead = Effect.fnUntraced(function* (before: Lead, after: Lead, scored: Scored, now: number) {
  yield* (yield* Leads).update(after, before)
  yield* recordScore(after, scored, now)
  yield* recordScoring(before, after, "system", now)
  yield* recordTransition(before, after, { actor: "system", reason: "a rule" }, now)
  const events = scoreEvents(before, after, scored)
  if (before.state === after.state) return events
  const from = { previous_state: before.state, reason: "a rule" }
  return [...events, leadEvent("lead.state_changed", after, from)]
})

/** The effects of a decision. */
export interface AppliedRun extends AppliedReply {
  readonly actions: ReadonlyArray<RunAction>
}

/**
 * Returns the title of the review task. A review is needed when the message could not be parsed, the run exceeded its
 * budget, or the model failed. Returns null otherwise.
 */
const reviewTitle = ({ message }: RunTarget, { overBudget }: RunDecision, recordings: Recordings): string | null => {
  if (unparsedReasonOf(message) !== null) return "A message could not be parsed: read its source"
  if (overBudget !== null) return `Not handled automatically: ${overBudget.reason}`
  const failure = modelFailed(recordings)
  return failure === null ? null : `Handled without the language model: ${failure}`
}

/** Marks a `reply` action as skipped when the run has neither created a draft nor sent a message. */
const withReply = (action: RunAction, { afterwards, reply }: AppliedReply, { steps }: RunDecision): RunAction => {
  if (action.type !== "reply" || reply !== null) return action
  const reason = afterwards ?? steps.find(({ step }) => step === "reply")?.reason
  return { ...action, outcome: "skipped", reason: reason === undefined ? "no reply" : describeReason(reason) }
}

/**
 * Applies the decision of a run. Runs inside the unit of work that ends the signal, so a retry cannot apply it twice.
 */
export const applyRun = Effect.fnUntraced(function* (target: RunTarget, decision: RunDecision, recordings: Recordings) {
  const { now, signalId } = target
  const { contactId, messageId, tenantId } = target.message
  let { lead } = target
  let contact = yield* withCompany(target.contact)
  const { classification, score } = decision
  const scored: Scored = { classification, score, messageId, signalId }
  if (lead !== null) lead = withScore(lead, scored, now)
  const actions: Array<RunAction> = []
  const events: Array<NewEvent> = []
  for (const wanted of decision.wanted) {
    const progress: Progress = yield* perform(target, wanted, contact, lead, actions.length)
    contact = progress.contact
    lead = progress.lead
    actions.push({ type: wanted.action.type, ruleId: wanted.ruleId, ...progress.outcome })
    if (progress.event !== undefined) events.push(progress.event)
  }
  if (contact !== target.contact) {
    contact = { ...contact, updatedAt: now }
    yield* (yield* Contacts).update(contact)
    events.push(contactEvent("contact.updated", contact))
  }
  if (lead !== null && target.lead !== null) {
    events.push(...(yield* keepLead(target.lead, lead, scored, now)))
  }
  yield* recordEvents(events, now)
  const review = reviewTitle(target, decision, recordings)
  if (review !== null) yield* openTask(target, "review", review.slice(0, maxTaskTitleLength))
  // The evaluations of guardrails are recorded even if the reply is not sent.
  const evaluations = decision.written?.evaluations ?? []
  if (evaluations.length > 0) {
    yield* recordGuardEvaluations({ tenantId, signalId, contactId, messageId, evaluations, at: now })
  }
  // The reply comes last, because sending it updates contact and lead once more.
  const answered = yield* sendReply(target, decision.replyFacts)
  return { actions: actions.map((action) => withReply(action, answered, decision)), ...answered } satisfies AppliedRun
})
