import { Data } from "effect"
import type { KeyId } from "../Id.ts"

/** A tenant API key as it is kept: never the secret, only what recognises it. */
export interface StoredKey {
  readonly keyId: KeyId
  readonly tenantId: string
  readonly name: string
  /** `llk_` and the eight characters after it. */
  readonly prefix: string
  /** Keyed hash of the whole key, hex. */
  readonly hash: string
  readonly createdAt: number
  /** Epoch milliseconds after which the key is refused; null: it does not expire. Set by rotation. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** Keys a tenant may hold that are neither revoked, nor expired, nor on their way out after a rotation. */
export const activeKeysPerTenant = 3

/** How long a rotated key still works. */
export const rotationGraceHours = 72

/** Whether a key counts towards `activeKeysPerTenant`: one that a rotation has replaced does not. */
export const isActive = (key: StoredKey): boolean => key.revokedAt === null && key.expiresAt === null

/** Whether a key opens anything at `now` (epoch milliseconds). */
export const isUsable = (key: StoredKey, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt)

/** The tenant holds `activeKeysPerTenant` keys already: revoke or rotate one. */
export class KeyLimitReached extends Data.TaggedError("KeyLimitReached")<{ readonly limit: number }> {}

/** No such key in this tenant. */
export class KeyNotFound extends Data.TaggedError("KeyNotFound")<{ readonly keyId: string }> {}

/** The key is revoked, expired or already rotated. */
export class KeyNotActive extends Data.TaggedError("KeyNotActive")<{ readonly keyId: string }> {}
