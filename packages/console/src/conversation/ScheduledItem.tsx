import type { ScheduledMessage } from "@leadloom/client"
import { isHtml } from "@leadloom/core/internal/domain/email/InsertSignature"
import { useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { type ImageLinks, MailFrame } from "../component/MailFrame.tsx"
import type { Timing } from "../composer/Send.ts"
import { longTime } from "../design/Time.ts"
import { refreshConversation } from "../inbox/Cache.ts"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import { EditScheduled } from "./EditScheduled.tsx"
import styles from "./MessageItem.module.css"

const { scheduled: shown } = conversationText

const SendLater = lazy(() => import("../composer/SendLater.tsx").then((module) => ({ default: module.SendLater })))

/** Returns the functions that move and cancel a scheduled message. Each names the version that the person saw. */
const useScheduled = ({ contact_id, message_id, version }: ScheduledMessage) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const refresh = () => refreshConversation(queries, connection, contact_id)
  const [cancel] = useAction(() => client.scheduled.cancel(tenantId, message_id), { onSuccess: refresh })
  const move = async (timing: Timing): Promise<void> => {
    try {
      await client.scheduled.update(tenantId, message_id, { ...timing, version })
    } finally {
      // After a refusal, the person sees the current message, which the next attempt changes.
      await refresh().catch(() => undefined)
    }
  }
  return { cancel, move }
}

interface ItemProps {
  readonly scheduled: ScheduledMessage
  /** Whether the message no longer waits. */
  readonly isEnded: boolean
  readonly isEdited: boolean
  readonly onEdit: (isEdited: boolean) => void
}

const headOf = ({ isEnded, scheduled: { send_at, undo } }: Pick<ItemProps, "isEnded" | "scheduled">): string => {
  if (isEnded) return shown.ended
  return undo ? shown.sending : shown.at(longTime(send_at))
}

/** The buttons that edit, move and cancel a message. */
const Actions = ({ onEdit, scheduled }: Pick<ItemProps, "onEdit" | "scheduled">) => {
  const [isMoving, setMoving] = useState(false)
  const { cancel, move } = useScheduled(scheduled)
  return (
    <>
      <div className={styles.actions}>
        <button type="button" onClick={() => onEdit(true)}>
          {shown.editText}
        </button>
        <button type="button" onClick={() => setMoving(true)}>
          {shown.editTime}
        </button>
        <button type="button" onClick={() => cancel(undefined)}>
          {shown.cancel}
        </button>
      </div>
      <Suspense>
        {isMoving ? (
          <SendLater isCanceledByReply={scheduled.cancel_on_reply} onChoose={move} onClose={() => setMoving(false)} />
        ) : null}
      </Suspense>
    </>
  )
}

const noImages: ImageLinks = new Map()

/** The text of a message as its recipient sees it. The server decides in the same way whether an email is HTML. */
const Body = ({ body, channel, subject }: Pick<ScheduledMessage, "body" | "channel" | "subject">) =>
  channel === "email" && isHtml(body) ? (
    <MailFrame html={body} title={subject ?? text.channels.email} images={noImages} />
  ) : (
    <p className={styles.body}>{body}</p>
  )

/** One message that is sent later. In its undo window, the notice offers to undo it. */
const ScheduledItem = ({ isEdited, isEnded, onEdit, scheduled }: ItemProps) => {
  const { channel, reason, undo } = scheduled
  return (
    <li className={styles.waiting}>
      <div className={styles.head}>
        <strong>{headOf({ isEnded, scheduled })}</strong>
        <span>{text.channels[channel]}</span>
        {reason === null || isEnded ? null : <span>{reason}</span>}
      </div>
      {isEdited ? (
        <EditScheduled scheduled={scheduled} isEnded={isEnded} onClose={() => onEdit(false)} />
      ) : (
        <Body {...scheduled} />
      )}
      {undo || isEnded ? null : <Actions scheduled={scheduled} onEdit={onEdit} />}
    </li>
  )
}

interface ItemsProps {
  /** The messages that wait. */
  readonly scheduled: ReadonlyArray<ScheduledMessage>
}

/** The messages that are sent later. One that no longer waits stays while a person edits its text. */
export const ScheduledItems = ({ scheduled }: ItemsProps) => {
  const [edited, setEdited] = useState<ReadonlyArray<ScheduledMessage>>([])
  const isIn = (messages: ReadonlyArray<ScheduledMessage>, { message_id: id }: ScheduledMessage): boolean =>
    messages.some(({ message_id }) => message_id === id)
  const edit = (one: ScheduledMessage, isEdited: boolean): void =>
    setEdited((before) => [
      ...before.filter(({ message_id }) => message_id !== one.message_id),
      ...(isEdited ? [one] : [])
    ])
  const ended = edited.filter((one) => !isIn(scheduled, one))
  return [...scheduled, ...ended].map((one) => (
    <ScheduledItem
      key={one.message_id}
      scheduled={one}
      isEnded={!isIn(scheduled, one)}
      isEdited={isIn(edited, one)}
      onEdit={(isEdited) => edit(one, isEdited)}
    />
  ))
}
