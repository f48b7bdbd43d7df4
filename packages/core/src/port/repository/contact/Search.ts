import type { Effect } from "effect"
import { Context } from "effect"
import type { Contact } from "../../../domain/contact/Contact.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId, MessageId, NoteId } from "../../../domain/Id.ts"
import type { Note } from "../../../domain/note/Note.ts"
import type { SearchQuery } from "../../../domain/search/SearchQuery.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The kinds of records that a search returns. */
export type SearchKind = "contacts" | "conversations" | "notes"

/** A match and its position in the index. Matches are ordered from the highest position to the lowest. */
export interface IndexMatch {
  readonly key: string
  readonly id: string
}

/**
 * The range of the index to search. It starts at the newest position, or after `after`, and ends at `until`
 * (inclusive).
 */
export interface IndexRange {
  /**
   * The earliest time of writing of a message, in epoch milliseconds. Null for no limit. It applies to messages only.
   */
  readonly since: number | null
  readonly after: string | null
  readonly until: string | null
  /** The maximum number of matches. */
  readonly limit: number
}

/** The result of searching one range. */
export interface IndexMatches {
  readonly places: ReadonlyArray<IndexMatch>
  /** The last position that was searched. Null when the search reached the end of the range. */
  readonly end: string | null
}

/** The contact of a result. */
interface FoundPerson {
  readonly contactName: string | null
  readonly contactEmail: string | null
}

/** A message in a list of results. A long body is cut. */
export type FoundMessage = Pick<
  Message,
  | "messageId"
  | "contactId"
  | "leadId"
  | "threadId"
  | "channel"
  | "actor"
  | "subject"
  | "body"
  | "from"
  | "to"
  | "cc"
  | "timestamp"
  | "attachments"
> &
  FoundPerson

/** A note in a list of results. */
export type FoundNote = Pick<
  Note,
  "noteId" | "contactId" | "authorId" | "author" | "body" | "createdAt" | "updatedAt"
> &
  FoundPerson

/**
 * The search index of messages, contacts and notes. A write only queues the changed row, so that writers do not wait for the
 * index. `catchUp` indexes queued rows later.
 */
export class Search extends Context.Service<
  Search,
  {
    /**
     * Indexes up to `limit` queued rows of each kind of a tenant, from the newest or the oldest end of the queue. Returns true when the queue is empty afterwards. Call it inside a unit of work.
     */
    readonly catchUp: (
      tenantId: string,
      limit: number,
      from: "newest" | "oldest"
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns true when nothing is queued for the index. */
    readonly isCaughtUp: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns true when a part of the index needs a summary, which lets searches for rare words skip this part. */
    readonly hasUnsummarized: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Writes the summary of one part of the index, if one is needed. Call it inside a unit of work. */
    readonly summarize: (tenantId: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the next tenant with queued rows or a missing summary. Repeated calls go through all such tenants in
     * turn, and return null at the end of each round.
     */
    readonly behind: Effect.Effect<string | null, StoreUnavailable>
    /** Waits between two rounds of indexing, at most for this time. */
    readonly rest: (millis: number) => Effect.Effect<void>
    /**
     * Searches for matches, newest first. Messages are ordered by the month of their timestamp and then by arrival,
     * contacts and notes by the time they were last indexed. A call searches only a limited part of the index. If it finds too
     * few matches there, it returns the last searched position as `end`.
     */
    readonly places: (
      tenantId: string,
      kind: SearchKind,
      searchQuery: SearchQuery,
      stretch: IndexRange
    ) => Effect.Effect<IndexMatches, StoreUnavailable>
    /** Returns messages by id, in any order. Messages that do not exist are omitted. */
    readonly messages: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<FoundMessage>, StoreUnavailable>
    /** Returns contacts by id, in any order. Archived contacts are omitted. */
    readonly contacts: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>
    /** Returns notes by id, in any order. Notes that do not exist are omitted. */
    readonly notes: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<FoundNote>, StoreUnavailable>
    /**
     * Removes documents from the index. The rows themselves may be deleted before or after the call. Call
     * it inside a unit of work.
     */
    readonly forget: (
      tenantId: string,
      ids: ReadonlyArray<MessageId | ContactId | NoteId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Search") {}

/** Returns the values of the identities of one kind. `identities` contains keys from `identityKey`. */
export const identityValues = (identities: ReadonlyArray<string>, kind: string): ReadonlyArray<string> =>
  identities.flatMap((identity) =>
    identity.startsWith(`${kind}:`)
      ? [identity.slice(kind === "external" ? identity.indexOf(":", kind.length + 1) + 1 : kind.length + 1)]
      : []
  )
