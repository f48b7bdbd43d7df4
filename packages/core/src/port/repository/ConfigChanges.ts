import { Context, Effect, Layer } from "effect"
import type { ConfigChange } from "../../domain/tenant/ConfigChange.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Who changed the configuration of a tenant, one line for each version that was saved. */
export class ConfigChanges extends Context.Service<
  ConfigChanges,
  {
    /** Adds the line of a version; belongs into the unit of work that saves the version. */
    readonly insert: (change: ConfigChange) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, of versions below `before`; null: from the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<ConfigChange>, StoreUnavailable>
    /** The line of one version; null: there is none, as of the version that a tenant begins with. */
    readonly find: (tenantId: string, version: number) => Effect.Effect<ConfigChange | null, StoreUnavailable>
  }
>()("core/port/repository/ConfigChanges") {
  static readonly layerMemory: Layer.Layer<ConfigChanges> = Layer.effect(
    ConfigChanges,
    Effect.map(MemoryState, ({ configChanges }) =>
      ConfigChanges.of({
        insert: (change) => addNew(configChanges, keyOf(change.tenantId, String(change.version)), change),
        page: (tenantId, limit, before) =>
          Effect.sync(() =>
            ofTenant(configChanges, tenantId)
              .filter(({ version }) => before === null || version < before)
              .toSorted((one, other) => other.version - one.version)
              .slice(0, limit)
          ),
        find: (tenantId, version) => Effect.sync(() => configChanges.get(keyOf(tenantId, String(version))) ?? null)
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
