import { isLeadloomError, type MessageSent, type PendingDraft as Draft } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type RefObject, useRef } from "react"
import { flushSync } from "react-dom"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeSendFailure } from "../app/SendFailure.tsx"
import { Field } from "../component/Field.tsx"
import { noticeFailure, noticeSuccess, noticeUndo } from "../component/Notices.tsx"
import { composerText } from "../text/Composer.ts"
import { conversationText } from "../text/Conversation.ts"
import { conversationOptions, refreshConversation } from "../inbox/Cache.ts"
import { type DraftEdit, forgetEdit, useDraftEdit } from "./DraftEdits.ts"
import styles from "./PendingDraft.module.css"

/** The time in which an approved reply can be taken back, in seconds. */
const undoSeconds = 10

/** Returns whether nobody receives replies on the channel of the draft, for example after a form. */
const isWithoutReplies = ({ channel }: Draft): boolean => channel !== "email" && channel !== "sms"

/** Returns the functions that approve and dismiss a draft. The draft disappears at once and returns after a refusal. */
const useDecision = ({ contactEmail, contactId, draft }: PendingDraftProps) => {
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
  const approve = useMutation<MessageSent, Error, DraftEdit>({
    mutationFn: ({ body, subject }) =>
      client.conversations.approveDraft(tenantId, contactId, {
        draft_id,
        content_hash,
        head_message_id,
        undo_seconds: undoSeconds,
        ...(body === null ? {} : { body }),
        // The address of the contact may change, so the request names the one that the person saw.
        ...(isWithoutReplies(draft) && contactEmail !== null ? { subject, to: [{ email: contactEmail }] } : {})
      }),
    ...options,
    onSuccess: (sent) => noticeUndo(composerText.sent, undoSeconds, () => void undo(sent))
  })
  const dismiss = useMutation({
    mutationFn: () => client.conversations.dismissDraft(tenantId, contactId, { draft_id }),
    ...options,
    onSuccess: () => {
      forgetEdit(draft_id)
      noticeSuccess(conversationText.draft.dismissed)
    }
  })
  return { approve: approve.mutate, dismiss: dismiss.mutate }
}

const none: ReadonlyArray<Command> = []

/** The reason for which a draft cannot be approved; null if it can. */
const obstacleOf = ({ contactEmail, draft, isAnswered, newestMessageId }: PendingDraftProps): string | null => {
  if (isAnswered) return conversationText.draft.answered
  if (newestMessageId !== null && newestMessageId !== draft.head_message_id) return conversationText.draft.stale
  return isWithoutReplies(draft) && contactEmail === null ? conversationText.draft.unreachable : null
}

/** The text of the draft, or the field in which the person changes it. */
const DraftBody = ({ body, draft, field, onApprove, onChange }: DraftBodyProps) =>
  body === null ? (
    <p className={styles.body}>{draft.text}</p>
  ) : (
    <textarea
      ref={field}
      rows={6}
      aria-label={conversationText.draft.title}
      value={body}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === "Escape") event.currentTarget.blur()
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        onApprove()
      }}
    />
  )

interface DraftBodyProps {
  readonly body: string | null
  readonly draft: Draft
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onApprove: () => void
  readonly onChange: (body: string) => void
}

/** Returns the edit of a draft, and what its key and its buttons do. */
const useApproval = (props: PendingDraftProps) => {
  const { draft } = props
  const [edit, change] = useDraftEdit(draft.draft_id)
  const field = useRef<HTMLTextAreaElement>(null)
  const subject = useRef<HTMLInputElement>(null)
  const decision = useDecision(props)
  const obstacle = obstacleOf(props)
  const needsSubject = isWithoutReplies(draft)
  const approve = (): void => {
    if (obstacle !== null) return
    if (needsSubject && edit.subject.trim() === "") subject.current?.focus()
    else decision.approve(edit)
  }
  useOfferedCommands(obstacle === null ? [{ label: conversationText.draft.approve, hint: "a", pick: approve }] : none)
  const begin = (): void => {
    flushSync(() => change({ body: draft.text }))
    field.current?.focus()
  }
  return { approve, begin, change, dismiss: decision.dismiss, edit, field, needsSubject, obstacle, subject }
}

interface PendingDraftProps {
  readonly contactId: string
  /** The address of the contact, to which the reply to a form is sent; null: none. */
  readonly contactEmail: string | null
  readonly draft: Draft
  readonly newestMessageId: string | null
  /** Whether another reply is being sent. */
  readonly isAnswered: boolean
}

/** The reply of the pipeline that waits for approval. A newer message and another reply disable the approval. */
export const PendingDraft = (props: PendingDraftProps) => {
  const { contactEmail, draft } = props
  const { approve, begin, change, dismiss, edit, field, needsSubject, obstacle, subject } = useApproval(props)
  return (
    <section className={styles.draft} aria-label={conversationText.draft.title}>
      <h2>{conversationText.draft.title}</h2>
      {needsSubject && contactEmail !== null ? (
        <Field label={composerText.email.subject} hint={conversationText.draft.byEmail(contactEmail)}>
          {(control) => (
            <input
              {...control}
              ref={subject}
              required
              maxLength={998}
              value={edit.subject}
              onChange={(event) => change({ subject: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <DraftBody
        body={edit.body}
        draft={draft}
        field={field}
        onApprove={approve}
        onChange={(body) => change({ body })}
      />
      {obstacle === null ? null : <p role="alert">{obstacle}</p>}
      <div className={styles.actions}>
        <button type="button" data-primary aria-disabled={obstacle !== null} aria-keyshortcuts="a" onClick={approve}>
          {conversationText.draft.approve}
        </button>
        {edit.body === null ? (
          <button type="button" onClick={begin}>
            {conversationText.draft.edit}
          </button>
        ) : (
          <button type="button" onClick={() => change({ body: null })}>
            {conversationText.draft.cancel}
          </button>
        )}
        <button type="button" onClick={() => dismiss()}>
          {conversationText.draft.dismiss}
        </button>
      </div>
    </section>
  )
}
