import { Context, Effect, Layer } from "effect"
import type { AuditEntry } from "../../domain/access/AuditEntry.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

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
>()("core/port/repository/AuditTrail") {
  static readonly layerMemory: Layer.Layer<AuditTrail> = Layer.effect(
    AuditTrail,
    Effect.map(MemoryState, ({ auditEntries }) =>
      AuditTrail.of({
        append: (entry) => addNew(auditEntries, keyOf(entry.tenantId, entry.auditId), entry),
        page: (tenantId, { action, actor }, limit, before) =>
          Effect.sync(() =>
            ofTenant(auditEntries, tenantId)
              .filter((entry) => before === null || entry.auditId < before)
              .filter((entry) => actor === null || entry.actor === actor)
              .filter((entry) => action === null || entry.action === action)
              .toSorted((one, other) => (one.auditId < other.auditId ? 1 : -1))
              .slice(0, limit)
          )
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
