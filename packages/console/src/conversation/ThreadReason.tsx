import type { Message, Thread, ThreadCorrection } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { useMay } from "../app/Permissions.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { refreshConversation } from "../inbox/Cache.ts"
import { conversationText } from "../text/Conversation.ts"
import styles from "./MessageItem.module.css"

const words = conversationText.thread

/** The message whose thread is explained. */
interface Place {
  readonly contactId: string
  readonly threadId: string
  readonly messageId: string
}

const threadKey = (tenantId: string, threadId: string) => [tenantId, "thread", threadId] as const

/** Returns the function that corrects threads, and then reads the threads and the conversation again. */
const useCorrection = ({ contactId }: Place) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const [correct] = useAction((send: () => PromiseLike<ThreadCorrection>) => Promise.resolve(send()), {
    onSuccess: async () => {
      noticeSuccess(words.corrected)
      await queries.invalidateQueries({ queryKey: [connection.tenantId, "thread"] })
      await refreshConversation(queries, connection, contactId)
    }
  })
  return correct
}

/** The other threads of the conversation, by their subjects. */
export type OtherThreads = ReadonlyMap<string, string>

interface MoveProps {
  readonly others: OtherThreads
  readonly onMove: (threadId: string) => void
}

const Move = ({ onMove, others }: MoveProps) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onMove(String(new FormData(event.currentTarget).get("thread")))
  }
  return (
    <form className={styles.actions} onSubmit={submit}>
      <select name="thread" aria-label={words.target}>
        {[...others].map(([id, subject]) => (
          <option key={id} value={id}>
            {subject}
          </option>
        ))}
      </select>
      <button type="submit">{words.move}</button>
    </form>
  )
}

interface ActionsProps extends Place {
  readonly correctionId: string | null
  readonly isFirst: boolean
  readonly others: OtherThreads
}

const Actions = (props: ActionsProps) => {
  const { correctionId, isFirst, messageId, others, threadId } = props
  const { client, tenantId } = useConnection()
  const correct = useCorrection(props)
  const move = (target: string): void =>
    correct(() => client.threads.move(tenantId, threadId, { message_id: messageId, to_thread_id: target }))
  return (
    <div className={styles.actions}>
      {isFirst ? null : (
        <button
          type="button"
          onClick={() => correct(() => client.threads.split(tenantId, threadId, { message_id: messageId }))}
        >
          {words.split}
        </button>
      )}
      {others.size === 0 ? null : <Move others={others} onMove={move} />}
      {correctionId === null ? null : (
        <button type="button" onClick={() => correct(() => client.threads.undo(tenantId, threadId, correctionId))}>
          {words.undo}
        </button>
      )}
    </div>
  )
}

/** Returns the entry of a message in its thread. The pages of a long thread may not contain it. */
const entryOf = (thread: Thread, messageId: string) =>
  thread.messages.find(({ message }) => message.id === messageId || message.message_id === messageId)

interface ReasonProps {
  readonly place: Place
  readonly others: OtherThreads
}

const Reason = ({ others, place }: ReasonProps) => {
  const { client, tenantId } = useConnection()
  const { messageId, threadId } = place
  const mayCorrect = useMay("threads.split")
  const thread = useQuery({
    queryKey: threadKey(tenantId, threadId),
    queryFn: ({ signal }) => client.threads.get(tenantId, threadId, { signal })
  })
  return (
    <Loaded query={thread}>
      {(loaded) => {
        const entry = entryOf(loaded, messageId)
        const { correction_id, rule } = entry?.reason ?? { rule: "unknown" as const, correction_id: null }
        const isFirst = loaded.messages[0] === entry
        return (
          <>
            <p>{correction_id === null ? words.rules[rule] : words.byPerson}</p>
            {mayCorrect ? <Actions {...place} others={others} correctionId={correction_id} isFirst={isFirst} /> : null}
          </>
        )
      }}
    </Loaded>
  )
}

interface ThreadReasonProps {
  readonly contactId: string
  readonly message: Message
  readonly others: OtherThreads
}

/** Explains why a mail belongs to its thread, and corrects the thread. Reads nothing before the person opens it. */
export const ThreadReason = ({ contactId, message, others }: ThreadReasonProps) => {
  const [isOpen, setOpen] = useState(false)
  const { id, thread_id: threadId } = message
  if (!threadId) return null
  const elsewhere = new Map([...others].filter(([other]) => other !== threadId))
  return (
    <details className={styles.quoted} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.why}</summary>
      {isOpen ? (
        <Reason place={{ contactId, threadId, messageId: message.message_id ?? id }} others={elsewhere} />
      ) : null}
    </details>
  )
}
