import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { KeyId } from "../Id.ts"
import { type Credential, mintCredential, parseCredential } from "./Credential.ts"
import { scopes } from "./Principal.ts"
import { Time } from "../Field.ts"

/** A stored API key of a tenant. Contains a hash instead of the secret. */
export class StoredKey extends Schema.Opaque<StoredKey>()(
  Schema.Struct({
    keyId: KeyId.annotate({ description: "Id of the API key (`key_…`); not a secret" }),
    tenantId: Schema.String,
    name: Schema.String.annotate({
      description: "A name for people, for example of the application that uses the key"
    }),
    /** `llk_` and the next eight characters of the key. */
    prefix: Schema.String.annotate({ description: "The first characters of the key, by which people recognise it" }),
    /** The keyed hash of the whole key, in hex. */
    hash: Schema.String.annotate({ secret: true }),
    /** The scopes of the key; null if the key is not restricted. */
    scopes: Schema.NullOr(Schema.Array(Schema.Literals(scopes))),
    createdAt: Time.annotate({ description: "The time at which the key was created (ISO 8601 in UTC)" }),
    /**
     * The time from which the key is rejected. Null if the key does not expire. A rotation brings the expiry forward.
     */
    expiresAt: Schema.NullOr(Time).annotate({
      description: "The time at which the key expires; null: it does not expire"
    }),
    /**
     * The time of the rotation that replaced this key; the key works until `expiresAt`. Null if the key was not rotated.
     */
    replacedAt: Schema.NullOr(Time),
    revokedAt: Schema.NullOr(Time),
    lastUsedAt: Schema.NullOr(Time).annotate({
      description: "The time of the last use (ISO 8601 in UTC), with some delay; null: never used"
    })
  })
) {}

/** The limit of active keys per tenant. Revoked, expired and rotated keys do not count. */
export const maxActiveKeysPerTenant = 3

/** The period during which a rotated key still works. */
export const rotationGraceHours = 72

/** The status of a key. `rotated`: a new key has replaced the key, which still works until its expiry. */
export type KeyStatus = "active" | "rotated" | "expired" | "revoked"

/** Returns the status of a key at `now` (epoch milliseconds). */
export const statusOf = (key: StoredKey, now: number): KeyStatus => {
  if (key.revokedAt !== null) return "revoked"
  if (key.expiresAt !== null && now >= key.expiresAt) return "expired"
  return key.replacedAt === null ? "active" : "rotated"
}

/** Returns whether a key counts towards `maxActiveKeysPerTenant`. A rotated key does not. */
export const isActive = (key: StoredKey, now: number): boolean => statusOf(key, now) === "active"

/** Returns whether a key is valid at `now` (epoch milliseconds). */
export const isUsable = (key: StoredKey, now: number): boolean => {
  const status = statusOf(key, now)
  return status === "active" || status === "rotated"
}

/** The tenant already has `maxActiveKeysPerTenant` active keys. Revoke or rotate a key first. */
export class KeyLimitReached extends TaggedError("KeyLimitReached")<{ readonly limit: number }> {}

/** The tenant has no key with this id. */
export class KeyNotFound extends TaggedError("KeyNotFound")<{ readonly keyId: string }> {}

/** The key is revoked, expired or already rotated. */
export class KeyNotActive extends TaggedError("KeyNotActive")<{ readonly keyId: string }> {}

/** The requested expiry is in the past. */
export class KeyExpiryPast extends TaggedError("KeyExpiryPast")<{}> {}

/** The prefix of every tenant API key. */
export const apiKeyScheme = "llk"

/** Creates a tenant API key. `randomBytes` must be cryptographically strong. */
export const mintApiKey = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(apiKeyScheme, randomBytes)

/** Parses a tenant API key. Returns null if the form or checksum is wrong. */
export const parseApiKey = (text: string): Credential | null => parseCredential(apiKeyScheme, text)
