import type { ScheduledMessage } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import type { Timing } from "../composer/Send.ts"
import { longTime } from "../design/Time.ts"
import { refreshConversation } from "../inbox/Cache.ts"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import styles from "./MessageItem.module.css"

const SendLater = lazy(() => import("../composer/SendLater.tsx").then((module) => ({ default: module.SendLater })))

type Change = Timing & { readonly body?: string }

/** Returns the functions that change and cancel a scheduled message. Each names the version that the person saw. */
const useScheduled = ({ contact_id, message_id, version }: ScheduledMessage) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const send = (change: Change | "cancel") =>
    change === "cancel"
      ? client.scheduled.cancel(tenantId, message_id)
      : client.scheduled.update(tenantId, message_id, { ...change, version })
  const [change] = useAction(send, { onSuccess: () => refreshConversation(queries, connection, contact_id) })
  return change
}

interface EditProps {
  readonly body: string
  readonly onSave: (body: string) => void
}

const Edit = ({ body, onSave }: EditProps) => {
  const [edited, setEdited] = useState(body)
  return (
    <>
      <textarea
        rows={4}
        aria-label={conversationText.scheduled.text}
        value={edited}
        onChange={(event) => setEdited(event.target.value)}
      />
      <button type="button" disabled={edited.trim() === ""} onClick={() => onSave(edited)}>
        {conversationText.scheduled.save}
      </button>
    </>
  )
}

/** One message that is sent later. In its undo window, the notice offers to undo it. */
export const ScheduledItem = ({ scheduled }: { readonly scheduled: ScheduledMessage }) => {
  const [opened, setOpened] = useState<"text" | "time" | null>(null)
  const change = useScheduled(scheduled)
  const { body, channel, reason, send_at, undo } = scheduled
  const save = (changed: Change): void => {
    setOpened(null)
    change(changed)
  }
  return (
    <li className={styles.waiting}>
      <div className={styles.head}>
        <strong>{undo ? conversationText.scheduled.sending : conversationText.scheduled.at(longTime(send_at))}</strong>
        <span>{text.channels[channel]}</span>
        {reason === null ? null : <span>{reason}</span>}
      </div>
      {opened === "text" ? (
        <Edit body={body} onSave={(edited) => save({ body: edited })} />
      ) : (
        <p className={styles.body}>{body}</p>
      )}
      {undo ? null : (
        <div className={styles.actions}>
          <button type="button" onClick={() => setOpened("text")}>
            {conversationText.scheduled.editText}
          </button>
          <button type="button" onClick={() => setOpened("time")}>
            {conversationText.scheduled.editTime}
          </button>
          <button type="button" onClick={() => change("cancel")}>
            {conversationText.scheduled.cancel}
          </button>
        </div>
      )}
      <Suspense>
        {opened === "time" ? (
          <SendLater isCanceledByReply={scheduled.cancel_on_reply} onChoose={save} onClose={() => setOpened(null)} />
        ) : null}
      </Suspense>
    </li>
  )
}
