import type { Effect } from "effect"
import { Context } from "effect"
import type { KeyNotFound, StoredKey } from "../../../domain/access/StoredKey.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** API keys of tenants, stored as hashes. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Lists the keys that are not revoked, oldest first. The list includes rotated keys that still work. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<StoredKey>, StoreUnavailable>
    readonly insert: (key: StoredKey) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, keyId: string) => Effect.Effect<StoredKey, KeyNotFound | StoreUnavailable>
    /** Stores only the time of a key's last use. Writing the whole record could overwrite a concurrent revocation. */
    readonly noteUse: (key: StoredKey, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Updates `expiresAt`, `replacedAt` and `revokedAt` of a key. */
    readonly update: (key: StoredKey) => Effect.Effect<void, KeyNotFound | StoreUnavailable>
    /** Returns the key with this keyed hash, in any status; null if there is none. */
    readonly findByHash: (hash: string) => Effect.Effect<StoredKey | null, StoreUnavailable>
  }
>()("core/port/repository/tenant/ApiKeys") {}
