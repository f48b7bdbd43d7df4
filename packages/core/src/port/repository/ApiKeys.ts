import { Context, Effect, Layer } from "effect"
import { KeyNotFound, type StoredKey } from "../../domain/access/StoredKey.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** Tenant API keys, hashed. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Every key that is not revoked, oldest first; rotated ones in their grace period included. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<StoredKey>, StoreUnavailable>
    readonly insert: (key: StoredKey) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, keyId: string) => Effect.Effect<StoredKey, KeyNotFound | StoreUnavailable>
    /** Writes down when a key was last used, and nothing else: it may be revoked at the same moment. */
    readonly noteUse: (tenantId: string, keyId: string, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Writes `expiresAt`, `replacedAt` and `revokedAt` of a key. */
    readonly update: (key: StoredKey) => Effect.Effect<void, KeyNotFound | StoreUnavailable>
    /** The key with this keyed hash, in whatever state, or null. */
    readonly findByHash: (hash: string) => Effect.Effect<StoredKey | null, StoreUnavailable>
  }
>()("core/port/repository/ApiKeys") {
  static readonly layerMemory: Layer.Layer<ApiKeys> = Layer.effect(
    ApiKeys,
    Effect.map(MemoryState, (state) => {
      const get = (tenantId: string, keyId: string): Effect.Effect<StoredKey, KeyNotFound> =>
        Effect.suspend(() => {
          const key = state.apiKeys.get(keyOf(tenantId, keyId))
          return key === undefined ? Effect.fail(new KeyNotFound({ keyId })) : Effect.succeed(key)
        })
      return ApiKeys.of({
        list: (tenantId) =>
          Effect.sync(() =>
            ofTenant(state.apiKeys, tenantId)
              .filter((key) => key.revokedAt === null)
              .toSorted(
                by(
                  (key) => key.createdAt,
                  (key) => key.keyId
                )
              )
          ),
        insert: (key) => addNew(state.apiKeys, keyOf(key.tenantId, key.keyId), key),
        get,
        noteUse: (tenantId, keyId, now) =>
          Effect.sync(() => {
            const key = state.apiKeys.get(keyOf(tenantId, keyId))
            if (key !== undefined) state.apiKeys.set(keyOf(tenantId, keyId), { ...key, lastUsedAt: now })
          }),
        update: ({ tenantId, keyId, expiresAt, replacedAt, revokedAt }) =>
          Effect.map(get(tenantId, keyId), (key) => {
            state.apiKeys.set(keyOf(tenantId, keyId), { ...key, expiresAt, replacedAt, revokedAt })
          }),
        findByHash: (hash) => Effect.sync(() => [...state.apiKeys.values()].find((key) => key.hash === hash) ?? null)
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
