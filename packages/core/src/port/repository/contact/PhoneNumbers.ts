import type { Effect } from "effect"
import { Context } from "effect"
import type { PhoneNumber } from "../../../domain/address/PhoneNumber.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The numbers of the operator's accounts, and which tenant has which. A number is one tenant's. */
export class PhoneNumbers extends Context.Service<
  PhoneNumbers,
  {
    /** The numbers of a tenant, oldest first. */
    readonly ofTenant: (tenantId: string) => Effect.Effect<ReadonlyArray<PhoneNumber>, StoreUnavailable>
    /** Every number, in the order of the numbers, after one. */
    readonly page: (limit: number, after: string | null) => Effect.Effect<ReadonlyArray<PhoneNumber>, StoreUnavailable>
    /** Whose a number is. Asked before the tenant is known. */
    readonly find: (phone: string) => Effect.Effect<PhoneNumber | null, StoreUnavailable>
    /** Gives a tenant a number that nobody has. False: somebody has it. */
    readonly add: (number: PhoneNumber) => Effect.Effect<boolean, StoreUnavailable>
    /** Makes a number of a tenant its default one, and no other. */
    readonly makeDefault: (tenantId: string, phone: string) => Effect.Effect<void, StoreUnavailable>
    /** Takes a number from whoever has it. False: nobody had it. */
    readonly remove: (tenantId: string, phone: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/contact/PhoneNumbers") {}
