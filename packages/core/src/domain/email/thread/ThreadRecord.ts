import type { LeadId, ThreadId } from "../../Id.ts"

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
