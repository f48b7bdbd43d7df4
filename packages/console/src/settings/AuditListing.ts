import type { AuditEntry } from "@leadloom/client"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Listing } from "./Listing.ts"

const { audit: shown } = settingsText

const targetOf = ({ target }: AuditEntry): string => Object.values(target).join(", ")

/** Every privileged action in the tenant, newest first. */
export const auditListing: Listing<AuditEntry> = {
  title: shown.title,
  empty: shown.empty,
  operation: "audit.list",
  read: async ({ client, tenantId }, cursor, signal) => {
    const { entries: rows, next_cursor: next } = await client.audit.list(tenantId, { cursor, limit: 100, signal })
    return { rows, next }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ action }) => action,
  columns: (names) => [
    { header: shown.time, cell: ({ timestamp }) => longTime(timestamp) },
    { header: shown.action, cell: ({ action }) => action },
    {
      header: shown.actor,
      cell: ({ actor, user_id: userId }) => (userId === null ? actor : (names.get(userId) ?? userId))
    },
    { header: shown.target, cell: targetOf, isDetail: true },
    { header: shown.address, cell: ({ address }) => address, isDetail: true }
  ]
}
