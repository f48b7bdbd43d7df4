import { Context, type Effect } from "effect"
import type { ConnectionExists, Grant, GrantNotFound, SignIn } from "../../../domain/email/Grant.ts"
import type { AddressTaken } from "../../../domain/email/Mailbox.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Connected email accounts, at most one for each tenant. */
export class Grants extends Context.Service<
  Grants,
  {
    /**
     * Connects an account. Fails with `AddressTaken` when another active tenant has connected the mailbox of one of its
     * addresses or owns the domain of one. Of concurrent attempts exactly one succeeds.
     */
    readonly insert: (grant: Grant) => Effect.Effect<void, ConnectionExists | AddressTaken | StoreUnavailable>
    /** Returns the tenant's connected account, or null. */
    readonly current: (tenantId: string) => Effect.Effect<Grant | null, StoreUnavailable>
    /**
     * Returns the active tenant whose connected account has the mailbox of this address, as its own address or as an
     * alias. If an older database has several such tenants, returns the first one to connect. It needs no tenant id:
     * intake finds the tenant with it.
     */
    readonly holder: (address: string) => Effect.Effect<string | null, StoreUnavailable>
    /**
     * Lists the accounts of all tenants with this provider grant. It needs no tenant id: a webhook finds its tenants
     * with it.
     */
    readonly ofProvider: (providerGrantId: string) => Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
    /** Replaces the record of the connected account, except its addresses. */
    readonly update: (grant: Grant) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
    /**
     * Replaces the record with its aliases. Fails with `AddressTaken` when `insert` would reject a new alias. Nothing
     * is written then.
     */
    readonly setAliases: (grant: Grant) => Effect.Effect<void, GrantNotFound | AddressTaken | StoreUnavailable>
    readonly remove: (tenantId: string, grantId: string) => Effect.Effect<void, GrantNotFound | StoreUnavailable>
  }
>()("core/port/repository/conversation/Grants") {}

/** Sign-ins to email accounts that were started and not completed. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** Stores a sign-in and deletes expired ones of the tenant. */
    readonly begin: (signIn: SignIn, now: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Consumes a sign-in of this principal. Returns false when it does not exist, was consumed before or has expired.
     */
    readonly end: (signIn: Omit<SignIn, "expiresAt">, now: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/conversation/Grants/SignIns") {}
