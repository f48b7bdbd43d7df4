import { Context, Effect, Layer } from "effect"
import { type Contact, ContactNotFound } from "../../domain/contact/Contact.ts"
import type { Holder } from "../../domain/contact/Resolve.ts"
import type { StoredSuggestion, SuggestionKey } from "../../domain/contact/MergeSuggestion.ts"
import { type Identity, identityKey, identityOfKey } from "../../domain/contact/Identity.ts"
import type { ContactId } from "../../domain/Id.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
/** Where a page of contacts ends. Contacts are listed newest first. */
export interface ContactKey {
  readonly createdAt: number
  readonly contactId: string
}

const oldestFirst = by<ContactKey>(
  (key) => key.createdAt,
  (key) => key.contactId
)

/** Like SQL: by time, then by the pair, the smaller id first. */
const oldestSuggestion = by<SuggestionKey>(
  (key) => key.createdAt,
  (key) => (key.into < key.from ? key.into : key.from),
  (key) => (key.into < key.from ? key.from : key.into)
)

const pairKey = (tenantId: string, one: string, other: string): string => keyOf(tenantId, ...[one, other].toSorted())

type Memory = Context.Service.Shape<typeof MemoryState>
type Port = Context.Service.Shape<typeof Contacts>

const identifying = (state: Memory): Pick<Port, "holders" | "attach" | "detach" | "identitiesOf"> => ({
  holders: (tenantId, identities) =>
    Effect.sync(() => {
      const asked = new Map(identities.map((identity) => [identityKey(identity), identity]))
      return [...asked].flatMap(([key, identity]) => {
        const contactId = state.identities.get(keyOf(tenantId, key))
        const contact = contactId === undefined ? undefined : state.contacts.get(keyOf(tenantId, contactId))
        return contact === undefined ? [] : [{ identity, contact }]
      })
    }),
  attach: (tenantId, contactId, identities) =>
    Effect.sync(() => {
      for (const identity of identities) {
        const key = keyOf(tenantId, identityKey(identity))
        if (!state.identities.has(key)) state.identities.set(key, contactId)
      }
    }),
  detach: (tenantId, contactId, identities) =>
    Effect.sync(() => {
      for (const identity of identities) {
        const key = keyOf(tenantId, identityKey(identity))
        if (state.identities.get(key) === contactId) state.identities.delete(key)
      }
    }),
  identitiesOf: (tenantId, contactId) =>
    Effect.sync(() =>
      [...state.identities]
        .filter(([, holder]) => holder === contactId)
        .flatMap(([key]) => {
          const [tenant = "", identity = ""]: ReadonlyArray<string> = JSON.parse(key)
          return tenant === tenantId ? [identity] : []
        })
        .toSorted()
        .map(identityOfKey)
    )
})

const suggesting = ({
  mergeSuggestions
}: Memory): Pick<Port, "suggestMerge" | "suggestions" | "suggestion" | "dismissSuggestion"> => ({
  suggestMerge: (tenantId, into, from, reason, createdAt) =>
    Effect.sync(() => {
      const key = pairKey(tenantId, into, from)
      const suggestion = { tenantId, into, from, reason, createdAt, dismissedAt: null }
      if (!mergeSuggestions.has(key)) mergeSuggestions.set(key, suggestion)
    }),
  suggestions: (tenantId, limit, after) =>
    Effect.sync(() =>
      ofTenant(mergeSuggestions, tenantId)
        .filter(({ dismissedAt }) => dismissedAt === null)
        .filter((suggestion) => after === null || oldestSuggestion(suggestion, after) < 0)
        .toSorted((one, other) => oldestSuggestion(other, one))
        .slice(0, limit)
        .map(({ tenantId: _, ...suggestion }) => suggestion)
    ),
  suggestion: (tenantId, one, other) =>
    Effect.sync(() => {
      const found = mergeSuggestions.get(pairKey(tenantId, one, other))
      if (found === undefined) return null
      const { tenantId: _, ...suggestion } = found
      return suggestion
    }),
  dismissSuggestion: (tenantId, into, from, at) =>
    Effect.sync(() => {
      const key = pairKey(tenantId, into, from)
      const found = mergeSuggestions.get(key)
      const made = { tenantId, into, from, reason: "", createdAt: at }
      mergeSuggestions.set(key, { ...(found ?? made), dismissedAt: found?.dismissedAt ?? at })
    })
})

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
>()("core/port/repository/Contacts") {
  static readonly layerMemory: Layer.Layer<Contacts> = Layer.effect(
    Contacts,
    Effect.map(MemoryState, (state) => {
      return Contacts.of({
        get: (tenantId, contactId) =>
          Effect.suspend(() => {
            const contact = state.contacts.get(keyOf(tenantId, contactId))
            return contact === undefined ? Effect.fail(new ContactNotFound({ contactId })) : Effect.succeed(contact)
          }),
        insert: (contact) => addNew(state.contacts, keyOf(contact.tenantId, contact.contactId), contact),
        update: (contact) =>
          Effect.sync(() => {
            const key = keyOf(contact.tenantId, contact.contactId)
            if (state.contacts.has(key)) state.contacts.set(key, contact)
          }),
        ...identifying(state),
        markUndeliverable: (tenantId, email, at, reason) =>
          Effect.sync(() => void state.undeliverable.set(keyOf(tenantId, email), { at, reason })),
        markDeliverable: (tenantId, address) =>
          Effect.sync(() => void state.undeliverable.delete(keyOf(tenantId, address))),
        undeliverable: (tenantId, email) =>
          Effect.sync(() => state.undeliverable.get(keyOf(tenantId, email))?.reason ?? null),
        page: (tenantId, limit, after, archived = false) =>
          Effect.sync(() =>
            ofTenant(state.contacts, tenantId)
              .filter(({ archivedAt, mergedInto }) => mergedInto === null && (archivedAt !== null) === archived)
              .filter((contact) => after === null || oldestFirst(contact, after) < 0)
              .toSorted((one, other) => oldestFirst(other, one))
              .slice(0, limit)
          ),
        ...suggesting(state)
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
