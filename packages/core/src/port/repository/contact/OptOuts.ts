import { Context, type Effect } from "effect"
import type { BlockedNumber, OptOut } from "../../../domain/consent/OptOut.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Opt-outs from text messages and calls, by the contact's number and the tenant's number. After the erasure of a
 * contact, only a hash of its number remains.
 */
export class OptOuts extends Context.Service<
  OptOuts,
  {
    /** Returns the opt-outs of any of these spellings or hashes of a number, in the order of their keys. */
    readonly of: (
      tenantId: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreUnavailable>
    /** Stores the current choice of a contact. It replaces the earlier one of the same two numbers. */
    readonly save: (optOut: OptOut) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/OptOuts") {}

/** Numbers that a tenant does not want to contact or hear from. After an erasure, only a hash of the number remains. */
export class Blocklist extends Context.Service<
  Blocklist,
  {
    /** Returns up to `limit` blocked numbers above `after`, in ascending order. Hashes are left out. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<BlockedNumber>, StoreUnavailable>
    /** Returns true when any of these spellings or hashes of a number is blocked. */
    readonly holds: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<boolean, StoreUnavailable>
    /** Blocks a number and returns the stored entry. An existing entry does not change. */
    readonly add: (blocked: BlockedNumber) => Effect.Effect<BlockedNumber, StoreUnavailable>
    /** Removes spellings or hashes of a number from the blocklist. Unknown ones are ignored. */
    readonly remove: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/contact/OptOuts/Blocklist") {}
