import type { Effect } from "effect"
import { Context } from "effect"
import type { CallNotFound, Call, CallKey, CallQuery } from "../../../domain/call/Call.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Telephone calls of all tenants. */
export class Calls extends Context.Service<
  Calls,
  {
    readonly insert: (call: Call) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, callId: string) => Effect.Effect<Call, CallNotFound | StoreUnavailable>
    /** Replaces a call that has been read; where there is none, none is made. */
    readonly update: (call: Call) => Effect.Effect<void, StoreUnavailable>
    /** The call whose first leg the provider calls so, or null. */
    readonly ofProvider: (
      tenantId: string,
      provider: string,
      providerCallId: string
    ) => Effect.Effect<Call | null, StoreUnavailable>
    /** The call that was asked for under this key, or null. */
    readonly ofKey: (tenantId: string, requestKey: string) => Effect.Effect<Call | null, StoreUnavailable>
    /** Calls of a tenant that a query asks for, newest first, after `after`. */
    readonly page: (
      tenantId: string,
      query: CallQuery,
      limit: number,
      after: CallKey | null
    ) => Effect.Effect<ReadonlyArray<Call>, StoreUnavailable>
    /** Calls of a contact that are recorded, also where the provider has not told of it yet, newest first. */
    readonly recorded: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Call>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Calls") {}
