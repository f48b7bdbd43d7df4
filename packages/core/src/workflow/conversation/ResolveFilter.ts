import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { allConversations } from "../../domain/conversation/ConversationQuery.ts"
import type { InboxFilter } from "../../domain/conversation/InboxFilter.ts"
import { senderAddresses } from "../../domain/email/Grant.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"

const addressesOf = Effect.fnUntraced(function* (tenantId: string, mailbox: string) {
  const accounts = yield* (yield* Grants).list(tenantId)
  const account = accounts.find(({ email }) => email === normalizeEmail(mailbox))
  return account === undefined ? [] : senderAddresses(account)
})

/**
 * Replaces the mailbox of a filter by its addresses. A mailbox that is not connected selects nothing. A filter by the
 * end of the snooze selects snoozed conversations, so that a list reads only these.
 */
export const resolveFilter = Effect.fnUntraced(function* (tenantId: string, filter: InboxFilter) {
  const { alias, mailbox, text: _, ...rest } = filter
  const one = alias === null ? null : normalizeEmail(alias)
  const state = rest.state ?? (rest.snoozeUntil === null ? null : "snoozed")
  const selected = { ...allConversations, ...rest, state }
  if (mailbox === null) return { ...selected, aliases: one === null ? null : [one] }
  const all = yield* addressesOf(tenantId, mailbox)
  return { ...selected, aliases: one === null ? all : all.filter((address) => address === one) }
})
