import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { isId, type UserId } from "../Id.ts"
import { type UserRole, userRoles } from "../user/User.ts"
import type { TenantId } from "../TenantId.ts"
import { constantTimeEquals } from "./Credential.ts"

/** The lifetime of a session token. Only a token of a console session can be revoked earlier. */
export const sessionLifetimeMillis = 60 * 60 * 1000

/** A key that signs session tokens, and its id in tokens. */
export interface SessionKey {
  readonly kid: string
  readonly key: Uint8Array
}

/** The content of a valid token. */
export interface Session {
  readonly tenantId: TenantId
  /** The id of the token. */
  readonly jti: string
  /** The user as whom the session acts. Absent: the session acts as no user. */
  readonly userId?: UserId
  /** The role of a console session, which is stored under the id of the token. Absent for embedded pages. */
  readonly role?: UserRole
  /** Epoch milliseconds. */
  readonly issuedAt: number
  /** Epoch milliseconds. From this time on, the token is rejected. */
  readonly expiresAt: number
}

/** A token and its expiry in epoch milliseconds. */
export interface MintedSession {
  readonly token: string
  readonly expiresAt: number
}

/** The reason for the rejection of a token. The server logs it. Callers receive the same response for every reason. */
export type SessionRefusal = "malformed" | "unknown_key" | "bad_signature" | "expired"

export type SessionReading =
  | { readonly _tag: "Valid"; readonly session: Session }
  | { readonly _tag: "Refused"; readonly reason: SessionRefusal }

/**
 * The length of a token that is parsed at most, because parsing precedes the check of the signature. Valid tokens are
 * shorter.
 */
const maxTokenLength = 1024
const version = 1

/**
 * FROZEN. Derives the signing key from a configured secret. Tokens are not signed with the secret itself, so other keys
 * can be derived from it under other labels. `kid` identifies the secret without revealing it, so a token states which
 * of several secrets signed it during a rotation.
 */
export const sessionKey = (secret: Uint8Array): SessionKey => ({
  kid: bytesToHex(sha256(concatBytes(utf8ToBytes("leadloom/session/kid\n"), secret))).slice(0, 8),
  key: hmac(sha256, secret, utf8ToBytes("leadloom/session/key"))
})

const sign = (payload: string, key: Uint8Array): string => Base64Url.encode(hmac(sha256, key, utf8ToBytes(payload)))

/**
 * FROZEN. Creates a token for one tenant: `base64url(payload) "." base64url(HMAC-SHA256(key, first segment))`. The
 * payload is JSON `{v, kid, tenant, exp, iat, jti}` with times in epoch milliseconds. The caller supplies a unique
 * `jti`. A token that acts as a user has the further member `user`, the user's id. A token of a console session has the
 * further member `role`. The token expires at `endsAt` at the latest.
 */
export const mintSession = (
  of: Pick<Session, "tenantId" | "jti" | "userId" | "role">,
  key: SessionKey,
  now: number,
  endsAt = Number.POSITIVE_INFINITY
): MintedSession => {
  const expiresAt = Math.min(now + sessionLifetimeMillis, endsAt)
  const claims = {
    v: version,
    kid: key.kid,
    tenant: of.tenantId,
    exp: expiresAt,
    iat: now,
    jti: of.jti,
    ...(of.userId === undefined ? {} : { user: of.userId }),
    ...(of.role === undefined ? {} : { role: of.role })
  }
  const payload = Base64Url.encode(JSON.stringify(claims))
  return { token: `${payload}.${sign(payload, key.key)}`, expiresAt }
}

const parseClaims = (payload: string): Readonly<Record<string, unknown>> | null => {
  const text = Base64Url.decodeString(payload)
  if (Result.isFailure(text)) return null
  try {
    const claims: unknown = JSON.parse(text.success)
    return typeof claims === "object" && claims !== null ? { ...claims } : null
  } catch {
    return null
  }
}

/** Returns the optional members of a session; null if a claim is invalid. */
const personOf = ({
  role: claim,
  user
}: Readonly<Record<string, unknown>>): Pick<Session, "userId" | "role"> | null => {
  const role = userRoles.find((known) => known === claim)
  if (claim !== undefined && role === undefined) return null
  if (user !== undefined && (typeof user !== "string" || !isId("usr", user))) return null
  return { ...(user === undefined ? {} : { userId: user }), ...(role === undefined ? {} : { role }) }
}

const refused = (reason: SessionRefusal): SessionReading => ({ _tag: "Refused", reason })

/**
 * Verifies a token with the given keys: the current key, and keys that were replaced less than one token lifetime ago.
 * The signature is compared in constant time. `now` is in epoch milliseconds.
 */
export const readSession = (token: string, keys: ReadonlyArray<SessionKey>, now: number): SessionReading => {
  const dot = token.indexOf(".")
  if (token.length > maxTokenLength || dot <= 0) return refused("malformed")
  const payload = token.slice(0, dot)
  const claims = parseClaims(payload)
  if (claims === null) return refused("malformed")
  const { v, kid, tenant, exp, iat, jti } = claims
  if (v !== version || typeof kid !== "string" || typeof tenant !== "string") return refused("malformed")
  if (typeof exp !== "number" || typeof iat !== "number" || typeof jti !== "string") return refused("malformed")
  const person = personOf(claims)
  if (person === null) return refused("malformed")
  const key = keys.find((candidate) => candidate.kid === kid)
  if (key === undefined) return refused("unknown_key")
  if (!constantTimeEquals(token.slice(dot + 1), sign(payload, key.key))) return refused("bad_signature")
  if (now >= exp) return refused("expired")
  return { _tag: "Valid", session: { tenantId: tenant, jti, issuedAt: iat, expiresAt: exp, ...person } }
}
