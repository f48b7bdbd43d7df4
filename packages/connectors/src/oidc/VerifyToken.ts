import { type Claims, type Identity, identityOf } from "@leadloom/core/domain/access/Identity"
import { IdTokenInvalid, type IdTokensUnavailable } from "@leadloom/core/port/provider/IdTokens"
import { Clock, Effect } from "effect"
import { type CryptoKey, errors, jwtVerify, type JWSHeaderParameters } from "jose"
import { maxTokenLength, type OidcConfig, toleranceSeconds } from "./OidcConfig.ts"
import type { FindKey } from "./SigningKeys.ts"
import { readStrictJson } from "./StrictJson.ts"

/** What a token says, and until when, epoch milliseconds. */
export interface Verified {
  readonly identity: Identity
  readonly expiresAt: number
}

/** Three segments of base64url, none of them empty: what is not signed ends with a dot. */
const compactForm = /^(?<header>[\w-]+)\.(?<payload>[\w-]+)\.[\w-]+$/u

/** OpenID Connect Core 1.0 section 2. */
const maxSubjectLength = 255

const invalid = (reason: string) => Effect.fail(new IdTokenInvalid({ reason }))

const decode = (segment: string | undefined): Claims | null => {
  try {
    const bytes = Buffer.from(segment ?? "", "base64url")
    return readStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

/** Why a token's outside does not do, before its signature is looked at; null: it does. */
const faultOfHeader = ({ alg, crit, kid, typ }: Claims, { algorithms }: OidcConfig): string | null => {
  if (!algorithms.some((allowed) => allowed === alg)) return "not signed in a way that is allowed"
  if (kid !== undefined && typeof kid !== "string") return "names its key by something that is no text"
  // RFC 8725 section 3.11: other kinds of tokens of the same issuer (access, logout) say so here.
  if (typ !== undefined && (typeof typ !== "string" || typ.toUpperCase() !== "JWT")) return "not an ID token by its typ"
  // RFC 7515 section 4.1.11: who does not know an extension refuses what rests on it.
  return crit === undefined ? null : "rests on an extension"
}

const isPast = (claim: unknown, now: number): boolean =>
  typeof claim === "number" && Number.isFinite(claim) && claim * 1_000 <= now + toleranceSeconds * 1_000

/** Why what a genuine token says does not do here; null: it does. What `jwtVerify` looks at is not looked at again. */
const faultOfClaims = (
  { aud, auth_time, azp, exp, iat, sub }: Claims,
  config: OidcConfig,
  now: number
): string | null => {
  if (typeof sub !== "string" || sub === "" || sub.length > maxSubjectLength) return "without a subject"
  if (!Number.isFinite(exp)) return "does not end"
  if (!isPast(iat, now)) return "issued in the future"
  if (auth_time !== undefined && !isPast(auth_time, now)) return "of somebody who signs in in the future"
  return faultOfParty(aud, azp, config)
}

/** OpenID Connect Core 1.0 section 3.1.3.7, rules 4 and 5: whom the token was issued to has to be one of our clients. */
const faultOfParty = (aud: unknown, azp: unknown, { clientIds }: OidcConfig): string | null => {
  if (azp === undefined) {
    return Array.isArray(aud) && aud.length > 1 ? "made for several, and issued to an unnamed party" : null
  }
  return clientIds.some((ours) => ours === azp) ? null : "issued to another party"
}

/** What `jose` refuses a token for, in words that quote nothing of it. */
const refusalOf = (error: unknown): IdTokenInvalid =>
  new IdTokenInvalid({
    reason:
      error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired
        ? `its claim ${error.claim} does not do (${error.reason})`
        : error instanceof errors.JWSSignatureVerificationFailed
          ? "its signature is wrong"
          : "it is malformed"
  })

const checkSignature = Effect.fnUntraced(function* (token: string, key: CryptoKey, config: OidcConfig, now: number) {
  yield* Effect.tryPromise({
    try: () =>
      jwtVerify(token, key, {
        algorithms: [...config.algorithms],
        issuer: config.issuer,
        audience: [...config.audiences],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now),
        requiredClaims: ["exp", "iat", "sub"]
      }),
    catch: refusalOf
  })
})

/** Checks a token in full: form, header, key, signature, claims. */
export const verifyToken = Effect.fnUntraced(function* (
  token: string,
  findKey: FindKey,
  config: OidcConfig
): Effect.fn.Return<Verified, IdTokenInvalid | IdTokensUnavailable> {
  if (token.length > maxTokenLength) return yield* invalid(`longer than ${maxTokenLength} characters`)
  const segments = compactForm.exec(token)?.groups
  const header = decode(segments?.["header"])
  const claims = decode(segments?.["payload"])
  if (header === null || claims === null) return yield* invalid("malformed, or ambiguous")
  const fault = faultOfHeader(header, config)
  if (fault !== null) return yield* invalid(fault)
  const { alg, kid } = header
  const named: JWSHeaderParameters = { alg: String(alg), ...(typeof kid === "string" ? { kid } : {}) }
  const key = yield* findKey(named)
  const now = yield* Clock.currentTimeMillis
  yield* checkSignature(token, key, config, now)
  const objection = faultOfClaims(claims, config, now)
  if (objection !== null) return yield* invalid(objection)
  const identity = identityOf(String(claims["sub"]), claims, config.claims)
  return { identity, expiresAt: Number(claims["exp"]) * 1_000 }
})
