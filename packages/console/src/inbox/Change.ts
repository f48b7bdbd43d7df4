import type { Conversation, ConversationChange } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { conversationText } from "../text/Conversation.ts"
import { applyRow, cachedRow } from "./Cache.ts"

type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }

const definedOf = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

/** Returns the expected row after a change. The response of the server replaces it. */
export const expectedRow = (row: Conversation, { unread, ...fields }: ConversationChange): Conversation => {
  const isSnoozed = typeof fields.snooze_until === "string"
  const wakes = row.state === "snoozed" && (fields.snooze_until === null || fields.state === "open")
  const closes = fields.state === "closed"
  return {
    ...row,
    ...definedOf(fields),
    ...(isSnoozed ? { state: "snoozed" as const } : {}),
    ...(wakes ? { state: "open" as const, snooze_until: null } : {}),
    ...(closes ? { waiting_since: null, snooze_until: null } : {}),
    unread: closes || unread === false ? 0 : unread === true ? Math.max(1, row.unread) : row.unread
  }
}

/**
 * Returns the function that changes a conversation. The lists show the expected row immediately. If the server refuses
 * the change, they show the former row again and a notice says why.
 */
export const useChange = (contactId: string): ((change: ConversationChange) => void) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const { mutate } = useMutation({
    mutationFn: (change: ConversationChange) => client.inbox.update(tenantId, contactId, change),
    onMutate: (change) => {
      const former = cachedRow(queries, connection, contactId)
      if (former !== null) applyRow(queries, connection, expectedRow(former, change))
      return former
    },
    onSuccess: (row) => applyRow(queries, connection, row),
    onError: (error, _, former) => {
      if (former !== undefined && former !== null) applyRow(queries, connection, former)
      noticeFailure(conversationText.actions.failed(problemText(error)))
    }
  })
  return mutate
}
