import type { Message, Note, PendingDraft as Draft, ScheduledMessage } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { MoreProblem } from "../component/Problem.tsx"
import { notesOptions } from "../composer/Notes.ts"
import type { MessagePages } from "../inbox/Cache.ts"
import { conversationText } from "../text/Conversation.ts"
import styles from "./ConversationPage.module.css"
import { MessageItem } from "./MessageItem.tsx"
import { type OlderMessages, useReadToNamed } from "./NamedEntry.ts"
import { NoteItem } from "./NoteItem.tsx"
import { PendingDraft } from "./PendingDraft.tsx"
import { ScheduledItems } from "./ScheduledItem.tsx"
import type { OtherThreads } from "./ThreadReason.tsx"

/** Within this distance in pixels, the end counts as shown. */
const nearEnd = 40

/** Keeps the end in view when the composer appears or grows, unless the person has scrolled up. */
const keepEnd = (thread: HTMLElement | null) => {
  if (thread === null) return undefined
  let isAtEnd = true
  const note = (): void => {
    isAtEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < nearEnd
  }
  const observer = new ResizeObserver(() => {
    if (isAtEnd) thread.scrollTop = thread.scrollHeight
  })
  observer.observe(thread)
  thread.addEventListener("scroll", note)
  return () => {
    observer.disconnect()
    thread.removeEventListener("scroll", note)
  }
}

/** Shows the newest entry when entries arrive. */
const scrollToEnd = (end: HTMLElement | null): void => end?.scrollIntoView({ block: "end" })

const timeOf = (entry: Message | Note): number => Date.parse("timestamp" in entry ? entry.timestamp : entry.created_at)

/** Returns the messages and the notes between them, oldest first. Leaves out notes before the oldest read message. */
const entriesOf = (
  messages: ReadonlyArray<Message>,
  notes: ReadonlyArray<Note>,
  hasOlder: boolean
): ReadonlyArray<Message | Note> => {
  const oldest = messages[0]
  const start = hasOlder && oldest !== undefined ? timeOf(oldest) : Number.NEGATIVE_INFINITY
  const shown = notes.filter((note) => timeOf(note) >= start)
  return [...messages, ...shown].toSorted((one, other) => timeOf(one) - timeOf(other))
}

/** Returns the subjects of the email threads by their ids. */
const threadsOf = (messages: ReadonlyArray<Message>): OtherThreads =>
  new Map(
    messages.flatMap(({ subject, thread_id: id }) => (id ? [[id, subject ?? conversationText.noSubject] as const] : []))
  )

interface EntriesProps {
  readonly contactId: string
  readonly contactName: string | null
  readonly entries: ReadonlyArray<Message | Note>
  readonly scheduled: ReadonlyArray<ScheduledMessage>
  readonly threads: OtherThreads
}

const Entries = ({ contactId, contactName, entries, scheduled, threads }: EntriesProps) => (
  <ol className={styles.messages}>
    {entries.map((entry) =>
      "actor" in entry ? (
        <MessageItem key={entry.id} contactId={contactId} contactName={contactName} message={entry} threads={threads} />
      ) : (
        <NoteItem key={entry.id} note={entry} />
      )
    )}
    <ScheduledItems scheduled={scheduled} />
  </ol>
)

/** Reads older messages. After a failure, the person decides about the next attempt. */
const Older = ({ isReading, problem, read }: OlderMessages) =>
  problem === null ? (
    <button type="button" disabled={isReading} onClick={() => read()}>
      {isReading ? conversationText.readsOlder : conversationText.older}
    </button>
  ) : (
    <MoreProblem message={problem} onRetry={() => read()} />
  )

interface ThreadProps {
  readonly contactId: string
  readonly data: MessagePages
  readonly older: OlderMessages | null
}

/** The messages and notes of a conversation, the messages that are sent later, and the reply that waits for approval. */
export const Thread = ({ contactId, data, older }: ThreadProps) => {
  const notes = useQuery(notesOptions(useConnection(), contactId))
  const messages = data.pages.toReversed().flatMap((page) => page.messages)
  const newest = data.pages[0]
  const draft: Draft | null = newest?.pending_draft ?? null
  const entries = entriesOf(messages, notes.data ?? [], older !== null)
  const isShown = (id: string): boolean => notes.isPending || entries.some((entry) => entry.id === id)
  useReadToNamed(isShown, data.pages.length, older)
  return (
    <section ref={keepEnd} className={styles.thread} aria-label={conversationText.messages} tabIndex={0}>
      {older === null ? null : <Older {...older} />}
      <Entries
        contactId={contactId}
        contactName={newest?.conversation.contact_name ?? null}
        entries={entries}
        scheduled={newest?.scheduled ?? []}
        threads={threadsOf(messages)}
      />
      {draft === null ? null : (
        <PendingDraft
          key={draft.draft_id}
          contactId={contactId}
          draft={draft}
          contactEmail={newest?.conversation.contact_email ?? null}
          isAnswered={newest?.scheduled.some(({ undo }) => undo) ?? false}
          newestMessageId={newest?.messages.at(-1)?.id ?? null}
        />
      )}
      <div key={`${entries.at(-1)?.id} ${newest?.scheduled.length}`} ref={scrollToEnd} />
    </section>
  )
}
