import { isLeadloomError, type MessageSent, type PendingDraft as Draft } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeSendFailure } from "../app/SendFailure.tsx"
import { noticeFailure, noticeSuccess, noticeUndo } from "../component/Notices.tsx"
import { composerText } from "../text/Composer.ts"
import { conversationText } from "../text/Conversation.ts"
import { conversationOptions, refreshConversation } from "../inbox/Cache.ts"
import styles from "./PendingDraft.module.css"

/** The time in which an approved reply can be taken back, in seconds. */
const undoSeconds = 10

/** Returns the functions that approve and dismiss a draft. The draft disappears at once and returns after a refusal. */
const useDecision = (contactId: string, draft: Draft) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const { queryKey } = conversationOptions(connection, contactId)
  const show = (shown: Draft | null): void => {
    queries.setQueryData(queryKey, (pages) =>
      pages === undefined
        ? undefined
        : { ...pages, pages: pages.pages.map((page, at) => (at === 0 ? { ...page, pending_draft: shown } : page)) }
    )
  }
  const undo = async ({ message_id }: MessageSent): Promise<void> => {
    try {
      await client.scheduled.cancel(tenantId, message_id)
      noticeSuccess(conversationText.draft.restored)
    } catch (error) {
      noticeFailure(
        isLeadloomError(error, "CONFLICT") ? composerText.tooLate : composerText.notUndone(problemText(error))
      )
    }
    await refreshConversation(queries, connection, contactId).catch(() => undefined)
  }
  const options = {
    onMutate: () => show(null),
    onError: (error: Error) => {
      show(draft)
      noticeSendFailure(connection, error, conversationText.draft.failed)
    },
    // The response contains no page. The read shows the sent message, or the newer draft that caused the refusal.
    onSettled: () => refreshConversation(queries, connection, contactId).catch(() => undefined)
  }
  const { content_hash, draft_id, head_message_id } = draft
  const approve = useMutation<MessageSent, Error, string | null>({
    mutationFn: (body) =>
      client.conversations.approveDraft(tenantId, contactId, {
        draft_id,
        content_hash,
        head_message_id,
        undo_seconds: undoSeconds,
        ...(body === null ? {} : { body })
      }),
    ...options,
    onSuccess: (sent) => noticeUndo(composerText.sent, undoSeconds, () => void undo(sent))
  })
  const dismiss = useMutation({
    mutationFn: () => client.conversations.dismissDraft(tenantId, contactId, { draft_id }),
    ...options,
    onSuccess: () => noticeSuccess(conversationText.draft.dismissed)
  })
  return { approve: approve.mutate, dismiss: dismiss.mutate }
}

const none: ReadonlyArray<Command> = []

interface PendingDraftProps {
  readonly contactId: string
  readonly draft: Draft
  readonly newestMessageId: string | null
}

/** The reply of the pipeline that waits for approval. A newer message disables the approval. */
export const PendingDraft = ({ contactId, draft, newestMessageId }: PendingDraftProps) => {
  const [edited, setEdited] = useState<string | null>(null)
  const { approve, dismiss } = useDecision(contactId, draft)
  const isStale = newestMessageId !== null && newestMessageId !== draft.head_message_id
  useOfferedCommands(
    useMemo(
      () => (isStale ? none : [{ label: conversationText.draft.approve, hint: "a", pick: () => approve(edited) }]),
      [isStale, approve, edited]
    )
  )
  return (
    <section className={styles.draft} aria-label={conversationText.draft.title}>
      <h2>{conversationText.draft.title}</h2>
      {edited === null ? (
        <p className={styles.body}>{draft.text}</p>
      ) : (
        <textarea
          rows={6}
          aria-label={conversationText.draft.title}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
        />
      )}
      {isStale ? <p role="alert">{conversationText.draft.stale}</p> : null}
      <div className={styles.actions}>
        <button type="button" disabled={isStale} aria-keyshortcuts="a" onClick={() => approve(edited)}>
          {conversationText.draft.approve}
        </button>
        {edited === null ? (
          <button type="button" onClick={() => setEdited(draft.text)}>
            {conversationText.draft.edit}
          </button>
        ) : null}
        <button type="button" onClick={() => dismiss()}>
          {conversationText.draft.dismiss}
        </button>
      </div>
    </section>
  )
}
