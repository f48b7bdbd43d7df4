import { createHash } from "node:crypto"
import type { Identity } from "@leadloom/core/internal/domain/access/Identity"
import type { Verified } from "./VerifyToken.ts"

/**
 * The lifetime of a cached verification in milliseconds. The server may accept a token for this time after the issuer
 * has withdrawn its key.
 */
export const rememberMillis = 60_000

/** The maximum number of cached tokens. When it is reached, the oldest token is removed. */
export const maxCachedTokens = 4_096

/** The cache uses a hash as key, so that a memory dump contains no token. */
const nameOf = (token: string): string => createHash("sha256").update(token).digest("base64url")

/** Caches recently verified tokens. Invalid tokens are not cached, so they cannot displace valid ones. */
export const makeVerifiedTokens = () => {
  const known = new Map<string, { readonly identity: Identity; readonly until: number }>()
  return {
    find: (token: string, now: number): Identity | null => {
      const name = nameOf(token)
      const found = known.get(name)
      if (found === undefined) return null
      if (now < found.until) return found.identity
      known.delete(name)
      return null
    },
    remember: (token: string, { expiresAt, identity }: Verified, now: number): void => {
      known.set(nameOf(token), { identity, until: Math.min(expiresAt, now + rememberMillis) })
      const [oldest] = known.keys()
      if (known.size > maxCachedTokens && oldest !== undefined) known.delete(oldest)
    }
  }
}
