import {
  allContacts,
  type ContactFilter as ContactFilterNoun,
  maxFilterValues
} from "@leadloom/core/internal/domain/contact/ContactFilter"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers } from "@leadloom/core/internal/domain/lead/Score"
import { Schema } from "effect"
import { Tag } from "../schema/ContactRecord.ts"
import { Channel, isoTime, millisOf, text, Time, unstated } from "../schema/Field.ts"

const FieldFilter = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String.check(Schema.isMaxLength(1_000)), Schema.Finite, Schema.Boolean])
).check(
  Schema.makeFilter((value) => Object.keys(value).length <= maxFilterValues, {
    ...unstated,
    message: `Expected at most ${maxFilterValues} custom fields`
  })
)

/** The filters of a list of contacts and of a segment. */
export const ContactFilter = Schema.Struct({
  tier: Schema.optionalKey(Schema.Literals(tiers)).annotate({ description: "Only contacts whose lead has this tier" }),
  state: Schema.optionalKey(Schema.Literals(leadStates)).annotate({
    description: "The state of the lead to which the newest message with a lead belongs"
  }),
  channel: Schema.optionalKey(Channel).pipe(Schema.annotateKey({ description: "The channel of the newest message" })),
  tag: Schema.optionalKey(Tag).annotate({ description: "Only contacts with this tag" }),
  tags: Schema.optionalKey(Schema.Array(Tag).check(Schema.isMaxLength(maxFilterValues))).annotate({
    description: `Only contacts with all these tags; at most ${maxFilterValues}`
  }),
  company_id: Schema.optionalKey(text(64)).annotate({ description: "Only contacts of this company" }),
  custom_fields: Schema.optionalKey(FieldFilter).annotate({
    description: "Only contacts with these values of custom fields; of a `multi_select` field, name one option"
  }),
  consent: Schema.optionalKey(Schema.Literals(["opted_in", "opted_out"])).annotate({
    description:
      "`opted_out`: contacts of whom an address or number has opted out. `opted_in`: contacts with a recorded consent and without an opt-out"
  }),
  last_activity_after: Schema.optionalKey(Time).annotate({
    description: "Only contacts with activity at or after this time (ISO 8601)"
  }),
  last_activity_before: Schema.optionalKey(Time).annotate({
    description: "Only contacts with activity before this time (ISO 8601)"
  }),
  created_after: Schema.optionalKey(Time).annotate({
    description: "Only contacts that were created after this time (ISO 8601)"
  }),
  created_before: Schema.optionalKey(Time).annotate({
    description: "Only contacts that were created before this time (ISO 8601)"
  }),
  has_email: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: only contacts with an email address; false: only contacts without one"
  }),
  has_phone: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: only contacts with a phone number; false: only contacts without one"
  }),
  archived: Schema.optionalKey(Schema.Boolean).annotate({ description: "true: only archived contacts" })
}).annotate({
  identifier: "ContactFilter",
  description: "Filters of contacts. A contact must satisfy all of them; an absent filter selects all contacts"
})

const millis = (time: string | undefined): number | null => (time === undefined ? null : millisOf(time))

/** Decodes the filters of a list of contacts. */
export const filterFromJson = (json: typeof ContactFilter.Type): ContactFilterNoun => ({
  ...allContacts,
  tier: json.tier ?? null,
  state: json.state ?? null,
  channel: json.channel ?? null,
  tags: [...new Set([...(json.tag === undefined ? [] : [json.tag]), ...(json.tags ?? [])])],
  companyId: json.company_id ?? null,
  customFields: json.custom_fields ?? {},
  consent: json.consent ?? null,
  hasEmail: json.has_email ?? null,
  hasPhone: json.has_phone ?? null,
  lastActivityAfter: millis(json.last_activity_after),
  lastActivityBefore: millis(json.last_activity_before),
  createdAfter: millis(json.created_after),
  createdBefore: millis(json.created_before),
  archived: json.archived ?? false
})

/** Encodes filters. A field that does not filter is absent. */
export const filterToJson = (filter: ContactFilterNoun): typeof ContactFilter.Type => ({
  ...(filter.tier !== null && { tier: filter.tier }),
  ...(filter.state !== null && { state: filter.state }),
  ...(filter.channel !== null && { channel: filter.channel }),
  ...(filter.tags.length > 0 && { tags: filter.tags }),
  ...(filter.companyId !== null && { company_id: filter.companyId }),
  ...(Object.keys(filter.customFields).length > 0 && { custom_fields: filter.customFields }),
  ...(filter.consent !== null && { consent: filter.consent }),
  ...(filter.lastActivityAfter !== null && { last_activity_after: isoTime(filter.lastActivityAfter) }),
  ...(filter.lastActivityBefore !== null && { last_activity_before: isoTime(filter.lastActivityBefore) }),
  ...(filter.createdAfter !== null && { created_after: isoTime(filter.createdAfter) }),
  ...(filter.createdBefore !== null && { created_before: isoTime(filter.createdBefore) }),
  ...(filter.hasEmail !== null && { has_email: filter.hasEmail }),
  ...(filter.hasPhone !== null && { has_phone: filter.hasPhone }),
  ...(filter.archived && { archived: true })
})
