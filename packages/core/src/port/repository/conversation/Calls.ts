import type { Effect } from "effect"
import { Context } from "effect"
import type { CallNotFound, Call, CallKey, CallQuery } from "../../../domain/call/Call.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Telephone calls. */
export class Calls extends Context.Service<
  Calls,
  {
    readonly insert: (call: Call) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, callId: string) => Effect.Effect<Call, CallNotFound | StoreUnavailable>
    /** Replaces an existing call. Does nothing for an unknown call. */
    readonly update: (call: Call) => Effect.Effect<void, StoreUnavailable>
    /** Returns the call with the provider's id of its first leg; null if there is none. */
    readonly ofProvider: (
      tenantId: string,
      provider: string,
      providerCallId: string
    ) => Effect.Effect<Call | null, StoreUnavailable>
    /** Returns the call that was requested under this idempotency key, or null. */
    readonly ofKey: (tenantId: string, requestKey: string) => Effect.Effect<Call | null, StoreUnavailable>
    /** Lists calls of a tenant that match a query, newest first, after `after`. */
    readonly page: (
      tenantId: string,
      query: CallQuery,
      limit: number,
      after: CallKey | null
    ) => Effect.Effect<ReadonlyArray<Call>, StoreUnavailable>
    /**
     * Lists the recorded calls of a contact, newest first. The list includes calls whose recording the provider has not
     * reported yet.
     */
    readonly recorded: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Call>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Calls") {}
