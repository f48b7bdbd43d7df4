import { Context, type Effect } from "effect"
import type { BlockedNumber, OptOut } from "../../../domain/consent/OptOut.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Who does not want to be written to or called, by which number of a tenant. Of one who was erased no more than a hash of
 * the number is left.
 */
export class OptOuts extends Context.Service<
  OptOuts,
  {
    /** What is known of any of these spellings or hashes of a number, in the order of their keys. */
    readonly of: (
      tenantId: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OptOut>, StoreUnavailable>
    /** Writes down what somebody wants now, in place of what is known of these two numbers. */
    readonly save: (optOut: OptOut) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/OptOuts") {}

/** Numbers that tenants do not want to hear from or write to. Of one who was erased no more than a hash is left. */
export class Blocklist extends Context.Service<
  Blocklist,
  {
    /** In the order of the numbers, after one; hashes are not among them. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<BlockedNumber>, StoreUnavailable>
    /** Whether any of these spellings or hashes of a number is blocked. */
    readonly holds: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<boolean, StoreUnavailable>
    /** Blocks a number; one that is blocked stays as it is. Answers with what is kept. */
    readonly add: (blocked: BlockedNumber) => Effect.Effect<BlockedNumber, StoreUnavailable>
    /** Takes spellings or hashes of a number off the list; those that are not on it are left alone. */
    readonly remove: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/contact/OptOuts/Blocklist") {}
