import type { Effect } from "effect"
import { Context } from "effect"
import type { KeyNotFound, StoredKey } from "../../../domain/access/StoredKey.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

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
>()("core/port/repository/tenant/ApiKeys") {}
