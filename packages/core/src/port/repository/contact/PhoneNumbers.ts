import type { Effect } from "effect"
import { Context } from "effect"
import type { PhoneNumber } from "../../../domain/address/PhoneNumber.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Telephone numbers of the operator's provider accounts, and the tenants to which they are assigned. A number belongs
 * to at most one tenant.
 */
export class PhoneNumbers extends Context.Service<
  PhoneNumbers,
  {
    /** Lists the numbers of a tenant, oldest first. */
    readonly ofTenant: (tenantId: string) => Effect.Effect<ReadonlyArray<PhoneNumber>, StoreUnavailable>
    /** Lists the numbers of all tenants after a number, in ascending order. */
    readonly page: (limit: number, after: string | null) => Effect.Effect<ReadonlyArray<PhoneNumber>, StoreUnavailable>
    /**
     * Returns the record of a number, or null. It needs no tenant id, because a webhook finds the tenant by the number.
     */
    readonly find: (phone: string) => Effect.Effect<PhoneNumber | null, StoreUnavailable>
    /** Assigns a free number to a tenant. Returns false when a tenant already has it. */
    readonly add: (number: PhoneNumber) => Effect.Effect<boolean, StoreUnavailable>
    /** Makes a number the only default number of its tenant. */
    readonly makeDefault: (tenantId: string, phone: string) => Effect.Effect<void, StoreUnavailable>
    /** Removes a number from its tenant. Returns false when no tenant had it. */
    readonly remove: (tenantId: string, phone: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/contact/PhoneNumbers") {}
