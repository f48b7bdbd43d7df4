import type { Effect } from "effect"
import { Context } from "effect"
import type { AuditEntry } from "../../../domain/access/AuditEntry.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Which entries are asked for; null: whichever. */
export interface AuditFilter {
  readonly actor: string | null
  readonly action: string | null
}

/** What privileged people and programs did. There is no way to change an entry, or to take one away. */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    readonly append: (entry: AuditEntry) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, before an entry; null: from the newest. The tenant is empty for what concerned the deployment. */
    readonly page: (
      tenantId: string,
      filter: AuditFilter,
      limit: number,
      before: AuditEntry["auditId"] | null
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreUnavailable>
  }
>()("core/port/repository/tenant/AuditTrail") {}
