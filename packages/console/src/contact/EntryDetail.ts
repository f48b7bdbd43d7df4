import type { CustomFieldList, TimelineEntry } from "@leadloom/client"
import { contactText } from "../text/Contact.ts"
import { leadStateName, tierName } from "../text/Names.ts"
import { text } from "../text/Shared.ts"

const { timeline: shown } = contactText

type Data = Readonly<Record<string, unknown>>
/** A detail with its name. */
type Detail = readonly [string, string]

/** Returns the value of a custom field in words. Other servers may send other values than these. */
const valueOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return shown.noValue
  if (typeof value === "boolean") return value ? text.yes : text.no
  return Array.isArray(value) ? value.map(valueOf).join(", ") || shown.noValue : String(value)
}

/** Returns the label of a custom field; its key if it was deleted. */
const labelOf = (fields: CustomFieldList | undefined, key: unknown, leadId: string | null): string => {
  const entity = leadId === null ? "contact" : "lead"
  return fields?.fields.find((field) => field.key === key && field.entity === entity)?.label ?? String(key)
}

/** The names of states, which no lead has, are those of conversations. */
const isState = (value: string): value is keyof typeof text.states => value in text.states

/** Returns the name of a tier or of a state. Other values are texts of people. */
const wordOf = (value: string): string | null => (isState(value) ? text.states[value] : leadStateName(tierName(value)))

/** Returns the details that have the same meaning in all entries, in the order of their names. */
const sharedDetails = (data: Data): ReadonlyArray<Detail> =>
  Object.entries(shown.details).flatMap(([key, name]): ReadonlyArray<Detail> => {
    const value = data[key]
    const word = typeof value === "string" ? wordOf(value) : value
    return typeof word === "string" || typeof word === "number" ? [[name, String(word)]] : []
  })

const detailsOf = ({ data = {}, lead_id: leadId, type }: TimelineEntry, fields: CustomFieldList | undefined) => {
  const { field, previous, value } = data
  switch (type) {
    case "tag_added":
      return [[shown.tag, valueOf(value)]] as const
    case "tag_removed":
      return [[shown.tag, valueOf(previous)]] as const
    case "field_changed":
      return [
        [labelOf(fields, field, leadId), valueOf(value)],
        [shown.before, valueOf(previous)]
      ] as const
    case "identity_added":
    case "identity_changed":
    case "identity_removed":
      return [[contactText.identities.value, valueOf(value)]] as const
    default:
      return sharedDetails(data)
  }
}

/** Returns what an entry of a timeline says, in words. */
export const detailOf = (entry: TimelineEntry, fields: CustomFieldList | undefined): string => {
  const { message, note, task } = entry
  if (message !== undefined) return message.body
  if (note !== undefined) return note.body
  if (task !== undefined) return task.title
  return detailsOf(entry, fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ")
}
