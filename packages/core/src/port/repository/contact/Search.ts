import type { Effect } from "effect"
import { Context } from "effect"
import type { Contact } from "../../../domain/contact/Contact.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId, MessageId } from "../../../domain/Id.ts"
import type { SearchQuery } from "../../../domain/search/SearchQuery.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The kinds of records that a search returns. */
export type SearchKind = "contacts" | "conversations"

/** A match and its place in the index. Higher places come first. */
export interface IndexMatch {
  readonly key: string
  readonly id: string
}

/** The range of the index to search: from the newest place, or after `after`, down to and including `until`. */
export interface IndexRange {
  /** Epoch milliseconds: only messages written since then. Null searches all. It does not apply to contacts. */
  readonly since: number | null
  readonly after: string | null
  readonly until: string | null
  /** The maximum number of matches. */
  readonly limit: number
}

/** The result of searching one range. */
export interface IndexMatches {
  readonly places: ReadonlyArray<IndexMatch>
  /** The last place that was searched. Null when the search reached the end. */
  readonly end: string | null
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
> & { readonly contactName: string | null; readonly contactEmail: string | null }

/**
 * The search index of messages and contacts. A write only queues the changed row; `catchUp` indexes it later, so that
 * writers do not wait for the index.
 */
export class Search extends Context.Service<
  Search,
  {
    /**
     * Indexes up to `limit` queued messages and up to `limit` queued contacts of a tenant, from the newest or the
     * oldest end of the queue. Returns true when the queue is empty. Call it inside a unit of work.
     */
    readonly catchUp: (
      tenantId: string,
      limit: number,
      from: "newest" | "oldest"
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns true when nothing is queued for the index. */
    readonly isCaughtUp: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns the next tenant with queued rows, in turn; null at the end of each round. */
    readonly behind: Effect.Effect<string | null, StoreUnavailable>
    /** Waits between two rounds of indexing. */
    readonly rest: (millis: number) => Effect.Effect<void>
    /**
     * Searches for matches, newest first: messages by the month of their timestamp and then by arrival, contacts by
     * their first appearance. When a search has covered its maximum range with too few matches, it stops and returns
     * `end`.
     */
    readonly places: (
      tenantId: string,
      kind: SearchKind,
      searchQuery: SearchQuery,
      stretch: IndexRange
    ) => Effect.Effect<IndexMatches, StoreUnavailable>
    /** Returns messages by id in any order. Missing ones are left out. */
    readonly messages: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<FoundMessage>, StoreUnavailable>
    /** Returns contacts by id in any order. Archived ones are left out. */
    readonly contacts: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>
    /**
     * Removes messages and contacts from the index, before or after their own deletion. Call it inside a unit of work.
     */
    readonly forget: (
      tenantId: string,
      ids: ReadonlyArray<MessageId | ContactId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Search") {}

/** Returns the identity values of one kind from keys that `identityKey` wrote. */
export const identityValues = (identities: ReadonlyArray<string>, kind: string): ReadonlyArray<string> =>
  identities.flatMap((identity) =>
    identity.startsWith(`${kind}:`)
      ? [identity.slice(kind === "external" ? identity.indexOf(":", kind.length + 1) + 1 : kind.length + 1)]
      : []
  )
