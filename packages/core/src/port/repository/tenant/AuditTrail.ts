import type { Effect } from "effect"
import { Context } from "effect"
import type { AuditEntry } from "../../../domain/access/AuditEntry.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A filter for audit entries. Null fields match all. */
export interface AuditFilter {
  readonly actor: string | null
  readonly action: string | null
}

/** The audit trail of privileged operations. Entries can be neither changed nor deleted. */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    readonly append: (entry: AuditEntry) => Effect.Effect<void, StoreUnavailable>
    /**
     * Lists entries before the entry `before`, newest first. Null starts with the newest. An empty tenant id selects
     * the entries of the deployment.
     */
    readonly page: (
      tenantId: string,
      filter: AuditFilter,
      limit: number,
      before: AuditEntry["auditId"] | null
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreUnavailable>
  }
>()("core/port/repository/tenant/AuditTrail") {}
