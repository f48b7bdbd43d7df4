import type { ConversationState } from "./InboxState.ts"

/** The number of conversations with the same state, assignee, team and shared unread state. */
export interface ConversationCount {
  readonly state: ConversationState
  /** An empty text stands for no assignee. */
  readonly assigneeId: string
  /** An empty text stands for no team. */
  readonly teamId: string
  readonly isUnread: boolean
  readonly conversations: number
}
