import { Context, Effect, Layer } from "effect"
import { type Call, type CallKey, CallNotFound, type CallQuery } from "../../domain/call/Call.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

const oldestFirst = by<CallKey>(
  ({ startedAt }) => startedAt,
  ({ callId }) => callId
)

const isListed = (call: Call, { contactId, direction, status }: CallQuery): boolean =>
  (contactId === null || call.contactId === contactId) &&
  (status === null || call.status === status) &&
  (direction === null || call.direction === direction)

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
>()("core/port/repository/Calls") {
  static readonly layerMemory: Layer.Layer<Calls> = Layer.effect(
    Calls,
    Effect.map(MemoryState, ({ calls }) => {
      const newestOf = (tenantId: string): ReadonlyArray<Call> =>
        ofTenant(calls, tenantId).toSorted((one, other) => oldestFirst(other, one))
      return Calls.of({
        insert: (call) => addNew(calls, keyOf(call.tenantId, call.callId), call),
        get: (tenantId, callId) =>
          Effect.suspend(() => {
            const call = calls.get(keyOf(tenantId, callId))
            return call === undefined ? Effect.fail(new CallNotFound({ callId })) : Effect.succeed(call)
          }),
        update: (call) =>
          Effect.sync(() => {
            const key = keyOf(call.tenantId, call.callId)
            if (calls.has(key)) calls.set(key, call)
          }),
        ofProvider: (tenantId, provider, providerCallId) =>
          Effect.sync(
            () =>
              newestOf(tenantId).find((call) => call.provider === provider && call.providerCallId === providerCallId) ??
              null
          ),
        ofKey: (tenantId, requestKey) =>
          Effect.sync(() => newestOf(tenantId).find((call) => call.requestKey === requestKey) ?? null),
        page: (tenantId, query, limit, after) =>
          Effect.sync(() =>
            newestOf(tenantId)
              .filter((call) => isListed(call, query) && (after === null || oldestFirst(call, after) < 0))
              .slice(0, limit)
          ),
        recorded: (tenantId, contactId, limit) =>
          Effect.sync(() =>
            newestOf(tenantId)
              .filter(
                (call) => call.contactId === contactId && (call.recording === "ready" || call.recording === "wanted")
              )
              .slice(0, limit)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
