import { Context, type Effect } from "effect"
import type { BlockedNumber, OptOut } from "../../../domain/consent/OptOut.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Opt-outs from text messages and calls. The key is the contact's number and the tenant's number. After the erasure of
 * a contact, only a hash of the contact's number remains.
 */
export class OptOuts extends Context.Service<
  OptOuts,
  {
    /**
     * Returns the opt-outs of a number, in the order of their keys. `phones` contains all forms and hashes of the
     * number.
     */
    readonly of: (
      tenantId: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreUnavailable>
    /** Stores the current consent of a contact. It replaces the earlier consent for the same two numbers. */
    readonly save: (optOut: OptOut) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/OptOuts") {}

/**
 * Numbers that a tenant does not contact and from which it accepts no messages. After the erasure of a contact, only a
 * hash of the contact's number remains.
 */
export class Blocklist extends Context.Service<
  Blocklist,
  {
    /** Returns up to `limit` blocked numbers after the number `after`, in ascending order. Hashes are not included. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<BlockedNumber>, StoreUnavailable>
    /** Returns true when one of these forms and hashes of a number is blocked. */
    readonly holds: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<boolean, StoreUnavailable>
    /** Blocks a number and returns the stored entry. An existing entry does not change. */
    readonly add: (blocked: BlockedNumber) => Effect.Effect<BlockedNumber, StoreUnavailable>
    /** Removes all these forms and hashes of a number from the blocklist. Unknown ones are ignored. */
    readonly remove: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/contact/OptOuts/Blocklist") {}
