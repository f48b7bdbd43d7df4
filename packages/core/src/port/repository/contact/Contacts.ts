import { Context, type Effect } from "effect"
import type { ContactId } from "../../../domain/Id.ts"
import type { Activity, TimelineKey } from "../../../domain/contact/Activity.ts"
import type { Contact, ContactNotFound } from "../../../domain/contact/Contact.ts"
import type { Identity } from "../../../domain/contact/Identity.ts"
import type { StoredSuggestion, SuggestionKey } from "../../../domain/contact/MergeSuggestion.ts"
import type { Holder } from "../../../domain/contact/Resolve.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Where a page of contacts ends. Contacts are listed newest first. */
export interface ContactKey {
  readonly createdAt: number
  readonly contactId: string
}

/** Contacts and their identities. An identity belongs to one contact of a tenant at a time. */
export class Contacts extends Context.Service<
  Contacts,
  {
    /** A contact, archived ones included. */
    readonly get: (tenantId: string, contactId: string) => Effect.Effect<Contact, ContactNotFound | StoreUnavailable>
    readonly insert: (contact: Contact) => Effect.Effect<void, StoreUnavailable>
    /** Replaces the record of a contact that has been read; its identities stay. Where there is none, none is made. */
    readonly update: (contact: Contact) => Effect.Effect<void, StoreUnavailable>
    /** Who holds these identities, each at most once. Archived contacts hold theirs too. */
    readonly holders: (
      tenantId: string,
      identities: ReadonlyArray<Identity>
    ) => Effect.Effect<ReadonlyArray<Holder<Contact>>, StoreUnavailable>
    /** Gives identities to a contact. One that somebody holds already stays where it is. */
    readonly attach: (
      tenantId: string,
      contactId: ContactId,
      identities: ReadonlyArray<Identity>,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Takes identities from a contact. */
    readonly detach: (
      tenantId: string,
      contactId: ContactId,
      identities: ReadonlyArray<Identity>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Notes why nothing may be sent to this address or number any more: it bounced for good, or its owner complained. */
    readonly markUndeliverable: (
      tenantId: string,
      email: string,
      at: number,
      reason: string
    ) => Effect.Effect<void, StoreUnavailable>
    /** Forgets what was noted against an address: it can be written to again. */
    readonly markDeliverable: (tenantId: string, address: string) => Effect.Effect<void, StoreUnavailable>
    /** Why nothing may be sent to this address (normalised); null when nothing speaks against it. */
    readonly undeliverable: (tenantId: string, email: string) => Effect.Effect<string | null, StoreUnavailable>
    /** What leads to a contact, in the order of their keys. */
    readonly identitiesOf: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<ReadonlyArray<Identity>, StoreUnavailable>
    /** Contacts that are not archived, or those that are, newest first, after `after`. None that was merged away. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ContactKey | null,
      archived?: boolean
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>
    /** Records that two contacts look like one person; the pair is kept once, whatever its order. */
    readonly suggestMerge: (
      tenantId: string,
      into: ContactId,
      from: ContactId,
      reason: string,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Suggestions that nobody has dismissed, newest first, after `after`. */
    readonly suggestions: (
      tenantId: string,
      limit: number,
      after: SuggestionKey | null
    ) => Effect.Effect<ReadonlyArray<StoredSuggestion>, StoreUnavailable>
    /** The suggestion of a pair, dismissed ones included, whatever its order. */
    readonly suggestion: (
      tenantId: string,
      one: ContactId,
      other: ContactId
    ) => Effect.Effect<StoredSuggestion | null, StoreUnavailable>
    /** Notes that two contacts are two persons, whether somebody has suggested otherwise or not. */
    readonly dismissSuggestion: (
      tenantId: string,
      into: ContactId,
      from: ContactId,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Contacts") {}

/** What happened to contacts and is kept for their timelines. */
export class Activities extends Context.Service<
  Activities,
  {
    readonly insert: (activity: Activity) => Effect.Effect<void, StoreUnavailable>
    /** What happened to a contact before a key of its timeline, newest first. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
  }
>()("core/port/repository/contact/Contacts/Activities") {}
