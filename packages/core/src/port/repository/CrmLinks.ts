import { Context, Effect, Layer } from "effect"
import type { CrmLink } from "../../domain/crm/CrmLink.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

const keyOfLink = ({ crmContactId, locationId, tenantId }: CrmLink): string => keyOf(tenantId, locationId, crmContactId)

/** Which contact of a CRM is which of ours. A contact of the CRM is one of ours at most. */
export class CrmLinks extends Context.Service<
  CrmLinks,
  {
    readonly ofCrm: (
      tenantId: string,
      locationId: string,
      crmContactId: string
    ) => Effect.Effect<CrmLink | null, StoreUnavailable>
    /** The links of one of our contacts, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<CrmLink>, StoreUnavailable>
    readonly insert: (link: CrmLink) => Effect.Effect<void, StoreUnavailable>
    /** As `CrmInstalls.replace`. */
    readonly replace: (link: CrmLink, version: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/CrmLinks") {
  static readonly layerMemory: Layer.Layer<CrmLinks> = Layer.effect(
    CrmLinks,
    Effect.map(MemoryState, ({ crmLinks }) =>
      CrmLinks.of({
        ofCrm: (tenantId, locationId, crmContactId) =>
          Effect.sync(() => crmLinks.get(keyOf(tenantId, locationId, crmContactId)) ?? null),
        ofContact: (tenantId, contactId) =>
          Effect.sync(() =>
            ofTenant(crmLinks, tenantId)
              .filter((link) => link.contactId === contactId)
              .toSorted(
                by(
                  ({ createdAt }) => createdAt,
                  ({ locationId }) => locationId,
                  ({ crmContactId }) => crmContactId
                )
              )
          ),
        insert: (link) => addNew(crmLinks, keyOfLink(link), link),
        replace: (link, version) =>
          Effect.sync(() => {
            const key = keyOfLink(link)
            if (crmLinks.get(key)?.version !== version) return false
            crmLinks.set(key, { ...link, version: version + 1 })
            return true
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
