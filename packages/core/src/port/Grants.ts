import { Context, Effect, Layer } from "effect"
import { ConnectionExists, type Grant, GrantNotFound, senderAddresses } from "../email/account/Grant.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { by, MemoryState } from "./MemoryState.ts"

/** Connected email accounts, one a tenant. */
export class Grants extends Context.Service<
  Grants,
  {
    readonly insert: (grant: Grant) => Effect.Effect<void, ConnectionExists | StoreUnavailable>
    /** The tenant's connected account, or null. */
    readonly current: (tenantId: string) => Effect.Effect<Grant | null, StoreUnavailable>
    /** The tenants whose connected account has this address, as its own or as an alias. Asked before the tenant is known. */
    readonly holders: (address: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** The accounts behind a permission that a provider names, of whichever tenants. Asked before the tenant is known. */
    readonly ofProvider: (providerGrantId: string) => Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
    /** Replaces the record of the connected account. */
    readonly update: (grant: Grant) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
    readonly remove: (tenantId: string, grantId: string) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
  }
>()("core/port/Grants") {
  static readonly layerMemory: Layer.Layer<Grants> = Layer.effect(
    Grants,
    Effect.map(MemoryState, ({ grants }) => {
      const held = (tenantId: string, grantId: string): Effect.Effect<Grant, GrantNotFound> =>
        Effect.suspend(() => {
          const grant = grants.get(tenantId)
          return grant?.grantId === grantId ? Effect.succeed(grant) : Effect.fail(new GrantNotFound({ grantId }))
        })
      return Grants.of({
        insert: (grant) =>
          Effect.suspend(() => {
            const there = grants.get(grant.tenantId)
            if (there !== undefined) return Effect.fail(new ConnectionExists(there))
            grants.set(grant.tenantId, grant)
            return Effect.void
          }),
        current: (tenantId) => Effect.sync(() => grants.get(tenantId) ?? null),
        holders: (address) =>
          Effect.sync(() =>
            [...grants.values()]
              .filter((grant) => senderAddresses(grant).includes(address))
              .map(({ tenantId }) => tenantId)
              .toSorted()
          ),
        ofProvider: (providerGrantId) =>
          Effect.sync(() =>
            [...grants.values()]
              .filter((grant) => grant.providerGrantId === providerGrantId)
              .toSorted(by(({ tenantId }) => tenantId))
          ),
        update: (grant) =>
          Effect.map(held(grant.tenantId, grant.grantId), () => void grants.set(grant.tenantId, grant)),
        remove: (tenantId, grantId) => Effect.map(held(tenantId, grantId), () => void grants.delete(tenantId))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
