import type { LeadId, ThreadId } from "../../Id.ts"
import { normalizeSubject } from "../Fingerprint.ts"
import type { MessageReference } from "../MessageId.ts"

/**
 * Which thread a mail belongs to. Threads are the connected parts of a graph: every mail is tied to its own Message-ID
 * and to the ids it refers to; a weak reference counts only once a mail that carries the id has arrived. Adding mail
 * only ever joins parts, so the outcome does not depend on the order of arrival.
 *
 * The index this reads and feeds has one row for each (id, thread). A strong id stands in one thread only, because every
 * mail that names it joins that thread; a weak id may stand in many until its message arrives.
 */

/** A row of the index. `Thread` is the type of thread ids. */
export interface IndexedId<Thread extends string = string> {
  readonly id: string
  readonly threadId: Thread
  /** A stored message carries this Message-ID. */
  readonly seen: boolean
  /** Only weak references led here. */
  readonly weak: boolean
}

/** An index row that a mail adds to its thread. */
export type NewId = Omit<IndexedId, "threadId">

/** What a provider says of the mail, with what is needed to doubt it. */
export interface ProviderWitness<Thread extends string = string> {
  /** The thread the provider's thread id is an alias of; null when the id is new. */
  readonly threadId: Thread | null
  /** Subject of the thread, in any spelling. */
  readonly threadSubject: string
  /** Whether the sender or a recipient, our own addresses aside, has been part of the thread. */
  readonly sharesParticipant: boolean
}

/** A mail that looks for its thread. */
export interface MailWitnesses<Thread extends string = string> {
  /** Its cleaned or synthesised Message-ID. */
  readonly ownId: string
  /** In match order, as `referencedIds` gives them. */
  readonly references: ReadonlyArray<MessageReference>
  readonly subject: string
  readonly provider?: ProviderWitness<Thread> | null
  /** The thread that a valid reply token in the address it was sent to names. */
  readonly replyToken?: Thread | null
}

/** Why a mail joins the thread it joins. `child`: mail that arrived earlier refers to this one. */
export type ThreadEvidence = "reference" | "child" | "provider" | "reply_token"

/** The decision. `join` null: the mail opens a thread. */
export interface ThreadMatch<Thread extends string = string> {
  readonly join: Thread | null
  readonly by: ThreadEvidence | null
  /** Other threads that this mail ties to it; they become part of `join`. */
  readonly merge: ReadonlyArray<Thread>
  /** Rows to write for the thread joined or opened; rows that exist keep their thread and gain `seen` and strength. */
  readonly register: ReadonlyArray<NewId>
}

/** Ids to look up in the index before `matchThread`. */
export const idsToLookUp = (mail: Pick<MailWitnesses, "ownId" | "references">): ReadonlyArray<string> => [
  ...new Set([...mail.references.map(({ id }) => id), mail.ownId])
]

/**
 * Whether the mail's own headers speak against the provider's thread id, as they do when a provider recycles one: the
 * mail refers to other messages and has another subject, or has neither subject nor people in common with the thread.
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
 * Decides the thread of one mail from what the index knows of `idsToLookUp`. The first hit in match order names the
 * thread; further id hits are merged into it. A provider's thread id and a reply token are asked only when no id hits,
 * and merge nothing.
 */
export const matchThread = <Thread extends string>(
  mail: MailWitnesses<Thread>,
  known: ReadonlyArray<IndexedId<Thread>>
): ThreadMatch<Thread> => {
  const rows = new Map<string, Array<IndexedId<Thread>>>()
  for (const row of known) push(rows, row.id, row)
  const rowsOf = (id: string): ReadonlyArray<IndexedId<Thread>> => rows.get(id) ?? []
  const cited = mail.references.flatMap(({ id, weak }) =>
    rowsOf(id)
      .filter((row) => row.seen || (!weak && !row.weak))
      .map((row) => row.threadId)
  )
  const citing = rowsOf(mail.ownId).map((row) => row.threadId)
  const register: ReadonlyArray<NewId> = [
    { id: mail.ownId, seen: true, weak: false },
    ...mail.references.filter(({ id }) => id !== mail.ownId).map(({ id, weak }) => ({ id, seen: false, weak }))
  ]
  const [join, ...merge] = new Set([...cited, ...citing])
  if (join !== undefined) return { join, by: cited.length > 0 ? "reference" : "child", merge, register }
  const provider = mail.provider ?? null
  if (provider !== null && provider.threadId !== null && !contradicts(mail, provider)) {
    return { join: provider.threadId, by: "provider", merge: [], register }
  }
  const token = mail.replyToken ?? null
  return { join: token, by: token === null ? null : "reply_token", merge: [], register }
}

/** An email thread: the messages that are linked by their ids. */
export interface ThreadRecord {
  readonly threadId: ThreadId
  readonly tenantId: string
  /** Null while only automatic mail is in it. */
  readonly leadId: LeadId | null
  /** Normalised subject of its first message. */
  readonly baseSubject: string
  readonly createdAt: number
}

/** An id that the thread index knows. */
export interface KnownId {
  readonly id: string
  readonly threadId: ThreadId
  /** A stored message carries this Message-ID (as opposed to: somebody referred to it). */
  readonly seen: boolean
  /** Only address-looking references led here: it joins the message that carries it, never its siblings. */
  readonly weak: boolean
}
