/**
 * Renders and carries out the actions of rules and macros. Their types belong to `domain/rule`, the decision which rules
 * match to `workflow/pipeline` and `workflow/trigger`. Tests: `packages/testkit/src/suite/pipeline`,
 * `packages/testkit/src/suite/macro`.
 */
import { Effect } from "effect"
import { contactChangeEvent } from "../../domain/contact/ContactEvent.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { leadUpdateEvents } from "../../domain/lead/LeadUpdate.ts"
import type { Action, RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { reportMove } from "../deal/ReportMove.ts"
import { hasOpenTask, maxTaskTitleLength, openTask } from "../task/OpenTask.ts"
import { recordReassignment } from "../contact/RecordReassignment.ts"
import { storeConversation } from "../conversation/StoreConversation.ts"
import { type ActionState, assign, conversationToChange, done, skipped } from "./AssignAction.ts"
import { putAside } from "./ConversationActions.ts"
import { notify } from "./Notify.ts"
import { queueCall } from "./QueueCall.ts"
import { queueForward } from "./QueueForward.ts"
import { addRuleNote, moveStage, setField, tag, transition, untag } from "./RecordActions.ts"
import { queueCrmAction } from "./QueueCrmAction.ts"

type CreateTask = Extract<Action, { readonly type: "create_task" }>

/** The types of tasks at the start of a title. */
const taskNames: Readonly<Record<CreateTask["task_type"], string>> = {
  reply_approval: "Approve a reply",
  callback: "Call back",
  follow_up: "Follow up",
  review: "Review"
}

interface Progress extends ActionState {
  readonly outcome: Omit<RunAction, "type" | "ruleId">
  /** An outbound event that is recorded together with the actions. */
  readonly event?: NewEvent
}

const createTask = Effect.fnUntraced(function* (target: ActionTarget, action: CreateTask) {
  const { due_in_minutes: dueInMinutes, priority, task_type: type } = action
  // The default title contains the contact's name as text. It is not rendered as a template, because a contact
  // could write a template into the name.
  const defaultTitle = `${taskNames[type]} for ${target.contact.name ?? "a new contact"}`
  const title = action.title ?? defaultTitle.slice(0, maxTaskTitleLength).toWellFormed()
  if (action.unless_open === true && (yield* hasOpenTask(target, type, title))) {
    return skipped("the contact has an open task with this title")
  }
  yield* openTask(target, type, title, { dueInMinutes, priority })
  return done(title)
})

/** Carries out one action. Returns the changed records. The caller stores them at the end. */
const perform = Effect.fnUntraced(function* (
  target: ActionTarget,
  { action, rendered, ruleId }: RequestedAction,
  state: ActionState,
  position: number
) {
  const { contact } = state
  const same = (outcome: Progress["outcome"]): Progress => ({ ...state, outcome })
  if (rendered !== undefined && "failure" in rendered) return same(skipped(rendered.failure))
  switch (action.type) {
    case "tag":
      return tag(action, state)
    case "untag":
      return untag(action, state)
    case "set_field":
      return yield* setField(action, state)
    case "add_note":
      return same(yield* addRuleNote(target, ruleId, rendered))
    case "move_stage":
      return yield* moveStage(target, action, state)
    case "assign":
      return yield* assign(target, action, state)
    case "transition":
      return transition(target, action, state)
    case "create_task":
      return same(yield* createTask({ ...target, contact }, action))
    case "notify": {
      if (rendered === undefined) return same(skipped("its template was not rendered"))
      const { event, reason } = yield* notify(target, ruleId, action, rendered.text)
      return { ...same(done(reason)), event }
    }
    case "crm_action":
      return same(yield* queueCrmAction({ ...target, contact }, ruleId, position, action, rendered))
    case "call_webhook":
      return same(yield* queueCall({ ...target, contact }, ruleId, position, action))
    case "forward":
      return same(yield* queueForward({ ...target, contact }, ruleId, position, action, rendered))
    case "reply":
      // The outcome is known only after the reply is sent, which is the last step.
      return same(done("see the reply step"))
    case "close_conversation":
    case "snooze_conversation":
      return yield* putAside(target, action, state)
    case "start_sequence":
    case "stop_sequence":
    case "send_template":
      // `performSequenceActions` replaces the outcome, because an enrolment reads the stored contact and lead.
      return same(skipped("not carried out"))
    case "suppress_reply":
    case "stop":
      return same(done("see the reply and route steps"))
  }
})

/** Returns the row of a conversation with the state of its lead after the actions, which the caller stores later. */
const withLead = (conversation: Conversation, lead: Lead | null): Conversation =>
  lead === null || lead.leadId !== conversation.leadId
    ? conversation
    : { ...conversation, leadState: lead.state, tier: lead.tier }

/** Stores the changed contact and conversation. Returns the contact and the outbound events. */
const storeChanges = Effect.fnUntraced(function* (target: ActionTarget, before: ActionState, after: ActionState) {
  const events: Array<NewEvent> = []
  let { contact } = after
  if (contact !== target.contact) {
    contact = { ...contact, updatedAt: target.now }
    yield* (yield* Contacts).update(contact)
    events.push(contactChangeEvent(target.contact, contact))
  }
  if (before.conversation !== null && after.conversation !== null) {
    const actor = target.actor ?? (target.signalId === null ? "agent" : "system")
    const { tenantId } = target.tenant
    const row = withLead(after.conversation, after.lead)
    events.push(...(yield* storeConversation(tenantId, before.conversation, row, actor)))
  }
  return { contact, events }
})

/**
 * The effects of actions. The changed contact and conversation are stored; the caller stores the lead, records the
 * events, and then calls `performSequenceActions`.
 */
export interface PerformedActions {
  readonly contact: Contact
  readonly lead: Lead | null
  readonly actions: ReadonlyArray<RunAction>
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Carries out rendered actions in their order, and stores the changed contact and conversation. Runs inside a unit of
 * work.
 */
export const performActions = Effect.fnUntraced(function* (
  target: ActionTarget,
  wanted: ReadonlyArray<RequestedAction>
) {
  const before: ActionState = {
    contact: target.contact,
    lead: target.lead,
    conversation: yield* conversationToChange(target, wanted)
  }
  let state = before
  const actions: Array<RunAction> = []
  const events: Array<NewEvent> = []
  for (const each of wanted) {
    const { event, outcome, ...after }: Progress = yield* perform(target, each, state, actions.length)
    state = after
    actions.push({ type: each.action.type, ruleId: each.ruleId, ...outcome })
    if (event !== undefined) events.push(event)
  }
  const stored = yield* storeChanges(target, before, state)
  const { lead } = state
  return { contact: stored.contact, lead, actions, events: [...events, ...stored.events] } satisfies PerformedActions
})

/**
 * Records changes of a lead's state, stage and assignment in the timeline, and returns the outbound events, also about
 * its fields. Empty without a change.
 */
export const reportLeadChange = Effect.fnUntraced(function* (
  before: Lead,
  after: Lead,
  by: Parameters<typeof reportMove>[2],
  now: number
) {
  const reassigned = yield* recordReassignment(before, after, by, now)
  return [...leadUpdateEvents(before, after), ...reassigned, ...(yield* reportMove(before, after, by, now))]
})
