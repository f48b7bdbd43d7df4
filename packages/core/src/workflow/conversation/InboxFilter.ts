import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { type ConversationFilter, allConversations } from "../../domain/conversation/ConversationQuery.ts"
import { senderAddresses } from "../../domain/email/Grant.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"

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

const addressesOf = Effect.fnUntraced(function* (tenantId: string, mailbox: string) {
  const grant = yield* (yield* Grants).current(tenantId)
  return grant === null || grant.email !== normalizeEmail(mailbox) ? [] : senderAddresses(grant)
})

/** Replaces the mailbox of a filter by its addresses. A mailbox that is not connected selects nothing. */
export const resolveFilter = Effect.fnUntraced(function* (tenantId: string, filter: InboxFilter) {
  const { alias, mailbox, text: _, ...rest } = filter
  const one = alias === null ? null : normalizeEmail(alias)
  if (mailbox === null) return { ...allConversations, ...rest, aliases: one === null ? null : [one] }
  const all = yield* addressesOf(tenantId, mailbox)
  return { ...allConversations, ...rest, aliases: one === null ? all : all.filter((address) => address === one) }
})
