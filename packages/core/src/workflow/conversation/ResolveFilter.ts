import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { allConversations } from "../../domain/conversation/ConversationQuery.ts"
import type { InboxFilter } from "../../domain/conversation/InboxFilter.ts"
import { senderAddresses } from "../../domain/email/Grant.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"

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
