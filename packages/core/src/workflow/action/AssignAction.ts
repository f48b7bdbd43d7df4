import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import { isId } from "../../domain/Id.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { Action, RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { type Assignment, isSameAssignment } from "../../domain/user/Assignment.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { assignByRule, type MemberChoice } from "../user/AssignWork.ts"

/** The records that the actions of one run or macro change. */
export interface ActionState {
  readonly contact: Contact
  readonly lead: Lead | null
  /** Null if no action changes it, or if the contact has no conversation. */
  readonly conversation: Conversation | null
}

type Outcome = Omit<RunAction, "type" | "ruleId">

export const done = (reason: string): Outcome => ({ outcome: "done", reason })
export const skipped = (reason: string): Outcome => ({ outcome: "skipped", reason })
export const noLead = skipped("the message belongs to no lead")

type AssignAction = Extract<Action, { readonly type: "assign" }>

const namesUserOrTeam = ({ to }: AssignAction): boolean => isId("usr", to) || isId("team", to)

const changesConversation = (action: Action): boolean => {
  if (action.type === "assign") return namesUserOrTeam(action)
  return action.type === "close_conversation" || action.type === "snooze_conversation"
}

/** Returns the conversation of the contact if an action changes it. */
export const conversationToChange = Effect.fnUntraced(function* (
  { contact, tenant }: ActionTarget,
  wanted: ReadonlyArray<RequestedAction>
) {
  if (!wanted.some(({ action }) => changesConversation(action))) return null
  const find = (yield* Conversations).get(tenant.tenantId, contact.contactId)
  return yield* Effect.catchTag(find, "ConversationNotFound", () => Effect.succeed(null))
})

const describeAssignment = ({ assigneeId, teamId }: Assignment): string =>
  [assigneeId, teamId].filter((id) => id !== null).join(" of ")

/** Assigns the lead and the conversation to a user or a team. */
const assignWork = Effect.fnUntraced(function* (
  { now, tenant }: ActionTarget,
  action: AssignAction,
  state: ActionState
) {
  const choice: MemberChoice = { strategy: action.strategy ?? null, atWork: action.at_work ?? false }
  const { conversation, lead } = state
  const work: ReadonlyArray<Assignment> = [lead, conversation].filter((record) => record !== null)
  const [first] = work
  if (first === undefined) return { ...state, outcome: noLead }
  const assigned = yield* assignByRule(tenant, work, action.to, choice, now)
  const receiver = describeAssignment(assigned(first))
  const isSame = work.every((before) => isSameAssignment(before, assigned(before)))
  return {
    contact: state.contact,
    lead: lead === null ? null : { ...lead, ...assigned(lead) },
    conversation: conversation === null ? null : { ...conversation, ...assigned(conversation) },
    outcome: isSame ? skipped(`already assigned to ${receiver}`) : done(`to ${receiver}`)
  }
})

/**
 * Assigns the lead and the conversation of a contact to a user, to a team, or to a member of a team. The name of a
 * person without a user is stored in the lead only.
 */
export const assign = (target: ActionTarget, action: AssignAction, state: ActionState) => {
  const { lead } = state
  if (namesUserOrTeam(action)) {
    return assignWork(target, action, state).pipe(
      Effect.catchTag("AssignmentInvalid", ({ reason }) => Effect.succeed({ ...state, outcome: skipped(reason) }))
    )
  }
  return Effect.succeed(
    lead === null
      ? { ...state, outcome: noLead }
      : { ...state, lead: { ...lead, assignee: action.to }, outcome: done(`to ${action.to}`) }
  )
}
