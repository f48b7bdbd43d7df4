import { isLeadloomError, type ScheduledMessage } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { reasonText } from "../app/RejectedFields.ts"
import { noticeFailure, noticeSuccess } from "../component/Notices.tsx"
import { emptyContent, joined } from "../composer/DraftContent.ts"
import { currentKeeper } from "../composer/DraftKeeper.ts"
import { Unsaved } from "../form/Unsaved.tsx"
import { refreshConversation } from "../inbox/Cache.ts"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import styles from "./MessageItem.module.css"

const { scheduled: shown } = conversationText

const isEndedState = (value: unknown): value is keyof typeof shown.states =>
  typeof value === "string" && value in shown.states

/** Returns why the server refused a text, in words that name no id. */
const refusalOf = (error: Error): string => {
  const details: unknown = isLeadloomError(error, "CONFLICT") ? error.details : null
  const state = typeof details === "object" && details !== null && "state" in details ? details.state : null
  return isEndedState(state) ? shown.states[state] : reasonText(error)
}

/** Returns the function that puts a text into the reply of the same channel; it returns whether there is one. */
const useReply = ({ channel, contact_id }: ScheduledMessage) => {
  const connection = useConnection()
  return (body: string): boolean => {
    const keeper = currentKeeper(connection, { contactId: contact_id, channel })
    keeper?.write({ body: joined({ ...emptyContent, body }, keeper.read().content).body })
    if (keeper === null) noticeFailure(shown.notInReply(text.channels[channel]))
    else noticeSuccess(shown.inReply(text.channels[channel]))
    return keeper !== null
  }
}

/** Returns the function that stores a text, and its state. */
const useSave = ({ contact_id, message_id, version }: ScheduledMessage, onSaved: () => void) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  // After a refusal, the person sees the current text, so that the next attempt may replace it.
  const [seen, setSeen] = useState<number | null>(version)
  const refresh = () => refreshConversation(queries, connection, contact_id).catch(() => undefined)
  return useMutation({
    mutationFn: (body: string) => client.scheduled.update(tenantId, message_id, { body, version: seen ?? version }),
    onSuccess: async () => {
      await refresh()
      onSaved()
    },
    onError: async () => {
      await refresh()
      setSeen(null)
    }
  })
}

interface EditProps {
  readonly scheduled: ScheduledMessage
  /** Whether the message no longer waits, so that the text cannot be saved any more. */
  readonly isEnded: boolean
  readonly onClose: () => void
}

/** Returns why the text is not saved; null if it can be. */
const problemOf = (error: Error | null, isEnded: boolean): string | null => {
  const reason = error === null ? null : refusalOf(error)
  if (isEnded) return shown.tooLate(reason ?? shown.noLonger)
  return reason === null ? null : shown.refused(reason)
}

/** Changes the text of a scheduled message. The text stays in the field until it is saved, or the person discards it. */
export const EditScheduled = ({ isEnded, onClose, scheduled }: EditProps) => {
  const id = useId()
  const [former] = useState(scheduled.body)
  const [edited, setEdited] = useState(former)
  const { error, isPending, mutate } = useSave(scheduled, onClose)
  const reply = useReply(scheduled)
  const problem = problemOf(error, isEnded)
  // While the own text has just been saved, the message already has it.
  const isOfColleague = scheduled.body !== former && scheduled.body !== edited
  return (
    <>
      <Unsaved isChanged={edited !== former} />
      {isOfColleague ? (
        <>
          <p>{shown.current}</p>
          <p className={styles.body}>{scheduled.body}</p>
        </>
      ) : null}
      <textarea
        rows={4}
        aria-label={shown.text}
        aria-describedby={problem === null ? undefined : id}
        value={edited}
        onChange={(event) => setEdited(event.target.value)}
      />
      {problem === null ? null : (
        <p id={id} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.actions}>
        {isEnded ? null : (
          <button type="button" disabled={isPending || edited.trim() === ""} onClick={() => mutate(edited)}>
            {shown.save}
          </button>
        )}
        {problem === null ? null : (
          <button type="button" disabled={edited.trim() === ""} onClick={() => reply(edited) && onClose()}>
            {shown.toReply}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {shown.discard}
        </button>
      </div>
    </>
  )
}
