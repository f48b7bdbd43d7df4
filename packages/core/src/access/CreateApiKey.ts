import { Clock, Effect } from "effect"
import { noteChange } from "../audit/Audited.ts"
import { ApiKeys } from "../port/ApiKeys.ts"
import { Ids } from "../port/Ids.ts"
import { Randomness } from "../port/Randomness.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import { mintApiKey } from "./ApiKey.ts"
import { hashSecret } from "./Credential.ts"
import { Secrets } from "./Secrets.ts"
import { activeKeysPerTenant, isActive, KeyLimitReached, type StoredKey } from "./StoredKey.ts"

/** A fresh key: what is stored of it, and the whole of it, which is shown once. */
export const draftApiKey = Effect.fnUntraced(function* (tenantId: string, name: string) {
  const { pepper } = yield* Secrets
  const minted = mintApiKey((yield* Randomness).bytes)
  const stored: StoredKey = {
    keyId: yield* (yield* Ids).next("key"),
    tenantId,
    name,
    prefix: minted.prefix,
    hash: hashSecret(pepper, minted.key),
    createdAt: yield* Clock.currentTimeMillis,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null
  }
  return { stored, key: minted.key }
})

/** What the audit trail says of a key. */
export const keyTold = ({ expiresAt, keyId, name, prefix, revokedAt }: StoredKey) => ({
  key_id: keyId,
  name,
  prefix,
  expires_at: expiresAt,
  revoked_at: revokedAt
})

/** Makes a tenant API key, unless the tenant holds `activeKeysPerTenant` already. */
export const createApiKey = Effect.fn("createApiKey")(function* (tenantId: string, name: string) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const fresh = yield* draftApiKey(tenantId, name)
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const active = (yield* keys.list(tenantId)).filter(isActive)
      if (active.length >= activeKeysPerTenant) return yield* new KeyLimitReached({ limit: activeKeysPerTenant })
      yield* keys.insert(fresh.stored)
      yield* noteChange({ before: null, after: keyTold(fresh.stored) })
    })
  )
  return fresh
})
