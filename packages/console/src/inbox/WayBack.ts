import type { Conversation, ConversationChange } from "@leadloom/client"

/** The time in which a change of conversations can be taken back with one key, in seconds. */
export const undoSeconds = 10

/** Returns the change that restores the state of a conversation. */
const stateBack = ({ snooze_until, state }: Conversation): ConversationChange => {
  if (state === "snoozed" && snooze_until !== null) return { snooze_until }
  return state === "closed" ? { state } : { state: "open", snooze_until: null }
}

/**
 * Returns the change that restores what another change has changed. A closed conversation counts as read, so its unread
 * state returns too. The server does not restore since when the contact waits.
 */
export const wayBack = (former: Conversation, change: ConversationChange): ConversationChange => ({
  ...(change.state === undefined && change.snooze_until === undefined ? {} : stateBack(former)),
  ...(change.assignee_id === undefined ? {} : { assignee_id: former.assignee_id }),
  ...(change.team_id === undefined ? {} : { team_id: former.team_id }),
  ...(change.state === "closed" || change.unread !== undefined ? { unread: former.unread > 0 } : {})
})

/** The same change for several conversations. */
export interface SharedChange {
  readonly contactIds: ReadonlyArray<string>
  readonly change: ConversationChange
}

/** Returns the changes that restore conversations, one for all conversations that had the same state. */
export const waysBack = (
  formerRows: ReadonlyArray<Conversation>,
  change: ConversationChange
): ReadonlyArray<SharedChange> =>
  [...Map.groupBy(formerRows, (row) => JSON.stringify(wayBack(row, change))).values()].flatMap((rows) =>
    rows[0] === undefined ? [] : [{ contactIds: rows.map((row) => row.contact_id), change: wayBack(rows[0], change) }]
  )
