import { Clock, Effect } from "effect"
import { noteChange } from "./Audited.ts"
import { ApiKeys } from "../../port/repository/tenant/ApiKeys.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Randomness } from "../../port/system/Randomness.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { mintApiKey } from "../../domain/access/ApiKey.ts"
import { hashSecret } from "../../domain/access/Credential.ts"
import { type Scope, scopes } from "../../domain/access/Scope.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import {
  activeKeysPerTenant,
  isActive,
  KeyExpiryPast,
  KeyLimitReached,
  type StoredKey
} from "../../domain/access/StoredKey.ts"

/** What is asked of a new key. */
export interface KeyRequest {
  readonly name: string
  /** Null: everything that a key may do. */
  readonly scopes: ReadonlyArray<Scope> | null
  /** Epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null
}

/** A fresh key: what is stored of it, and the whole of it, which is shown once. */
export const draftApiKey = Effect.fnUntraced(function* (tenantId: string, request: KeyRequest) {
  const { pepper } = yield* Secrets
  const minted = mintApiKey((yield* Randomness).bytes)
  const stored: StoredKey = {
    keyId: yield* (yield* Ids).next("key"),
    tenantId,
    name: request.name,
    prefix: minted.prefix,
    hash: hashSecret(pepper, minted.key),
    // Each once, in the order of the contract, however it was asked for.
    scopes: request.scopes === null ? null : scopes.filter((scope) => request.scopes?.includes(scope)),
    createdAt: yield* Clock.currentTimeMillis,
    expiresAt: request.expiresAt,
    replacedAt: null,
    revokedAt: null,
    lastUsedAt: null
  }
  return { stored, key: minted.key }
})

/** What the audit trail says of a key. */
export const keyTold = ({ expiresAt, keyId, name, prefix, revokedAt, scopes: limits }: StoredKey) => ({
  key_id: keyId,
  name,
  prefix,
  scopes: limits,
  expires_at: expiresAt,
  revoked_at: revokedAt
})

/** Makes a tenant API key, unless the tenant holds `activeKeysPerTenant` already. */
export const createApiKey = Effect.fn("createApiKey")(function* (tenantId: string, request: KeyRequest) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  if (request.expiresAt !== null && request.expiresAt <= now) return yield* new KeyExpiryPast()
  const fresh = yield* draftApiKey(tenantId, request)
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const active = (yield* keys.list(tenantId)).filter((key) => isActive(key, now))
      if (active.length >= activeKeysPerTenant) return yield* new KeyLimitReached({ limit: activeKeysPerTenant })
      yield* keys.insert(fresh.stored)
      yield* noteChange({ before: null, after: keyTold(fresh.stored) })
    })
  )
  return fresh
})
