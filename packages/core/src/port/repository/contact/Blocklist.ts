import type { Effect } from "effect"
import { Context } from "effect"
import type { BlockedNumber } from "../../../domain/consent/BlockedNumber.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
>()("core/port/repository/contact/Blocklist") {}
