import { Schema } from "effect"
import { channels } from "../Channel.ts"
import { Time } from "../Field.ts"
import { leadStates } from "../lead/LeadState.ts"
import { tiers } from "../lead/Score.ts"
import { companyFacet, fieldFacet } from "./ContactFacet.ts"
import { normalizeTag } from "./ContactFields.ts"
import type { ContactListFilter, ContactListRow } from "./ContactSummary.ts"

/** The orders of the contact list: the latest activity or creation first, or by name from A. */
export const contactSorts = ["last_activity", "created", "name"] as const
export type ContactSort = (typeof contactSorts)[number]

/** The limit of tags, and of custom fields, in one filter. */
export const maxFilterValues = 10

/** The filters of the contact list. A contact must satisfy all of them. A null field and an empty list do not filter. */
export class ContactFilter extends Schema.Opaque<ContactFilter>()(
  Schema.Struct({
    tier: Schema.NullOr(Schema.Literals(tiers)),
    state: Schema.NullOr(Schema.Literals(leadStates)),
    /** The channel of the newest message. */
    channel: Schema.NullOr(Schema.Literals(channels)),
    tags: Schema.Array(Schema.String),
    companyId: Schema.NullOr(Schema.String),
    /** The values of custom fields, by key. For a list of options, one of them. */
    customFields: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
    /** `opted_out`: an address or number has opted out. `opted_in`: a consent is recorded, and none has opted out. */
    consent: Schema.NullOr(Schema.Literals(["opted_in", "opted_out"])),
    hasEmail: Schema.NullOr(Schema.Boolean),
    hasPhone: Schema.NullOr(Schema.Boolean),
    /** The bounds of the last activity. Both are exclusive. */
    lastActivityAfter: Schema.NullOr(Time),
    lastActivityBefore: Schema.NullOr(Time),
    /** The bounds of the creation. Both are exclusive. */
    createdAfter: Schema.NullOr(Time),
    createdBefore: Schema.NullOr(Time),
    archived: Schema.Boolean
  })
) {}

/** The filter that selects all active contacts. */
export const allContacts: ContactFilter = {
  tier: null,
  state: null,
  channel: null,
  tags: [],
  companyId: null,
  customFields: {},
  consent: null,
  hasEmail: null,
  hasPhone: null,
  lastActivityAfter: null,
  lastActivityBefore: null,
  createdAfter: null,
  createdBefore: null,
  archived: false
}

/** Returns the tags and facets of the index that a contact must have, the most selective ones first. */
export const requiredTagsOf = ({ companyId, customFields, tags }: ContactFilter): ReadonlyArray<string> => [
  ...(companyId === null ? [] : [companyFacet(companyId)]),
  ...Object.entries(customFields).map(([key, value]) => fieldFacet(key, value)),
  ...tags.map(normalizeTag)
]

/** Returns the most selective filter that an index answers. `matchesRow` and `ContactTraits` apply the others. */
export const indexedFilter = (filter: ContactFilter): ContactListFilter => {
  const { channel, state, tier } = filter
  const [tag] = requiredTagsOf(filter)
  if (tag !== undefined) return { by: "tag", value: tag }
  if (tier !== null) return { by: "tier", value: tier }
  if (state !== null) return { by: "state", value: state }
  return channel === null ? { by: "nothing" } : { by: "channel", value: channel }
}

/** Returns whether a row of the contact list satisfies the filters of its own columns. */
export const matchesRow = (row: ContactListRow, filter: ContactFilter): boolean =>
  (filter.tier === null || row.tier === filter.tier) &&
  (filter.state === null || row.state === filter.state) &&
  (filter.channel === null || row.channel === filter.channel) &&
  (filter.hasEmail === null || row.hasEmail === filter.hasEmail) &&
  (filter.hasPhone === null || row.hasPhone === filter.hasPhone) &&
  (filter.lastActivityAfter === null || row.lastActivityAt > filter.lastActivityAfter) &&
  (filter.lastActivityBefore === null || row.lastActivityAt < filter.lastActivityBefore)

/** The filters that other tables than the contact list answer. */
export interface ContactTraits {
  /** Tags and facets of the index. A contact must have all of them. */
  readonly tags: ReadonlyArray<string>
  readonly consent: ContactFilter["consent"]
  readonly createdAfter: number | null
  readonly createdBefore: number | null
}

/** Returns the filters that other tables must answer; null if there are none. `answered` is the filter of the walk. */
export const traitsOf = (filter: ContactFilter, answered: ContactListFilter): ContactTraits | null => {
  const { consent, createdAfter, createdBefore } = filter
  const tags = requiredTagsOf(filter).filter((tag) => answered.by !== "tag" || tag !== answered.value)
  const none = tags.length === 0 && consent === null && createdAfter === null && createdBefore === null
  return none ? null : { tags, consent, createdAfter, createdBefore }
}
