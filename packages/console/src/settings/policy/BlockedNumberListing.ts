import type { BlockedNumber } from "@leadloom/client"
import { longTime } from "../../design/Time.ts"
import { policyText } from "../../text/Policies.ts"
import type { Action, Listing } from "../Listing.ts"

const { blockedNumbers: shown } = policyText

const block: Action = {
  label: shown.block,
  message: shown.blockNote,
  operation: "smsFilters.block",
  fields: [{ name: "phone", label: shown.phone, type: "tel" }],
  send: async ({ client, tenantId }, { phone = "" }) => {
    await client.smsFilters.block(tenantId, { phone })
    return null
  }
}

const unblock = ({ phone }: BlockedNumber): Action => ({
  label: shown.unblock,
  message: shown.unblockNote(phone),
  operation: "smsFilters.unblock",
  send: async ({ client, tenantId }) => {
    await client.smsFilters.unblock(tenantId, { phone })
    return null
  }
})

/** The phone numbers to which nothing is sent. */
export const blockedNumberListing: Listing<BlockedNumber> = {
  title: shown.title,
  empty: shown.empty,
  operation: "smsFilters.blocklist",
  read: async ({ client, tenantId }, cursor, signal) => {
    const { blocklist: rows, next_cursor: next } = await client.smsFilters.blocklist(tenantId, { cursor, signal })
    return { rows, next }
  },
  keyOf: ({ phone }) => phone,
  nameOf: ({ phone }) => phone,
  columns: () => [
    { header: shown.phone, cell: ({ phone }) => phone },
    { header: shown.since, cell: ({ created_at: time }) => longTime(time) }
  ],
  general: [block],
  actions: (number) => [unblock(number)]
}
