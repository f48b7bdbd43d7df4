import { Effect } from "effect"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId } from "../../domain/Id.ts"
import { AuditTrail, type AuditFilter } from "../../port/repository/tenant/AuditTrail.ts"
import type { AuditEntry } from "../../domain/access/AuditEntry.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a page of the audit trail, newest first. A null tenant selects the entries of the deployment. */
export const listAudit = Effect.fnUntraced(function* (tenantId: string | null, filter: AuditFilter, page: PageRequest) {
  const trail = yield* AuditTrail
  const { action, actor } = filter
  const fetch = (limit: number, before: AuditEntry["auditId"] | null) =>
    trail.page(tenantId ?? "", filter, limit, before)
  return yield* readPage(
    {
      scope: { tenantId: tenantId ?? "", list: "audit", filters: { action, actor } },
      keyOf: ({ auditId }: AuditEntry) => [auditId],
      readKey: ([auditId]) => (typeof auditId === "string" && isId("aud", auditId) ? auditId : null),
      fetch
    },
    page
  )
}, withSpan("listAudit"))
