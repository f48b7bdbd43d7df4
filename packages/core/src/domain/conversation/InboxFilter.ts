import type { ConversationFilter, ConversationSort } from "./ConversationQuery.ts"

/** The filters of the inbox as a client sends them, and as a view stores them. */
export interface InboxFilter extends Omit<ConversationFilter, "aliases"> {
  /** Only conversations with mail to this address. */
  readonly alias: string | null
  /** The address of the connected account. Only conversations with mail to this account or its aliases. */
  readonly mailbox: string | null
  /** Words in the messages and in the contact's data. */
  readonly text: string | null
}

/** The filter that selects all conversations. */
export const noFilter: InboxFilter = {
  state: null,
  assigneeId: null,
  teamId: null,
  tags: [],
  priority: null,
  snoozeUntil: null,
  unread: null,
  channel: null,
  tier: null,
  leadState: null,
  alias: null,
  mailbox: null,
  text: null
}

/** The filters and the order of a list. */
export interface InboxView extends InboxFilter {
  readonly sort: ConversationSort
}
