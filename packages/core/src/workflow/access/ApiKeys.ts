import { Clock, Effect } from "effect"
import { hashSecret } from "../../domain/access/Credential.ts"
import { type Scope, scopes } from "../../domain/access/Principal.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import {
  maxActiveKeysPerTenant,
  isActive,
  KeyExpiryPast,
  KeyLimitReached,
  KeyNotActive,
  KeyNotFound,
  mintApiKey,
  rotationGraceHours,
  type StoredKey
} from "../../domain/access/StoredKey.ts"
import { ApiKeys } from "../../port/repository/tenant/ApiKeys.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids, Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "./Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** The settings of a new API key. */
export interface ApiKeyRequest {
  readonly name: string
  /** The scopes of the key. Null grants every scope that an API key can have. */
  readonly scopes: ReadonlyArray<Scope> | null
  /** Epoch milliseconds; null means that the key does not expire. */
  readonly expiresAt: number | null
}

/**
 * Creates a key without storing it. Returns the row to store, and the full key. A client can see the full key only in
 * the response to this request.
 */
export const prepareApiKey = Effect.fnUntraced(function* (tenantId: string, request: ApiKeyRequest) {
  const { pepper } = yield* Secrets
  const minted = mintApiKey((yield* Randomness).bytes)
  const stored: StoredKey = {
    keyId: yield* (yield* Ids).next("key"),
    tenantId,
    name: request.name,
    prefix: minted.prefix,
    hash: hashSecret(pepper, minted.key),
    // Filtering the list of all scopes removes duplicates and gives the order of the contract.
    scopes: request.scopes === null ? null : scopes.filter((scope) => request.scopes?.includes(scope)),
    createdAt: yield* Clock.currentTimeMillis,
    expiresAt: request.expiresAt,
    replacedAt: null,
    revokedAt: null,
    lastUsedAt: null
  }
  return { stored, key: minted.key }
})

/** Returns the fields of a key that the audit trail records. The hash is not among them. */
export const auditedKey = ({ expiresAt, keyId, name, prefix, revokedAt, scopes: limits }: StoredKey) => ({
  key_id: keyId,
  name,
  prefix,
  scopes: limits,
  expires_at: expiresAt,
  revoked_at: revokedAt
})

/**
 * Creates an API key for a tenant. Fails with `KeyLimitReached` when the tenant already has `maxActiveKeysPerTenant`
 * active keys, and with `KeyExpiryPast` when the expiry is not in the future.
 */
export const createApiKey = Effect.fnUntraced(function* (tenantId: string, request: ApiKeyRequest) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  if (request.expiresAt !== null && request.expiresAt <= now) return yield* new KeyExpiryPast()
  const fresh = yield* prepareApiKey(tenantId, request)
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const active = (yield* keys.list(tenantId)).filter((key) => isActive(key, now))
      if (active.length >= maxActiveKeysPerTenant) return yield* new KeyLimitReached({ limit: maxActiveKeysPerTenant })
      yield* keys.insert(fresh.stored)
      yield* recordAuditChange({ before: null, after: auditedKey(fresh.stored) })
    })
  )
  return fresh
}, withSpan("createApiKey"))

/** Returns the expiry of the new key: it has the same lifetime as the old key, counted from now. */
const expiryOfNext = ({ createdAt, expiresAt }: StoredKey, now: number): number | null =>
  expiresAt === null ? null : now + (expiresAt - createdAt)

/**
 * Replaces a key by a new one with the same name and scopes. The old key works for another `rotationGraceHours` hours,
 * or until its own expiry if that is earlier.
 */
export const rotateApiKey = Effect.fnUntraced(function* (tenantId: string, keyId: string) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  const graceEnds = now + rotationGraceHours * 3_600_000
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const old = yield* keys.get(tenantId, keyId)
      if (!isActive(old, now)) return yield* new KeyNotActive({ keyId })
      const { name, scopes } = old
      const fresh = yield* prepareApiKey(tenantId, { name, scopes, expiresAt: expiryOfNext(old, now) })
      yield* keys.update({ ...old, replacedAt: now, expiresAt: Math.min(old.expiresAt ?? graceEnds, graceEnds) })
      yield* keys.insert(fresh.stored)
      yield* recordAuditChange({ before: auditedKey(old), after: auditedKey(fresh.stored) })
      return fresh
    })
  )
}, withSpan("rotateApiKey"))

/**
 * Revokes a key immediately, even if it was rotated and still works. Fails with `KeyNotFound` when the key is already
 * revoked.
 */
export const revokeApiKey = Effect.fnUntraced(function* (tenantId: string, keyId: string) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const key = yield* keys.get(tenantId, keyId)
      if (key.revokedAt !== null) return yield* new KeyNotFound({ keyId })
      const revoked = { ...key, revokedAt: now }
      yield* keys.update(revoked)
      yield* recordAuditChange({ before: auditedKey(key), after: auditedKey(revoked) })
    })
  )
}, withSpan("revokeApiKey"))
