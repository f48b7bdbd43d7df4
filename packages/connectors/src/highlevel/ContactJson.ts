import type { CrmChanges, CrmContact, ReportedFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import { Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"

/** The fields of a contact that this server reads from responses and provider events. */
export const contactFields = {
  name: maybe(Schema.String),
  firstName: maybe(Schema.String),
  lastName: maybe(Schema.String),
  email: maybe(Schema.String),
  phone: maybe(Schema.String),
  companyName: maybe(Schema.String),
  tags: listOf(Schema.String),
  dnd: maybe(Schema.Boolean),
  dndSettings: maybe(Schema.Struct({ SMS: maybe(Schema.Struct({ status: maybe(Schema.String) })) }))
}

/** The schema of a contact in a response of HighLevel. */
export const ContactJson = Schema.Struct({ id: Schema.String, locationId: maybe(Schema.String), ...contactFields })

const trimToNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim().replace(/\s+/gu, " ") ?? ""
  return trimmed === "" ? null : trimmed
}

/** Prefers first and last name. The CRM derives `name` from them, sometimes in lower case. */
const nameOf = ({ firstName, lastName, name }: Omit<typeof ContactJson.Type, "id">): string | null =>
  trimToNull([firstName ?? "", lastName ?? ""].join(" ")) ?? trimToNull(name)

/** The status `active` means that "do not disturb" is active; `permanent` means the same without an end. */
const optedOut = ({ dnd, dndSettings }: Omit<typeof ContactJson.Type, "id">): boolean => {
  const status = dndSettings?.SMS?.status?.toLowerCase()
  return dnd === true || status === "active" || status === "permanent"
}

/** Converts a contact of the CRM. */
export const contactOf = (json: typeof ContactJson.Type, locationId: string): CrmContact => ({
  crmContactId: json.id,
  locationId: json.locationId || locationId,
  name: nameOf(json),
  email: trimToNull(json.email),
  phone: trimToNull(json.phone),
  company: trimToNull(json.companyName),
  tags: present(json.tags)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ""),
  smsOptOut: optedOut(json)
})

/** Returns the fields of a contact that a provider event contains. */
export const saidOf = (json: Omit<typeof ContactJson.Type, "id">): Partial<ReportedFields> => {
  const names = ["name", "firstName", "lastName"] as const
  return {
    ...(names.some((name) => name in json) ? { name: nameOf(json) } : {}),
    ...("email" in json ? { email: trimToNull(json.email) } : {}),
    ...("phone" in json ? { phone: trimToNull(json.phone) } : {}),
    ...("companyName" in json ? { company: trimToNull(json.companyName) } : {}),
    ...("tags" in json ? { tags: present(json.tags) } : {}),
    ...("dnd" in json || "dndSettings" in json ? { smsOptOut: optedOut(json) } : {})
  }
}

/** Splits a name into the CRM's two fields. The last word becomes the last name. */
export const nameJson = (name: string | null) => {
  const words = (trimToNull(name) ?? "").split(" ")
  const last = words.length > 1 ? words.at(-1) : undefined
  const first = last === undefined ? words.join(" ") : words.slice(0, -1).join(" ")
  return { firstName: first === "" ? null : first, lastName: last ?? null, name: trimToNull(name) }
}

/** Returns the body of `PUT /contacts/{id}`, which has no company field. */
export const changesJson = ({ email, name, phone }: CrmChanges) => ({
  ...(name === undefined ? {} : nameJson(name)),
  ...(email === undefined ? {} : { email }),
  ...(phone === undefined ? {} : { phone })
})
