import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { taskText } from "../text/Task.ts"
import styles from "./Task.module.css"

/** The end of a description that contains only the start of a scheduled message. The server writes it. */
const cutAt = /The complete text is in the scheduled message (msg_[0-9a-z]{26})$/u

const ScheduledText = ({ messageId }: { readonly messageId: string }) => {
  const { client, tenantId } = useConnection()
  const message = useQuery({
    queryKey: [tenantId, "scheduled", messageId] as const,
    queryFn: ({ signal }) => client.scheduled.get(tenantId, messageId, { signal })
  })
  return <Loaded query={message}>{({ body }) => <p className={styles.body}>{body}</p>}</Loaded>
}

/** The description of a task. The complete text of a long message that was not sent is shown on demand. */
export const TaskText = ({ description }: { readonly description: string }) => {
  const [isComplete, setComplete] = useState(false)
  const messageId = cutAt.exec(description)?.[1]
  if (isComplete && messageId !== undefined) return <ScheduledText messageId={messageId} />
  return (
    <>
      <p className={styles.body}>{description}</p>
      {messageId === undefined ? null : (
        <button type="button" onClick={() => setComplete(true)}>
          {taskText.completeText}
        </button>
      )}
    </>
  )
}
