import type { AuditEntry } from "@leadloom/client"
import { longTime } from "../design/Time.ts"
import { capitalized } from "../text/Conditions.ts"
import { callerName } from "../text/Names.ts"
import { settingsText } from "../text/Settings.ts"
import type { Listing } from "./Listing.ts"

const { audit: shown } = settingsText

/** Returns the name of an operation in words: `cannedReplies.create` becomes `Canned replies: create`. */
const actionName = (operation: string): string => {
  const words = operation
    .split(".")
    .map((part) => part.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`))
    .join(": ")
  return capitalized(words)
}

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
    { header: shown.action, cell: ({ action }) => actionName(action) },
    {
      header: shown.actor,
      cell: ({ actor, user_id: userId, user_name: name }) => callerName(actor, name ?? names.get(userId ?? "") ?? null)
    },
    { header: shown.target, cell: targetOf, isDetail: true },
    { header: shown.address, cell: ({ address }) => address, isDetail: true }
  ]
}
