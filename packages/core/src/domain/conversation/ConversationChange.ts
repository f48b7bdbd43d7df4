import { TaggedError } from "../TaggedError.ts"
import type { TeamId, UserId } from "../Id.ts"
import type { InboxState } from "./InboxState.ts"

/**
 * The fields of a conversation that a person may set. An absent field stays unchanged. A time in `snoozeUntil` snoozes
 * the conversation, and null ends the snooze. `unread` sets the unread state of the acting user.
 */
export interface ConversationChange extends Partial<Pick<InboxState, "priority" | "snoozeUntil" | "state">> {
  readonly assigneeId?: string | null
  readonly teamId?: string | null
  readonly tags?: ReadonlyArray<string>
  readonly unread?: boolean
}

/** A change whose user and team exist. */
export interface CheckedChange extends Omit<ConversationChange, "assigneeId" | "teamId"> {
  readonly assigneeId?: UserId | null
  readonly teamId?: TeamId | null
}

/** A requested change is invalid. `issues` names the fields. */
export class ConversationChangeInvalid extends TaggedError("ConversationChangeInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

type Sleep = Pick<InboxState, "snoozeUntil" | "state">

const invalid = (message: string): ConversationChangeInvalid =>
  new ConversationChangeInvalid({ issues: [{ path: "snooze_until", message }] })

/** Returns the state and the end of the snooze after a change, or the issue if the change is invalid. */
const sleepAfter = (
  before: InboxState,
  { snoozeUntil, state }: CheckedChange,
  now: number
): Sleep | ConversationChangeInvalid => {
  const wanted = state ?? (snoozeUntil === undefined || snoozeUntil === null ? null : "snoozed")
  if (wanted === "snoozed") {
    const until = snoozeUntil === undefined ? before.snoozeUntil : snoozeUntil
    if (until === null) return invalid("A snoozed conversation needs an end. Send `snooze_until`.")
    return until <= now ? invalid("Expected a time in the future.") : { state: "snoozed", snoozeUntil: until }
  }
  if (snoozeUntil !== undefined && snoozeUntil !== null) {
    return invalid(`Only a snoozed conversation has an end. Send the state snoozed instead of ${wanted}.`)
  }
  if (wanted !== null) return { state: wanted, snoozeUntil: null }
  return snoozeUntil === null && before.state === "snoozed" ? { state: "open", snoozeUntil: null } : before
}

const withoutRepetitions = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)]

/** Returns the inbox state after a change. A closed conversation no longer waits for an answer. */
export const applyChange = (
  before: InboxState,
  change: CheckedChange,
  now: number
): InboxState | ConversationChangeInvalid => {
  const sleep = sleepAfter(before, change, now)
  if (sleep instanceof ConversationChangeInvalid) return sleep
  return {
    state: sleep.state,
    snoozeUntil: sleep.snoozeUntil,
    assigneeId: change.assigneeId === undefined ? before.assigneeId : change.assigneeId,
    teamId: change.teamId === undefined ? before.teamId : change.teamId,
    tags: change.tags === undefined ? before.tags : withoutRepetitions(change.tags),
    priority: change.priority ?? before.priority,
    waitingSince: sleep.state === "closed" ? null : before.waitingSince
  }
}

/** The fields of the inbox state by their names in JSON. */
const wireNames = {
  state: "state",
  assigneeId: "assignee_id",
  teamId: "team_id",
  tags: "tags",
  priority: "priority",
  snoozeUntil: "snooze_until",
  waitingSince: "waiting_since"
} as const

/** The names of the fields that events report as changed. */
export type ChangedField = (typeof wireNames)[keyof typeof wireNames]

/** Returns the names of the fields that differ. */
export const changedFields = (before: InboxState, after: InboxState): ReadonlyArray<ChangedField> => {
  const names: ReadonlyArray<keyof typeof wireNames> = [
    "state",
    "assigneeId",
    "teamId",
    "tags",
    "priority",
    "snoozeUntil",
    "waitingSince"
  ]
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => wireNames[name])
}
