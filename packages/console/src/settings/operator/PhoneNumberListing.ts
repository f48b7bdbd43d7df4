import type { PhoneNumber } from "@leadloom/client"
import { longTime } from "../../design/Time.ts"
import { operatorText } from "../../text/Operator.ts"
import type { Action, Listing } from "../Listing.ts"

const { numbers: shown } = operatorText

const assign: Action = {
  label: shown.assign,
  message: shown.assignNote,
  operation: "phoneNumbers.assign",
  fields: [
    { name: "phone", label: shown.phone, type: "tel" },
    { name: "tenant", label: shown.tenant },
    { name: "isDefault", label: shown.isDefault, options: shown.choices }
  ],
  send: async ({ client }, { isDefault, phone = "", tenant = "" }) => {
    await client.phoneNumbers.assign({ phone, tenant_id: tenant, default: isDefault === "yes" })
    return null
  }
}

const release = ({ phone }: PhoneNumber): Action => ({
  label: shown.release,
  message: shown.releaseNote(phone),
  operation: "phoneNumbers.release",
  send: async ({ client }) => {
    await client.phoneNumbers.release({ phone })
    return null
  }
})

/** The phone numbers of all tenants. Only the operator sees them. */
export const phoneNumberListing: Listing<PhoneNumber> = {
  title: shown.title,
  empty: shown.empty,
  operation: "phoneNumbers.list",
  read: async ({ client }, cursor, signal) => {
    const { next_cursor: next, phone_numbers: rows } = await client.phoneNumbers.list({ cursor, signal })
    return { rows, next }
  },
  keyOf: ({ phone }) => phone,
  nameOf: ({ phone }) => phone,
  columns: () => [
    { header: shown.phone, cell: ({ phone }) => phone },
    { header: shown.tenant, cell: ({ tenant_id: tenantId }) => tenantId },
    {
      header: shown.isDefault,
      cell: ({ default: isDefault }) => shown.choices[isDefault ? "yes" : "no"],
      isDetail: true
    },
    { header: shown.created, cell: ({ created_at: time }) => longTime(time), isDetail: true }
  ],
  general: [assign],
  actions: (number) => [release(number)]
}
