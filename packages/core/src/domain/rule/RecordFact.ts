import { Schema } from "effect"
import type { Company } from "../company/Company.ts"
import type { Contact } from "../contact/Contact.ts"
import type { InboxState } from "../conversation/InboxState.ts"
import { countAttempts, countMessages, type MessageActivity, newestTally } from "../conversation/MessageActivity.ts"
import { type Channel, channels } from "../Channel.ts"
import { type FieldEntity, fieldEntities } from "../field/CustomField.ts"
import { FieldValue, type FieldValues } from "../field/FieldValues.ts"
import type { Lead } from "../lead/Lead.ts"

/**
 * The values from stored records that a run reads only if a rule compares a fact that depends on them. Null stands for
 * a missing value. A value that was not read is absent.
 */
export const RecordFacts = Schema.Record(Schema.String, Schema.NullOr(FieldValue))
export type RecordFacts = typeof RecordFacts.Type

/** The name of a fact with the value of a custom field. */
export type FieldFactName = `${FieldEntity}.custom_fields.${string}`

/** The custom field that a fact reads. */
export interface FieldReference {
  readonly entity: FieldEntity
  readonly key: string
}

/** Returns the name of the fact with the value of a custom field. */
export const fieldFactOf = ({ entity, key }: FieldReference): FieldFactName => `${entity}.custom_fields.${key}`

/** Returns the custom field of a fact such as `lead.custom_fields.budget`; null for other facts. */
export const fieldOfFact = (fact: string): FieldReference | null => {
  for (const entity of fieldEntities) {
    const prefix = fieldFactOf({ entity, key: "" })
    if (fact.startsWith(prefix) && fact.length > prefix.length) return { entity, key: fact.slice(prefix.length) }
  }
  return null
}

/** Returns whether a fact is the value of a custom field. */
export const isFieldFact = (fact: string): fact is FieldFactName => fieldOfFact(fact) !== null

/**
 * The records that facts need. Contact and lead are read for every run. Each of the others costs a run one or two
 * statements.
 */
export type FactSource = "contact" | "lead" | "company" | "place" | "inbox" | "activity" | "email" | "phone"

/** The records that a run can read. Null stands for a missing record, or for one that no fact needs. */
export interface FactRecords {
  readonly contact: Pick<Contact, "attributes" | "customFields"> | null
  readonly lead: Pick<Lead, "assigneeId" | "customFields" | "teamId"> | null
  readonly company: Pick<Company, "customFields" | "domain" | "name"> | null
  /** The ids of the pipeline and stage in which the lead is. */
  readonly place: { readonly pipelineId: string; readonly stageId: string } | null
  readonly inbox: Pick<InboxState, "assigneeId" | "priority" | "state" | "tags" | "teamId"> | null
  readonly activity: MessageActivity
  /** Whether the contact has opted out of messages to its address, and to its number. Null: it has none. */
  readonly optedOut: { readonly email: boolean | null; readonly phone: boolean | null }
}

/** A value that is read on demand. */
interface Reading {
  readonly source: FactSource
  readonly read: (records: FactRecords) => FieldValue | null
}

const countsOf = (channel: Channel): Readonly<Record<string, Reading>> => ({
  [`conversation.inbound_count.${channel}`]: {
    source: "activity",
    read: ({ activity }) => countMessages(activity, "inbound", channel)
  },
  [`conversation.outbound_count.${channel}`]: {
    source: "activity",
    read: ({ activity }) => countMessages(activity, "outbound", channel)
  }
})

const languageOf = ({ language, locale }: Contact["attributes"]): string | null => {
  const tag = language ?? locale
  return typeof tag === "string" && tag.trim() !== "" ? (tag.trim().toLowerCase().split(/[-_]/u)[0] ?? null) : null
}

/** FROZEN, because runs store these names. The values that are read on demand, besides custom fields. */
const readings: Readonly<Record<string, Reading>> = {
  "contact.language": {
    source: "contact",
    read: ({ contact }) => (contact === null ? null : languageOf(contact.attributes))
  },
  "contact.email_opted_out": { source: "email", read: ({ optedOut }) => optedOut.email },
  "contact.phone_opted_out": { source: "phone", read: ({ optedOut }) => optedOut.phone },
  "company.name": { source: "company", read: ({ company }) => company?.name ?? null },
  "company.domain": { source: "company", read: ({ company }) => company?.domain ?? null },
  "lead.assignee_id": { source: "lead", read: ({ lead }) => lead?.assigneeId ?? null },
  "lead.team_id": { source: "lead", read: ({ lead }) => lead?.teamId ?? null },
  "lead.pipeline_id": { source: "place", read: ({ place }) => place?.pipelineId ?? null },
  "lead.stage_id": { source: "place", read: ({ place }) => place?.stageId ?? null },
  "conversation.state": { source: "inbox", read: ({ inbox }) => inbox?.state ?? null },
  "conversation.priority": { source: "inbox", read: ({ inbox }) => inbox?.priority ?? null },
  "conversation.tags": { source: "inbox", read: ({ inbox }) => inbox?.tags ?? null },
  "conversation.assignee_id": { source: "inbox", read: ({ inbox }) => inbox?.assigneeId ?? null },
  "conversation.team_id": { source: "inbox", read: ({ inbox }) => inbox?.teamId ?? null },
  "conversation.inbound_count": {
    source: "activity",
    read: ({ activity }) => countMessages(activity, "inbound", null)
  },
  "conversation.outbound_count": {
    source: "activity",
    read: ({ activity }) => countMessages(activity, "outbound", null)
  },
  ...Object.assign({}, ...channels.map(countsOf)),
  "conversation.attempts": { source: "activity", read: ({ activity }) => countAttempts(activity) },
  "conversation.last_direction": {
    source: "activity",
    read: ({ activity }) => newestTally(activity, null)?.direction ?? null
  },
  "conversation.last_channel": {
    source: "activity",
    read: ({ activity }) => newestTally(activity, null)?.channel ?? null
  },
  "conversation.last_at": { source: "activity", read: ({ activity }) => newestTally(activity, null)?.newest ?? null },
  "conversation.inbound_at": {
    source: "activity",
    read: ({ activity }) => newestTally(activity, "inbound")?.newest ?? null
  },
  "conversation.outbound_at": {
    source: "activity",
    read: ({ activity }) => newestTally(activity, "outbound")?.newest ?? null
  }
}

/**
 * The stored time (epoch milliseconds) of each fact that is an elapsed time. A run stores the time, because the elapsed
 * time changes while the run waits.
 */
export const elapsedFacts = {
  "conversation.hours_since_last": "conversation.last_at",
  "conversation.hours_since_inbound": "conversation.inbound_at",
  "conversation.hours_since_outbound": "conversation.outbound_at"
} as const

const storedNames: ReadonlyMap<string, string> = new Map(Object.entries(elapsedFacts))

/** Returns the name of the value that a run reads on demand for a fact; null for a fact that every run has. */
export const storedNameOf = (fact: string): string | null => {
  const name = storedNames.get(fact) ?? fact
  return Object.hasOwn(readings, name) || isFieldFact(name) ? name : null
}

/** Returns the record that a value needs. */
export const sourceOf = (name: string): FactSource =>
  fieldOfFact(name)?.entity ?? (Object.hasOwn(readings, name) ? readings[name]?.source : undefined) ?? "contact"

const fieldIn = ({ entity, key }: FieldReference, records: FactRecords): FieldValue | null => {
  const values: FieldValues | undefined = records[entity]?.customFields
  return values !== undefined && Object.hasOwn(values, key) ? (values[key] ?? null) : null
}

const valueOf = (name: string, records: FactRecords): FieldValue | null => {
  const field = fieldOfFact(name)
  if (field !== null) return fieldIn(field, records)
  return Object.hasOwn(readings, name) ? (readings[name]?.read(records) ?? null) : null
}

/** Returns the named values of these records. */
export const recordFactsOf = (names: ReadonlyArray<string>, records: FactRecords): RecordFacts =>
  Object.fromEntries(names.map((name) => [name, valueOf(name, records)]))
