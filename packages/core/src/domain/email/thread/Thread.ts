import { Schema } from "effect"
import { LeadId, ThreadId } from "../../Id.ts"
import { normalizeSubject } from "../Fingerprint.ts"
import type { MessageReference } from "../MessageId.ts"
import { Time } from "../../Field.ts"

/**
 * The thread of a mail. Threads are the connected components of a graph. Its edges link every mail to its own
 * Message-ID and to the ids in its references. A weak reference counts only after a mail with that id has arrived. New
 * mail can only join components, never split them, so the result does not depend on the order of arrival.
 *
 * The index has one row for each pair of an id and a thread. A strong id belongs to exactly one thread, because every
 * mail that refers to it joins that thread. A weak id may belong to several threads until the message with that id
 * arrives.
 *
 * Reading and writing the index does not belong here. Tests: `packages/core/test/domain/email/thread`.
 */

/** A row of the index. */
export interface IndexedId<Thread extends string = string> {
  readonly id: string
  readonly threadId: Thread
  /** True if a stored message has this Message-ID. */
  readonly seen: boolean
  /** True if the id is known only from weak references. */
  readonly weak: boolean
}

/** An index row that a mail adds to its thread. */
export type NewId = Omit<IndexedId, "threadId">

/** The provider's information about the thread of a mail, and the facts that confirm or contradict it. */
export interface ProviderWitness<Thread extends string = string> {
  /** The thread that belongs to the provider's thread id; null if the id is new. */
  readonly threadId: Thread | null
  /** The subject of the thread, with or without prefixes. */
  readonly threadSubject: string
  /** True if the sender or a recipient took part in the thread before. The tenant's own addresses do not count. */
  readonly sharesParticipant: boolean
}

/** The properties of a mail that determine its thread. */
export interface MailWitnesses<Thread extends string = string> {
  /** The cleaned or synthesised Message-ID. */
  readonly ownId: string
  /** The references of the mail in order of precedence, from `referencedIds`. */
  readonly references: ReadonlyArray<MessageReference>
  readonly subject: string
  readonly provider?: ProviderWitness<Thread> | null
  /** The thread that a valid reply token in the recipient address names. */
  readonly replyToken?: Thread | null
}

/** The reason why a mail joins a thread. `child`: an earlier mail of the thread refers to this mail. */
export type ThreadEvidence = "reference" | "child" | "provider" | "reply_token"

/** The thread of a mail. If `join` is null, the mail starts a new thread. */
export interface ThreadMatch<Thread extends string = string> {
  readonly join: Thread | null
  readonly by: ThreadEvidence | null
  /** The Message-ID that links the mail to the thread; null without one. */
  readonly via: string | null
  /** Other threads that this mail connects with `join`. They are merged into `join`. */
  readonly merge: ReadonlyArray<Thread>
  /**
   * The rows to write for the joined or new thread. Existing rows stay in their thread, but can become `seen` or
   * strong.
   */
  readonly register: ReadonlyArray<NewId>
}

/** Returns the ids to look up in the index before `matchThread`. */
export const idsToLookUp = (mail: Pick<MailWitnesses, "ownId" | "references">): ReadonlyArray<string> => [
  ...new Set([...mail.references.map(({ id }) => id), mail.ownId])
]

/**
 * Returns whether the headers of a mail contradict the provider's thread id. The check is necessary, because some
 * providers reuse ids. There is a contradiction if the subject differs and the mail also refers to other messages or
 * shares no participant with the thread.
 */
const contradicts = (mail: MailWitnesses, provider: ProviderWitness): boolean => {
  if (normalizeSubject(mail.subject) === normalizeSubject(provider.threadSubject)) return false
  return mail.references.some(({ weak }) => !weak) || !provider.sharesParticipant
}

const push = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/**
 * Determines the thread of one mail from the index rows of `idsToLookUp`. The first match in order of precedence
 * determines the thread, and the threads of further matches are merged into it. Ids of stored messages precede ids that
 * are only referenced: after a correction by a person, both kinds can lead to different threads, and a reply belongs to
 * the thread of its nearest stored ancestor. Without a match, the provider's thread id decides; without a valid thread
 * id, the reply token decides. The provider's thread id and the reply token never merge threads.
 */
export const matchThread = <Thread extends string>(
  mail: MailWitnesses<Thread>,
  known: ReadonlyArray<IndexedId<Thread>>
): ThreadMatch<Thread> => {
  const rows = new Map<string, Array<IndexedId<Thread>>>()
  for (const row of known) push(rows, row.id, row)
  const rowsOf = (id: string): ReadonlyArray<IndexedId<Thread>> => rows.get(id) ?? []
  const stored = mail.references.flatMap(({ id }) => rowsOf(id).filter(({ seen }) => seen))
  const mentioned = mail.references.flatMap(({ id, weak }) => {
    const found = rowsOf(id)
    return weak || found.some(({ seen }) => seen) ? [] : found.filter((row) => !row.weak)
  })
  const cited = [...stored, ...mentioned]
  const [link = null] = [...cited, ...rowsOf(mail.ownId)]
  const register: ReadonlyArray<NewId> = [
    { id: mail.ownId, seen: true, weak: false },
    ...mail.references.filter(({ id }) => id !== mail.ownId).map(({ id, weak }) => ({ id, seen: false, weak }))
  ]
  if (link !== null) {
    const others = new Set([...cited, ...rowsOf(mail.ownId)].map(({ threadId }) => threadId))
    others.delete(link.threadId)
    const by = cited.length > 0 ? "reference" : "child"
    return { join: link.threadId, by, via: link.id, merge: [...others], register }
  }
  const provider = mail.provider ?? null
  if (provider !== null && provider.threadId !== null && !contradicts(mail, provider)) {
    return { join: provider.threadId, by: "provider", via: null, merge: [], register }
  }
  const token = mail.replyToken ?? null
  return { join: token, by: token === null ? null : "reply_token", via: null, merge: [], register }
}

/** An email thread: messages that are linked by their ids. */
export class ThreadRecord extends Schema.Opaque<ThreadRecord>()(
  Schema.Struct({
    threadId: ThreadId.annotate({ description: "Thread id (`thr_…`)" }),
    tenantId: Schema.String,
    leadId: Schema.NullOr(LeadId).annotate({
      description: "The lead of the thread; null while the thread contains only automatic mail"
    }),
    /** The normalised subject of the first message. */
    baseSubject: Schema.String,
    createdAt: Time,
    /**
     * True if a person separated this thread from another one. Mail that refers to two such threads does not merge
     * them.
     */
    corrected: Schema.Boolean.annotate({
      description: "True if a person separated this thread from another one, so that mail does not merge the two",
      whenAbsent: false
    })
  })
) {}

/** An id in the thread index. */
export class KnownId extends Schema.Opaque<KnownId>()(
  Schema.Struct({
    id: Schema.String.annotate({ column: "message_id" }),
    threadId: ThreadId,
    /** True if a stored message has this Message-ID. False if messages only refer to it. */
    seen: Schema.Boolean,
    /**
     * True if the id is known only from weak references. The id then links a mail to the message with this id, but not
     * to other mails that refer to the id.
     */
    weak: Schema.Boolean
  })
) {}
