import type { Effect } from "effect"
import { Context } from "effect"
import type { Contact } from "../../../domain/contact/Contact.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId, MessageId } from "../../../domain/Id.ts"
import type { SearchQuery } from "../../../domain/search/SearchQuery.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** What is searched. */
export type SearchKind = "contacts" | "conversations"

/** Something that matches, and its place: of two places the greater one comes first. */
export interface IndexMatch {
  readonly key: string
  readonly id: string
}

/** Which part of the index is looked through: from the newest on, or from behind `after`, down to `until`, included. */
export interface IndexRange {
  /** Only what was written since, in epoch milliseconds; null: everything. Of messages only. */
  readonly since: number | null
  readonly after: string | null
  readonly until: string | null
  /** Places wanted at most. */
  readonly limit: number
}

/** What a look through the index gave. */
export interface IndexMatches {
  readonly places: ReadonlyArray<IndexMatch>
  /** Everything to here has been looked at; null: to the end. */
  readonly end: string | null
}

/** A message as it is shown among others: only the beginning of a long body. */
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
 * The index of messages and contacts. It follows what is written: everything that is stored is noted with it, and comes
 * into the index by `catchUp`, so that nobody who writes waits for it.
 */
export class Search extends Context.Service<
  Search,
  {
    /**
     * Brings up to `limit` messages and as many contacts of a tenant that were written or changed into the index, in order
     * of acceptance from either end. Part of a unit of work. Tells whether nothing is left.
     */
    readonly catchUp: (
      tenantId: string,
      limit: number,
      from: "newest" | "oldest"
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Whether there is nothing to catch up with. */
    readonly isCaughtUp: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** A tenant with something to catch up with, another one each time; null when all have been asked. */
    readonly behind: Effect.Effect<string | null, StoreUnavailable>
    /** Waits before the next look. */
    readonly rest: (millis: number) => Effect.Effect<void>
    /**
     * What matches, the newest first: messages by the month of their timestamp and then by arrival, contacts by when they
     * were first seen. It ends early, with an `end`, when it has looked far without finding enough.
     */
    readonly places: (
      tenantId: string,
      kind: SearchKind,
      searchQuery: SearchQuery,
      stretch: IndexRange
    ) => Effect.Effect<IndexMatches, StoreUnavailable>
    /** Messages by their ids, in any order; those that are gone are left out. */
    readonly messages: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<FoundMessage>, StoreUnavailable>
    /** Contacts that are not archived by their ids, in any order. */
    readonly contacts: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>
    /** Takes messages and contacts out of the index, also before they are erased themselves. Part of a unit of work. */
    readonly forget: (
      tenantId: string,
      ids: ReadonlyArray<MessageId | ContactId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Search") {}

/** The values of a contact's identities of a kind, as `identityKey` wrote them. */
export const identityValues = (identities: ReadonlyArray<string>, kind: string): ReadonlyArray<string> =>
  identities.flatMap((identity) =>
    identity.startsWith(`${kind}:`)
      ? [identity.slice(kind === "external" ? identity.indexOf(":", kind.length + 1) + 1 : kind.length + 1)]
      : []
  )
