import { createHash } from "node:crypto"
import type { Identity } from "@leadloom/core/domain/access/Identity"
import type { Verified } from "./VerifyToken.ts"

/** How long a token that was found genuine is taken for it, milliseconds: so long a withdrawn key may live on. */
export const rememberMillis = 60_000

/** How many tokens are remembered; the one that came first goes first. */
export const maxCachedTokens = 4_096

/** By a hash, so that a dump of memory holds no token. */
const nameOf = (token: string): string => createHash("sha256").update(token).digest("base64url")

/** Tokens whose signature was checked a moment ago. Only good ones are in it, so nobody fills it with inventions. */
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
