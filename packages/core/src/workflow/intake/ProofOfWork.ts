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
 * A sum that a page has to solve before its form is taken. It costs a browser some thousands of tries, which nobody notices
 * who types meanwhile, and stops programs that send forms without running their scripts. It tells no person from a
 * program, and one that is written against it is hardly held up. Nothing is stored until a solution comes.
 */
export interface Challenge {
  /** To be handed back with the solution. */
  readonly challenge: string
  /** Bits that have to be zero at the beginning of the SHA-256 of `challenge.solution`. */
  readonly difficulty: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** 8,192 tries on average: Web Crypto answers one at a time, and a phone has to be done while somebody types. */
export const difficultyBits = 13

/** Long enough for a form with many fields. */
export const challengeLifetimeMillis = 30 * 60 * 1000

const maxTokenLength = 400
const nonceBytes = 12

const sign = (payload: string, pepper: Uint8Array): string =>
  Base64Url.encode(hmac(sha256, pepper, utf8ToBytes(`leadloom/proof-of-work/1\n${payload}`)))

/** `base64url(payload) "." base64url(HMAC-SHA256)`; the payload is JSON of tenant, nonce, difficulty and end. */
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

/** Whether a solution fits: digits, as a counter gives them. */
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
  // Ours: the signature fits.
  const claims: unknown = JSON.parse(text.success)
  if (!Array.isArray(claims)) return null
  const [tenantId, nonce, difficulty, expiresAt]: ReadonlyArray<unknown> = claims
  if (typeof tenantId !== "string" || typeof nonce !== "string") return null
  if (typeof difficulty !== "number" || typeof expiresAt !== "number") return null
  return { tenantId, nonce, difficulty, expiresAt }
}

const again = (why: string) => Effect.fail(new HumanCheckFailed({ reason: `${why} Ask for a new one and solve it.` }))

const verify = Effect.fnUntraced(function* (
  token: string,
  tenantId: string,
  pepper: Uint8Array
): Effect.fn.Return<HumanProof, HumanCheckFailed> {
  const dot = token.lastIndexOf(".")
  const challenge = token.slice(0, dot)
  const claim = token.length > maxTokenLength || dot < 0 ? null : readChallenge(challenge, pepper)
  if (claim === null || claim.tenantId !== tenantId) return yield* again("This challenge is none of this form's.")
  if ((yield* Clock.currentTimeMillis) >= claim.expiresAt) return yield* again("This challenge is over.")
  if (!solves(challenge, token.slice(dot + 1), claim.difficulty)) return yield* again("This solves nothing.")
  return { proofId: claim.nonce }
})

/** Believes who has solved a challenge of this tenant: `challenge.solution`. */
export const proofOfWork = (tenantId: string): Effect.Effect<HumanVerifier, never, Secrets> =>
  Effect.map(Secrets, ({ pepper }) => ({ verify: (token) => verify(token, tenantId, pepper) }))
