import type { CrmShape } from "@leadloom/core/port/repository/crm/CrmShape"
import { Effect, Schema } from "effect"
import { maybe } from "../http/Lenient.ts"
import { ContactJson, contactOf } from "./ContactJson.ts"
import type { RequestContacts } from "./HighLevelHttp.ts"

/** The list says of each contact where it is in it; names it tells in lower case only, and those are left out. */
const ListedJson = Schema.Struct({ ...ContactJson.fields, searchAfter: maybe(Schema.Array(Schema.Unknown)) })
const ListAnswer = Schema.Struct({ contacts: Schema.Array(ListedJson), total: maybe(Schema.Number) })

const cursorOf = (after: string): unknown => {
  try {
    return JSON.parse(after)
  } catch {
    return undefined
  }
}

/**
 * `POST /contacts/search`, newest first. It has taken the place of `GET /contacts/`, which is deprecated and gone in v3.
 * The official description leaves its body open: `locationId`, `pageLimit` and `searchAfter` are what its guide names.
 */
export const pageOf =
  (sendRequest: RequestContacts): CrmShape["contacts"] =>
  (access, limit, after) => {
    const { locationId } = access
    const json = { locationId, pageLimit: limit, ...(after === null ? {} : { searchAfter: cursorOf(after) }) }
    const call = { method: "POST", steps: ["contacts", "search"], what: "location", json } as const
    return Effect.map(sendRequest(access, call, ListAnswer), ({ contacts, total }) => {
      const place = contacts.length < limit ? undefined : contacts.at(-1)?.searchAfter
      return {
        contacts: contacts.map((contact) => contactOf(contact, locationId)),
        next: place ? JSON.stringify(place) : null,
        total: Number.isSafeInteger(total) ? (total ?? null) : null
      }
    })
  }
