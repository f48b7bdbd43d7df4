import { Data } from "effect"
import type { KeyId } from "../Id.ts"
import { type Credential, mintCredential, parseCredential } from "./Credential.ts"
import type { Scope } from "./Principal.ts"

/** A tenant API key as it is kept: never the secret, only what recognises it. */
export interface StoredKey {
  readonly keyId: KeyId
  readonly tenantId: string
  readonly name: string
  /** `llk_` and the eight characters after it. */
  readonly prefix: string
  /** Keyed hash of the whole key, hex. */
  readonly hash: string
  /** What the key is limited to; null: everything that a key may do. */
  readonly scopes: ReadonlyArray<Scope> | null
  readonly createdAt: number
  /** Epoch milliseconds from which the key is refused; null: it does not expire. Rotation brings it nearer. */
  readonly expiresAt: number | null
  /** When rotation put another key in its place; it works until `expiresAt`. Null: it did not. */
  readonly replacedAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** Keys a tenant may hold that are neither revoked, nor expired, nor on their way out after a rotation. */
export const maxActiveKeysPerTenant = 3

/** How long a rotated key still works. */
export const rotationGraceHours = 72

/** How it is with a key. `rotated`: another one has its place, and it works a while longer. */
export type KeyStatus = "active" | "rotated" | "expired" | "revoked"

/** How it is with a key at `now` (epoch milliseconds). */
export const statusOf = (key: StoredKey, now: number): KeyStatus => {
  if (key.revokedAt !== null) return "revoked"
  if (key.expiresAt !== null && now >= key.expiresAt) return "expired"
  return key.replacedAt === null ? "active" : "rotated"
}

/** Whether a key counts towards `maxActiveKeysPerTenant`: one that a rotation has replaced does not. */
export const isActive = (key: StoredKey, now: number): boolean => statusOf(key, now) === "active"

/** Whether a key opens anything at `now` (epoch milliseconds). */
export const isUsable = (key: StoredKey, now: number): boolean => {
  const status = statusOf(key, now)
  return status === "active" || status === "rotated"
}

/** The tenant holds `maxActiveKeysPerTenant` keys already: revoke or rotate one. */
export class KeyLimitReached extends Data.TaggedError("KeyLimitReached")<{ readonly limit: number }> {}

/** No such key in this tenant. */
export class KeyNotFound extends Data.TaggedError("KeyNotFound")<{ readonly keyId: string }> {}

/** The key is revoked, expired or already rotated. */
export class KeyNotActive extends Data.TaggedError("KeyNotActive")<{ readonly keyId: string }> {}

/** The key would be over before it begins. */
export class KeyExpiryPast extends Data.TaggedError("KeyExpiryPast")<{}> {}

/** What every tenant API key begins with. */
export const apiKeyScheme = "llk"

/** A new tenant API key from a cryptographically strong random source. */
export const mintApiKey = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(apiKeyScheme, randomBytes)

/** Reads a tenant API key; null when the text has not its form. */
export const parseApiKey = (text: string): Credential | null => parseCredential(apiKeyScheme, text)
