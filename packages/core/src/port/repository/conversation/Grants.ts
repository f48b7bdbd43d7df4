import { Context, type Effect } from "effect"
import type { ConnectionExists, Grant, GrantNotFound, SignIn } from "../../../domain/email/Grant.ts"
import type { AddressTaken } from "../../../domain/email/Mailbox.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

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
>()("core/port/repository/conversation/Grants") {}

/** Sign-ins that have been begun and not ended. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** Keeps a sign-in, and forgets those of the tenant that have expired. */
    readonly begin: (signIn: SignIn, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Ends a sign-in of this principal: it is there once. False: it never was, was ended, or has expired. */
    readonly end: (signIn: Omit<SignIn, "expiresAt">, now: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/conversation/Grants/SignIns") {}
