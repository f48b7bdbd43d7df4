/**
 * Ports to stored contacts: identities, merges, opt-outs, erasures, personal data and the search index. The rules for
 * contacts belong to `domain/contact`, `domain/consent` and `domain/privacy`.
 * Tests: `packages/testkit/src/suite/contact`, `packages/testkit/src/suite/privacy`,
 * `packages/testkit/src/suite/search`.
 */
import { Context, type Effect } from "effect"
import type { ContactId } from "../../../domain/Id.ts"
import type { Activity, TimelineKey } from "../../../domain/contact/Activity.ts"
import type { Contact, ContactNotFound } from "../../../domain/contact/Contact.ts"
import type { Identity } from "../../../domain/contact/Identity.ts"
import type { StoredSuggestion, SuggestionKey } from "../../../domain/contact/MergeSuggestion.ts"
import type { Holder } from "../../../domain/contact/Resolve.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The position of a contact in the list. Lists are newest first. */
export interface ContactKey {
  readonly createdAt: number
  readonly contactId: string
}

/** A new contact or a new record of an existing one, with the identities to assign to it. */
export interface ContactWrite {
  readonly contact: Contact
  readonly isNew: boolean
  readonly identities: ReadonlyArray<Identity>
}

/** Contacts and their identities. An identity belongs to at most one contact of a tenant. */
export class Contacts extends Context.Service<
  Contacts,
  {
    /** Returns a contact. Archived contacts are found too. */
    readonly get: (tenantId: string, contactId: string) => Effect.Effect<Contact, ContactNotFound | StoreUnavailable>
    /** Returns the contacts with these ids, in any order. Archived and merged contacts are included. */
    readonly some: (
      tenantId: string,
      contactIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>
    readonly insert: (contact: Contact) => Effect.Effect<void, StoreUnavailable>
    /** Replaces the record of an existing contact, but not its identities. Does nothing for an unknown contact. */
    readonly update: (contact: Contact) => Effect.Effect<void, StoreUnavailable>
    /** Returns the contacts that have these identities, each contact once. Archived contacts are included. */
    readonly holders: (
      tenantId: string,
      identities: ReadonlyArray<Identity>
    ) => Effect.Effect<ReadonlyArray<Holder<Contact>>, StoreUnavailable>
    /** Assigns identities to a contact. An identity that another contact already has stays with that contact. */
    readonly attach: (
      tenantId: string,
      contactId: ContactId,
      identities: ReadonlyArray<Identity>,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Inserts and replaces contacts, each contact once, and assigns identities as `attach` does. The number of statements
     * does not depend on the number of contacts on Postgres.
     */
    readonly write: (
      tenantId: string,
      writes: ReadonlyArray<ContactWrite>,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Removes identities from a contact. */
    readonly detach: (
      tenantId: string,
      contactId: ContactId,
      identities: ReadonlyArray<Identity>
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Records that an address or number is undeliverable, for example because mail to it bounced permanently or its
     * owner complained.
     */
    readonly markUndeliverable: (
      tenantId: string,
      email: string,
      at: number,
      reason: string
    ) => Effect.Effect<void, StoreUnavailable>
    /** Deletes the record that an address or number is undeliverable. Messages to it are then possible again. */
    readonly markDeliverable: (tenantId: string, address: string) => Effect.Effect<void, StoreUnavailable>
    /** Returns the reason why a normalised address is undeliverable. Returns null when it is deliverable. */
    readonly undeliverable: (tenantId: string, email: string) => Effect.Effect<string | null, StoreUnavailable>
    /** Lists the identities of a contact in the order of their keys. */
    readonly identitiesOf: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<ReadonlyArray<Identity>, StoreUnavailable>
    /** Lists active or archived contacts after `after`, newest first. Merged contacts are not included. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ContactKey | null,
      archived?: boolean
    ) => Effect.Effect<ReadonlyArray<Contact>, StoreUnavailable>
    /**
     * Records that two contacts may be the same person. A pair of contacts is stored only once, whichever of them is
     * `into`.
     */
    readonly suggestMerge: (
      tenantId: string,
      into: ContactId,
      from: ContactId,
      reason: string,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Lists the suggestions after `after` that no person has dismissed, newest first. */
    readonly suggestions: (
      tenantId: string,
      limit: number,
      after: SuggestionKey | null
    ) => Effect.Effect<ReadonlyArray<StoredSuggestion>, StoreUnavailable>
    /**
     * Returns the suggestion for a pair of contacts, whichever of them is `one`. Dismissed suggestions are included.
     * Returns null if there is none.
     */
    readonly suggestion: (
      tenantId: string,
      one: ContactId,
      other: ContactId
    ) => Effect.Effect<StoredSuggestion | null, StoreUnavailable>
    /** Records that two contacts are different persons. An earlier suggestion for the pair is not necessary. */
    readonly dismissSuggestion: (
      tenantId: string,
      into: ContactId,
      from: ContactId,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Contacts") {}

/** Events of contacts that are stored for their timelines. */
export class Activities extends Context.Service<
  Activities,
  {
    readonly insert: (activity: Activity) => Effect.Effect<void, StoreUnavailable>
    /** Lists activities of a contact before a position in its timeline, newest first. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
  }
>()("core/port/repository/contact/Contacts/Activities") {}
