/**
 * One open conversation: messages, drafts, the composer and facts about the contact. The list next to it belongs in
 * `inbox`. Tests: `packages/console/test`.
 */
import type { Conversation } from "@leadloom/client"
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useEffect, useMemo, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { Loading, Problem } from "../component/Problem.tsx"
import { applyRow, cachedRow, conversationOptions } from "../inbox/Cache.ts"
import { Composer } from "../composer/Composer.tsx"
import { useReportPresence } from "../composer/Presence.ts"
import { ContactPanel } from "./ContactPanel.tsx"
import { ConversationHead } from "./ConversationHead.tsx"
import { text } from "../text/Shared.ts"
import styles from "./ConversationPage.module.css"
import { Thread } from "./Thread.tsx"

/** Marks the shown messages as read when the conversation has unread ones. */
const useReadMark = (row: Conversation | undefined, newestId: string | undefined): void => {
  const queries = useQueryClient()
  const connection = useConnection()
  const contactId = row?.contact_id
  useEffect(() => {
    const current = contactId === undefined ? null : cachedRow(queries, connection, contactId)
    if (current === null || current.unread === 0 || newestId === undefined) return
    connection.client.conversations
      .markRead(connection.tenantId, current.contact_id, { message_id: newestId })
      .then(() => {
        // The person may have changed the conversation since the request, for example closed it.
        const latest = cachedRow(queries, connection, current.contact_id) ?? current
        applyRow(queries, connection, { ...latest, unread: 0 })
      })
      // The conversation stays unread, as on the server.
      .catch(() => undefined)
  }, [queries, connection, contactId, newestId])
}

/** The page of one conversation. */
export const ConversationPage = () => {
  const { contactId } = useParams({ from: "/signed-in/inbox/$contactId" })
  const [isPanelOpen, setPanelOpen] = useState(() => matchMedia("(min-width: 1200px)").matches)
  const conversation = useInfiniteQuery(conversationOptions(useConnection(), contactId))
  const newest = conversation.data?.pages[0]
  const messages = useMemo(
    () => conversation.data?.pages.toReversed().flatMap((page) => page.messages) ?? [],
    [conversation.data]
  )
  const reportTyping = useReportPresence(contactId)
  useReadMark(newest?.conversation, newest?.messages.at(-1)?.id)
  if (newest === undefined || conversation.data === undefined) {
    return conversation.isError ? (
      <Problem message={problemText(conversation.error)} onRetry={() => void conversation.refetch()} />
    ) : (
      <Loading />
    )
  }
  const { contact_email: email, contact_name: name } = newest.conversation
  return (
    <div className={isPanelOpen ? styles.withPanel : styles.page}>
      <title>{text.pageTitle(name ?? email ?? text.unknownContact)}</title>
      <article className={styles.conversation} key={contactId}>
        <ConversationHead
          row={newest.conversation}
          isPanelOpen={isPanelOpen}
          onPanel={() => setPanelOpen(!isPanelOpen)}
        />
        <Thread
          contactId={contactId}
          data={conversation.data}
          older={
            conversation.hasNextPage
              ? {
                  read: conversation.fetchNextPage,
                  isReading: conversation.isFetchingNextPage,
                  problem: conversation.isFetchNextPageError ? problemText(conversation.error) : null
                }
              : null
          }
        />
        <Composer contactId={contactId} messages={messages} onTyping={reportTyping} />
      </article>
      {isPanelOpen ? <ContactPanel contactId={contactId} onClose={() => setPanelOpen(false)} /> : null}
    </div>
  )
}
