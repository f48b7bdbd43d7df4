import type { AuditEntry } from "@leadloom/client"
import { operatorText } from "../../text/Operator.ts"
import { auditListing } from "../AuditListing.ts"
import type { Listing } from "../Listing.ts"

/** Every privileged action of the deployment, newest first. */
export const deploymentAuditListing: Listing<AuditEntry> = {
  ...auditListing,
  title: operatorText.audit.title,
  operation: "audit.listDeployment",
  read: async ({ client }, cursor, signal) => {
    const { entries: rows, next_cursor: next } = await client.audit.listDeployment({ cursor, limit: 100, signal })
    return { rows, next }
  },
  columns: (names) => [
    ...auditListing.columns(names),
    { header: operatorText.audit.tenant, cell: ({ tenant_id: id }) => id, isDetail: true }
  ]
}
