import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { Effect, Schema } from "effect"
import { maybe } from "../provider/Lenient.ts"
import { ContactJson, contactOf } from "./ContactJson.ts"
import type { RequestContacts } from "./HighLevelConfig.ts"

/**
 * A contact in the list, with its position (`searchAfter`). Names in the list are ignored, because the list contains
 * them in lower case only.
 */
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
 * Reads a page of `POST /contacts/search`, newest first. It replaces `GET /contacts/`, which is deprecated and removed
 * in v3. The official description does not specify the body; `locationId`, `pageLimit` and `searchAfter` come from the
 * official guide.
 */
export const pageOf =
  (sendRequest: RequestContacts): CrmShape["contacts"] =>
  (access, limit, after) => {
    const { locationId } = access
    const json = { locationId, pageLimit: limit, ...(after === null ? {} : { searchAfter: cursorOf(after) }) }
    const call = { method: "POST", path: ["contacts", "search"], what: "location", json } as const
    return Effect.map(sendRequest(access, call, ListAnswer), ({ contacts, total }) => {
      const place = contacts.length < limit ? undefined : contacts.at(-1)?.searchAfter
      return {
        contacts: contacts.map((contact) => contactOf(contact, locationId)),
        next: place ? JSON.stringify(place) : null,
        total: Number.isSafeInteger(total) ? (total ?? null) : null
      }
    })
  }
