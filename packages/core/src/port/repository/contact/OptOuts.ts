import type { Effect } from "effect"
import { Context } from "effect"
import type { OptOut } from "../../../domain/consent/OptOut.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
