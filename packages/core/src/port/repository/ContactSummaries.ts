import { Context, Effect, Layer } from "effect"
import type { ContactDigest, ContactSummary, DigestFilter, DigestKey } from "../../domain/contact/ContactSummary.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { ContactId } from "../../domain/Id.ts"
import { by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

type Memory = Context.Service.Shape<typeof MemoryState>

/** What is walked through: contacts that are archived or not, by one filter, with activity after a time. */
export interface DigestWalk {
  readonly tenantId: string
  readonly archived: boolean
  readonly filter: DigestFilter
  /** Epoch milliseconds, exclusive. */
  readonly activeAfter: number
  /** The walk goes on behind this key; null: it begins with the newest. */
  readonly after: DigestKey | null
  readonly limit: number
}

const oldestFirst = by<DigestKey>(
  (key) => key.lastActivityAt,
  (key) => key.contactId
)

const summaryOf = (state: Memory, contact: Contact): ContactSummary => {
  const { contactId, tenantId } = contact
  const head = state.heads.get(keyOf(tenantId, contactId))
  const leadId = head?.leadId ?? null
  const lead = leadId === null ? undefined : state.leads.get(keyOf(tenantId, leadId))
  return {
    contact,
    lastActivityAt: head?.lastTimestamp ?? contact.createdAt,
    channel: head?.lastChannel ?? null,
    state: lead?.state ?? null,
    tier: lead?.tier ?? null,
    lastMessage: head?.lastMessage ?? null,
    unread: head?.unread ?? 0,
    leadId,
    score: lead?.score ?? null
  }
}

const passes = ({ channel, contact, state, tier }: ContactSummary, filter: DigestFilter): boolean => {
  switch (filter.by) {
    case "nothing":
      return true
    case "tag":
      return contact.tags.includes(filter.value)
    case "tier":
      return tier === filter.value
    case "state":
      return state === filter.value
    case "channel":
      return channel === filter.value
  }
}

const digestOf = ({ channel, contact, lastActivityAt, state, tier }: ContactSummary): ContactDigest => ({
  contactId: contact.contactId,
  lastActivityAt,
  channel,
  state,
  tier,
  hasEmail: contact.email !== null,
  hasPhone: contact.phone !== null
})

/** Contacts by their last activity, with what lists of them are filtered by. Kept up to date by what changes it. */
export class ContactSummaries extends Context.Service<
  ContactSummaries,
  {
    /** Digests in order, newest activity first; of contacts that were merged away none. */
    readonly walk: (walk: DigestWalk) => Effect.Effect<ReadonlyArray<ContactDigest>, StoreUnavailable>
    /** Summaries of contacts, in no order. */
    readonly read: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactSummary>, StoreUnavailable>
  }
>()("core/port/repository/ContactSummaries") {
  static readonly layerMemory: Layer.Layer<ContactSummaries> = Layer.effect(
    ContactSummaries,
    Effect.map(MemoryState, (state) =>
      ContactSummaries.of({
        walk: ({ activeAfter, after, archived, filter, limit, tenantId }) =>
          Effect.sync(() =>
            ofTenant(state.contacts, tenantId)
              .filter(({ archivedAt, mergedInto }) => mergedInto === null && (archivedAt !== null) === archived)
              .map((contact) => summaryOf(state, contact))
              .filter((summary) => passes(summary, filter))
              .map(digestOf)
              .filter(
                (digest) => digest.lastActivityAt > activeAfter && (after === null || oldestFirst(digest, after) < 0)
              )
              .toSorted((one, other) => oldestFirst(other, one))
              .slice(0, limit)
          ),
        read: (tenantId, contactIds) =>
          Effect.sync(() =>
            ofTenant(state.contacts, tenantId)
              .filter(({ contactId }) => contactIds.includes(contactId))
              .map((contact) => summaryOf(state, contact))
          )
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
