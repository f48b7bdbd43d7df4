import { type Claims, type Identity, identityOf } from "@leadloom/core/internal/domain/access/Identity"
import { IdTokenInvalid, type IdTokensUnavailable } from "@leadloom/core/internal/port/provider/IdTokens"
import { Clock, Effect } from "effect"
import { type CryptoKey, errors, jwtVerify, type JWSHeaderParameters } from "jose"
import { maxTokenLength, type OidcConfig, toleranceSeconds } from "./OidcConfig.ts"
import type { FindKey } from "./SigningKeys.ts"
import { readStrictJson } from "./StrictJson.ts"

/** The identity in a token, and its expiry in epoch milliseconds. */
export interface Verified {
  readonly identity: Identity
  readonly expiresAt: number
}

/**
 * The compact form of a token: three non-empty segments of base64url. An unsigned token does not match, because it ends
 * with a dot.
 */
const compactForm = /^(?<header>[\w-]+)\.(?<payload>[\w-]+)\.[\w-]+$/u

/** The limit in OpenID Connect Core 1.0 section 2. */
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

/**
 * Returns the error in the header of a token; null when there is none. The check precedes the verification of the
 * signature.
 */
const faultOfHeader = ({ alg, crit, kid, typ }: Claims, { algorithms }: OidcConfig): string | null => {
  if (!algorithms.some((allowed) => allowed === alg)) return "its signature algorithm is not accepted"
  if (kid !== undefined && typeof kid !== "string") return "its key id is not a string"
  // RFC 8725 section 3.11: other tokens of the issuer (access, logout) have another `typ`.
  if (typ !== undefined && (typeof typ !== "string" || typ.toUpperCase() !== "JWT"))
    return "its typ is not that of an ID token"
  // RFC 7515 section 4.1.11: a token with an unknown critical extension must be rejected.
  return crit === undefined ? null : "it needs an unsupported extension"
}

const isPast = (claim: unknown, now: number): boolean =>
  typeof claim === "number" && Number.isFinite(claim) && claim * 1_000 <= now + toleranceSeconds * 1_000

/**
 * Returns the error in the claims of an authentic token; null when there is none. `jwtVerify` has already checked the
 * other claims.
 */
const faultOfClaims = (
  { aud, auth_time, azp, exp, iat, sub }: Claims,
  config: OidcConfig,
  now: number
): string | null => {
  if (typeof sub !== "string" || sub === "" || sub.length > maxSubjectLength) return "without a subject"
  if (!Number.isFinite(exp)) return "it has no expiry time"
  if (!isPast(iat, now)) return "its issue time is in the future"
  if (auth_time !== undefined && !isPast(auth_time, now)) return "its sign-in time is in the future"
  return faultOfParty(aud, azp, config)
}

/**
 * Checks the authorised party: the token must be issued to one of our clients (OpenID Connect Core 1.0 section 3.1.3.7,
 * rules 4 and 5).
 */
const faultOfParty = (aud: unknown, azp: unknown, { clientIds }: OidcConfig): string | null => {
  if (azp === undefined) {
    return Array.isArray(aud) && aud.length > 1 ? "it has several audiences but no authorised party" : null
  }
  return clientIds.some((ours) => ours === azp) ? null : "it was issued to another party"
}

/** Describes why `jose` rejected a token, without quoting the token. */
const refusalOf = (error: unknown): IdTokenInvalid =>
  new IdTokenInvalid({
    reason:
      error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired
        ? `its claim ${error.claim} is invalid (${error.reason})`
        : error instanceof errors.JWSSignatureVerificationFailed
          ? "its signature is invalid"
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

/** Verifies a token completely: format, header, key, signature and claims. */
export const verifyToken = Effect.fnUntraced(function* (
  token: string,
  findKey: FindKey,
  config: OidcConfig
): Effect.fn.Return<Verified, IdTokenInvalid | IdTokensUnavailable> {
  if (token.length > maxTokenLength) return yield* invalid(`it is longer than ${maxTokenLength} characters`)
  const segments = compactForm.exec(token)?.groups
  const header = decode(segments?.["header"])
  const claims = decode(segments?.["payload"])
  if (header === null || claims === null) return yield* invalid("it is malformed or ambiguous")
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
