import type { Note } from "@leadloom/client"
import { useUserNames } from "../app/Users.ts"
import { withNames } from "../composer/Mentions.ts"
import { longTime } from "../design/Time.ts"
import { conversationText } from "../text/Conversation.ts"
import styles from "./MessageItem.module.css"
import { useIsNamed } from "./NamedEntry.ts"

/** One private note. */
export const NoteItem = ({ note }: { readonly note: Note }) => {
  const users = useUserNames()
  const isNamed = useIsNamed(note.id)
  return (
    <li id={note.id} className={styles.note} aria-current={isNamed ? "true" : undefined}>
      <div className={styles.head}>
        <strong>{conversationText.note}</strong>
        <span>{(note.author_id === null ? null : users.get(note.author_id)) ?? note.author}</span>
        <time dateTime={note.created_at}>{longTime(note.created_at)}</time>
      </div>
      <p className={styles.body}>{withNames(note.body, users)}</p>
    </li>
  )
}
