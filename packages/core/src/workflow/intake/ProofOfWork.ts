import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { constantTimeEquals } from "../../domain/access/Credential.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { HumanCheckFailed, type HumanProof, type HumanVerifier } from "../../port/provider/HumanCheck.ts"
import { Randomness } from "../../port/system/Ids.ts"

/**
 * A proof of work that a page must compute before it submits a form. It costs a browser some thousands of hashes, which
 * nobody notices while typing. It stops programs that do not run the scripts of the page. It does not stop programs
 * that are written to solve it. The server stores nothing until a solution arrives.
 */
export interface Challenge {
  /** The text that the page sends back together with the solution. */
  readonly challenge: string
  /** The number of leading zero bits that the SHA-256 of `<challenge>.<solution>` must have. */
  readonly difficulty: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * The required number of zero bits: 8,192 hashes on average. Web Crypto computes one hash at a time, and a phone must
 * finish while the person types.
 */
export const difficultyBits = 13

/** The lifetime of a challenge. It suffices for filling in a form with many fields. */
export const challengeLifetimeMillis = 30 * 60 * 1000

const maxTokenLength = 400
const nonceBytes = 12

const sign = (payload: string, pepper: Uint8Array): string =>
  Base64Url.encode(hmac(sha256, pepper, utf8ToBytes(`leadloom/proof-of-work/1\n${payload}`)))

/**
 * Creates a challenge: `base64url(payload) "." base64url(HMAC-SHA256)`. The payload is a JSON array of tenant, nonce,
 * difficulty and expiry.
 */
export const makeChallenge = Effect.fnUntraced(function* (tenantId: string) {
  const { pepper } = yield* Secrets
  const nonce = bytesToHex((yield* Randomness).bytes(nonceBytes))
  const expiresAt = (yield* Clock.currentTimeMillis) + challengeLifetimeMillis
  const payload = Base64Url.encode(JSON.stringify([tenantId, nonce, difficultyBits, expiresAt]))
  const made: Challenge = { challenge: `${payload}.${sign(payload, pepper)}`, difficulty: difficultyBits, expiresAt }
  return made
})

const zeroBits = (digest: Uint8Array): number => {
  const byte = digest.findIndex((value) => value !== 0)
  return byte < 0 ? digest.length * 8 : byte * 8 + Math.clz32(digest[byte] ?? 0) - 24
}

/** Returns whether a solution is correct. A solution must consist of digits, as pages count up a number. */
export const solves = (challenge: string, solution: string, difficulty: number): boolean =>
  /^\d{1,16}$/u.test(solution) && zeroBits(sha256(utf8ToBytes(`${challenge}.${solution}`))) >= difficulty

interface Claim {
  readonly tenantId: string
  readonly nonce: string
  readonly difficulty: number
  readonly expiresAt: number
}

const readChallenge = (challenge: string, pepper: Uint8Array): Claim | null => {
  const [payload = "", signature = "", ...more] = challenge.split(".")
  if (more.length > 0 || !constantTimeEquals(signature, sign(payload, pepper))) return null
  const text = Base64Url.decodeString(payload)
  if (Result.isFailure(text)) return null
  // The signature is valid, so this server wrote the text.
  const claims: unknown = JSON.parse(text.success)
  if (!Array.isArray(claims)) return null
  const [tenantId, nonce, difficulty, expiresAt]: ReadonlyArray<unknown> = claims
  if (typeof tenantId !== "string" || typeof nonce !== "string") return null
  if (typeof difficulty !== "number" || typeof expiresAt !== "number") return null
  return { tenantId, nonce, difficulty, expiresAt }
}

const again = (why: string) =>
  Effect.fail(new HumanCheckFailed({ reason: `${why} Request a new challenge and solve it.` }))

const verify = Effect.fnUntraced(function* (
  token: string,
  tenantId: string,
  pepper: Uint8Array
): Effect.fn.Return<HumanProof, HumanCheckFailed> {
  const dot = token.lastIndexOf(".")
  const challenge = token.slice(0, dot)
  const claim = token.length > maxTokenLength || dot < 0 ? null : readChallenge(challenge, pepper)
  if (claim === null || claim.tenantId !== tenantId)
    return yield* again("This challenge is unknown or belongs to another form.")
  if ((yield* Clock.currentTimeMillis) >= claim.expiresAt) return yield* again("This challenge has expired.")
  if (!solves(challenge, token.slice(dot + 1), claim.difficulty)) return yield* again("This solution is wrong.")
  return { proofId: claim.nonce }
})

/** Creates the verifier of solutions to challenges of this tenant. A token has the form `<challenge>.<solution>`. */
export const proofOfWork = (tenantId: string): Effect.Effect<HumanVerifier, never, Secrets> =>
  Effect.map(Secrets, ({ pepper }) => ({ verify: (token) => verify(token, tenantId, pepper) }))
