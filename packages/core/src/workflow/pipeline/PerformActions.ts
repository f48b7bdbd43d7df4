import { Effect } from "effect"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { normalizeTag } from "../../domain/contact/ContactFields.ts"
import { type Contact, maxTags } from "../../domain/contact/Contact.ts"
import { checkLossReason, withState } from "../../domain/lead/Deal.ts"
import { isId } from "../../domain/Id.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { mayTransition } from "../../domain/lead/LeadState.ts"
import type { Action, RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { withCompany } from "../contact/LinkCompany.ts"
import { reportMove } from "../deal/ReportMove.ts"
import { maxTaskTitleLength, openTask } from "../task/OpenTask.ts"
import { type Assignment, isSameAssignment } from "../../domain/user/Assignment.ts"
import { recordReassignment } from "../contact/RecordReassignment.ts"
import { assignByRule } from "../user/AssignWork.ts"
import { notify } from "./Notify.ts"
import { queueCrmAction } from "./QueueCrmAction.ts"

type AssignAction = Extract<Action, { readonly type: "assign" }>

interface Progress {
  readonly contact: Contact
  readonly lead: Lead | null
  readonly outcome: Omit<RunAction, "type" | "ruleId">
  /** An outbound event that is recorded together with the actions. */
  readonly event?: NewEvent
}

const done = (reason: string): Progress["outcome"] => ({ outcome: "done", reason })
const skipped = (reason: string): Progress["outcome"] => ({ outcome: "skipped", reason })
const noLead = skipped("the message belongs to no lead")

const describeAssignment = ({ assigneeId, teamId }: Assignment): string =>
  [assigneeId, teamId].filter((id) => id !== null).join(" of ")

/** Assigns a lead to a user, to a team, to a member of a team, or to a person by name. */
const assign = Effect.fnUntraced(function* ({ now, tenant }: ActionTarget, action: AssignAction, lead: Lead) {
  const { at_work: atWork = false, strategy = null, to } = action
  if (!isId("usr", to) && !isId("team", to)) return { lead: { ...lead, assignee: to }, outcome: done(`to ${to}`) }
  return yield* assignByRule(tenant, lead, to, { strategy, atWork }, now).pipe(
    Effect.map((assignment) => {
      const outcome = isSameAssignment(lead, assignment)
        ? skipped(`the lead is already assigned to ${describeAssignment(assignment)}`)
        : done(`to ${describeAssignment(assignment)}`)
      return { lead: { ...lead, ...assignment }, outcome }
    }),
    Effect.catchTag("AssignmentInvalid", ({ reason }) => Effect.succeed({ lead, outcome: skipped(reason) }))
  )
})

/** Carries out one action. Returns the changed contact and lead. The caller stores both at the end. */
const perform = Effect.fnUntraced(function* (
  target: ActionTarget,
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
      const { lead: assigned, outcome } = yield* assign(target, action, lead)
      return { contact, lead: assigned, outcome }
    }
    case "transition": {
      if (lead === null) return same(noLead)
      const check = mayTransition(lead.state, action.state)
      if (!check.ok)
        return same(skipped(`a lead in the state ${lead.state} can change only to ${check.legal.join(", ")}`))
      const refused = checkLossReason(target.tenant.config.deals, action.state, null)
      if (refused !== null) return same(skipped("a lost lead needs a loss reason, which an action cannot state"))
      return { contact, lead: withState(lead, action.state), outcome: done(`${lead.state} to ${action.state}`) }
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

/** The effects of actions. The changed contact is stored; the caller stores the lead and records the events. */
export interface PerformedActions {
  readonly contact: Contact
  readonly lead: Lead | null
  readonly actions: ReadonlyArray<RunAction>
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Carries out rendered actions in their order, links the contact to the company of its mail domain, and stores the
 * changed contact. Runs inside a unit of work.
 */
export const performActions = Effect.fnUntraced(function* (
  target: ActionTarget,
  wanted: ReadonlyArray<RequestedAction>
) {
  let { lead } = target
  let contact = yield* withCompany(target.contact)
  const actions: Array<RunAction> = []
  const events: Array<NewEvent> = []
  for (const each of wanted) {
    const progress: Progress = yield* perform(target, each, contact, lead, actions.length)
    contact = progress.contact
    lead = progress.lead
    actions.push({ type: each.action.type, ruleId: each.ruleId, ...progress.outcome })
    if (progress.event !== undefined) events.push(progress.event)
  }
  if (contact !== target.contact) {
    contact = { ...contact, updatedAt: target.now }
    yield* (yield* Contacts).update(contact)
    events.push(contactEvent("contact.updated", contact))
  }
  return { contact, lead, actions, events } satisfies PerformedActions
})

/**
 * Records changes of a lead's state, stage and assignment in the timeline, and returns the outbound events. Empty
 * without a change.
 */
export const reportLeadChange = Effect.fnUntraced(function* (
  before: Lead,
  after: Lead,
  by: Parameters<typeof reportMove>[2],
  now: number
) {
  return [...(yield* recordReassignment(before, after, by, now)), ...(yield* reportMove(before, after, by, now))]
})
