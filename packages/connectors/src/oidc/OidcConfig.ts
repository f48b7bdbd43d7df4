import type { ClaimPaths } from "@leadloom/core/domain/access/Identity"

/**
 * Signatures that an identity provider may use here. All of them are made with a key that it alone has: `none` proves
 * nothing, and what HS256 is checked with could sign as well (RFC 8725 sections 2.1 and 3.1).
 */
export const oidcAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const

/** A signature that is taken. */
export type OidcAlgorithm = (typeof oidcAlgorithms)[number]

/** Whose ID tokens are good here, and how they are read. */
export interface OidcConfig {
  /** Stands in every token, letter by letter. */
  readonly issuer: string
  /** Whom a token has to be made for (`aud`): one of these. */
  readonly audiences: ReadonlyArray<string>
  /** Whom a token may have been issued to (`azp`): our client ids there, usually the audiences. */
  readonly clientIds: ReadonlyArray<string>
  /** Where the signing keys are; null: where the issuer's discovery document says. */
  readonly jwksUri: string | null
  readonly algorithms: ReadonlyArray<OidcAlgorithm>
  readonly claims: ClaimPaths
}

/** Longest token that is looked at, characters: what Node takes of all headers together is 16 KiB. */
export const maxTokenLength = 8_192

/** By how much the issuer's clock may differ from ours, seconds. */
export const toleranceSeconds = 60
