import { Context, type Effect } from "effect"
import type { AddressConnected, ConnectionExists, Grant, GrantNotFound, SignIn } from "../../../domain/email/Grant.ts"
import type { AddressTaken } from "../../../domain/email/Mailbox.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Connected email accounts. The configuration limits their number per tenant. */
export class Grants extends Context.Service<
  Grants,
  {
    /**
     * Connects an account. Fails with `AddressTaken` when another active tenant has connected the mailbox of one of its
     * addresses, or owns the domain of one of its addresses, with `AddressConnected` when another account of the tenant
     * has one of them, and with `ConnectionExists` when the tenant has `limit` accounts (default: 1). Concurrent attempts
     * never exceed the limit.
     */
    readonly insert: (
      grant: Grant,
      limit?: number
    ) => Effect.Effect<void, ConnectionExists | AddressConnected | AddressTaken | StoreUnavailable>
    /** Returns the tenant's default account, or null when none is connected. */
    readonly current: (tenantId: string) => Effect.Effect<Grant | null, StoreUnavailable>
    /** Returns the tenant's account with this id, or null. */
    readonly find: (tenantId: string, grantId: string) => Effect.Effect<Grant | null, StoreUnavailable>
    /** Lists the tenant's accounts: the default one first, then in the order of connection. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
    /** Makes an account the default one. Without such a choice, it is the account that was connected first. */
    readonly setDefault: (tenantId: string, grantId: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the active tenant that has connected the mailbox of this address, as the account's own address or as an
     * alias. Returns null if there is none. An older database may contain several such tenants. Then the first one that
     * connected is returned. The method needs no tenant id, because intake finds the tenant by the address.
     */
    readonly holder: (address: string) => Effect.Effect<string | null, StoreUnavailable>
    /**
     * Lists the accounts of all tenants with this provider grant. The method needs no tenant id, because a webhook
     * finds the tenants by the provider grant.
     */
    readonly ofProvider: (providerGrantId: string) => Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
    /** Replaces the record of the connected account, except its addresses. */
    readonly update: (grant: Grant) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
    /**
     * Replaces the record of the connected account with its aliases. Fails with `AddressTaken`, and writes nothing,
     * when `insert` would reject one of the new aliases.
     */
    readonly setAliases: (
      grant: Grant
    ) => Effect.Effect<void, GrantNotFound | AddressConnected | AddressTaken | StoreUnavailable>
    readonly remove: (tenantId: string, grantId: string) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
  }
>()("core/port/repository/conversation/Grants") {}

/** Sign-ins to email accounts that were started and not completed. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** Stores a sign-in, and deletes expired sign-ins of the tenant. */
    readonly begin: (signIn: SignIn, now: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Consumes a sign-in of this principal, and returns its sealed part. Returns null when the sign-in does not exist,
     * was already consumed, or has expired.
     */
    readonly end: (
      signIn: Omit<SignIn, "expiresAt" | "sealed">,
      now: number
    ) => Effect.Effect<Pick<SignIn, "sealed"> | null, StoreUnavailable>
  }
>()("core/port/repository/conversation/Grants/SignIns") {}
