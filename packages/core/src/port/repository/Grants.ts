import { Context, Effect, Layer } from "effect"
import { ConnectionExists, type Grant, GrantNotFound, senderAddresses } from "../../domain/email/Grant.ts"
import { AddressTaken, isOnForeignDomain, mailboxOf } from "../../domain/email/Mailbox.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { by, MemoryState } from "../../memory/MemoryState.ts"

/** Connected email accounts, one a tenant. */
export class Grants extends Context.Service<
  Grants,
  {
    /**
     * Connects an account. Fails with `AddressTaken` when another served tenant has connected the mailbox of one of its
     * addresses, or owns the domain that one is on. Of concurrent attempts exactly one succeeds.
     */
    readonly insert: (grant: Grant) => Effect.Effect<void, ConnectionExists | AddressTaken | StoreUnavailable>
    /** The tenant's connected account, or null. */
    readonly current: (tenantId: string) => Effect.Effect<Grant | null, StoreUnavailable>
    /**
     * The served tenant whose connected account has the mailbox of this address, as its own or as an alias. Where an
     * older database has several, the one that connected it first. Asked before the tenant is known.
     */
    readonly holder: (address: string) => Effect.Effect<string | null, StoreUnavailable>
    /** The accounts behind a permission that a provider names, of whichever tenants. Asked before the tenant is known. */
    readonly ofProvider: (providerGrantId: string) => Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
    /** Replaces the record of the connected account, but for its addresses, which stay. */
    readonly update: (grant: Grant) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
    /**
     * Replaces the record with its aliases. Fails with `AddressTaken`, as `insert`, for aliases that are new; then
     * nothing has been written.
     */
    readonly setAliases: (grant: Grant) => Effect.Effect<void, GrantNotFound | AddressTaken | StoreUnavailable>
    readonly remove: (tenantId: string, grantId: string) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
  }
>()("core/port/repository/Grants") {
  static readonly layerMemory: Layer.Layer<Grants> = Layer.effect(
    Grants,
    Effect.map(MemoryState, ({ grants, tenants }) => {
      const isServed = ({ tenantId }: Grant): boolean => (tenants.get(tenantId)?.archivedAt ?? null) === null
      /** The accounts that have the mailbox of an address, the first one first. */
      const having = (email: string): ReadonlyArray<Grant> =>
        [...grants.values()]
          .filter((grant) => isServed(grant) && senderAddresses(grant).map(mailboxOf).includes(mailboxOf(email)))
          .toSorted(by(({ createdAt, tenantId }) => `${String(createdAt).padStart(16, "0")} ${tenantId}`))
      const claim = (tenantId: string, addresses: ReadonlyArray<string>): Effect.Effect<void, AddressTaken> => {
        const served = [...tenants.values()].filter(({ archivedAt }) => archivedAt === null)
        const taken = addresses.filter(
          (email) =>
            having(email).some((grant) => grant.tenantId !== tenantId) || isOnForeignDomain(email, tenantId, served)
        )
        return taken.length === 0 ? Effect.void : Effect.fail(new AddressTaken({ addresses: taken }))
      }
      const held = (tenantId: string, grantId: string): Effect.Effect<Grant, GrantNotFound> =>
        Effect.suspend(() => {
          const grant = grants.get(tenantId)
          return grant?.grantId === grantId ? Effect.succeed(grant) : Effect.fail(new GrantNotFound({ grantId }))
        })
      return Grants.of({
        insert: (grant) =>
          Effect.suspend((): Effect.Effect<void, ConnectionExists | AddressTaken> => {
            const there = grants.get(grant.tenantId)
            if (there !== undefined) return Effect.fail(new ConnectionExists(there))
            return Effect.map(
              claim(grant.tenantId, senderAddresses(grant)),
              () => void grants.set(grant.tenantId, grant)
            )
          }),
        current: (tenantId) => Effect.sync(() => grants.get(tenantId) ?? null),
        holder: (address) => Effect.sync(() => having(address)[0]?.tenantId ?? null),
        ofProvider: (providerGrantId) =>
          Effect.sync(() =>
            [...grants.values()]
              .filter((grant) => grant.providerGrantId === providerGrantId)
              .toSorted(by(({ tenantId }) => tenantId))
          ),
        update: (grant) =>
          Effect.map(
            held(grant.tenantId, grant.grantId),
            ({ aliases, email }) => void grants.set(grant.tenantId, { ...grant, aliases, email })
          ),
        setAliases: (grant) =>
          Effect.gen(function* () {
            const before = yield* held(grant.tenantId, grant.grantId)
            const added = grant.aliases.filter((email) => !before.aliases.includes(email))
            yield* claim(grant.tenantId, added)
            grants.set(grant.tenantId, { ...grant, email: before.email })
          }),
        remove: (tenantId, grantId) => Effect.map(held(tenantId, grantId), () => void grants.delete(tenantId))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
