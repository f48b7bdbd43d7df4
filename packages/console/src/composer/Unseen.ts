import type { Message, Note } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useEffectEvent, useRef } from "react"
import { useConnection } from "../app/Connection.ts"
import { conversationOptions, refreshConversation } from "../inbox/Cache.ts"
import { notesOptions } from "./Notes.ts"

/** An answer or a note of another person arrived after the person began to write. */
export class UnseenAnswer extends Error {}

const isByOther = (userId: string | null, entry: Message | Note): boolean =>
  "actor" in entry ? entry.actor === "agent" && entry.user_id !== userId : entry.author_id !== userId

/**
 * Returns the function that reads the conversation again and rejects with `UnseenAnswer` if another person has answered
 * or left a note since the person began to write. The next call accepts the entries that this one has reported.
 */
export const useUnseenCheck = (contactId: string, isWriting: boolean): (() => Promise<void>) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const seen = useRef<ReadonlySet<string>>(new Set())
  const entries = (): ReadonlyArray<Message | Note> => [
    ...(queries.getQueryData(conversationOptions(connection, contactId).queryKey)?.pages[0]?.messages ?? []),
    ...(queries.getQueryData(notesOptions(connection, contactId).queryKey) ?? [])
  ]
  const look = (): void => {
    seen.current = new Set(entries().map(({ id }) => id))
  }
  // Notes that the first read brings were there before the person began to write.
  const { isSuccess } = useQuery(notesOptions(connection, contactId))
  const isStarted = isWriting && isSuccess
  const start = useEffectEvent((hasText: boolean) => {
    if (hasText) look()
  })
  useEffect(() => start(isStarted), [isStarted])
  return async () => {
    await refreshConversation(queries, connection, contactId)
    await queries.fetchQuery({ ...notesOptions(connection, contactId), staleTime: 0 })
    const isUnseen = entries().some((entry) => !seen.current.has(entry.id) && isByOther(connection.userId, entry))
    look()
    if (isUnseen) throw new UnseenAnswer()
  }
}
