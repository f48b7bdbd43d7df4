import type { ClaimPaths } from "@leadloom/core/internal/domain/access/Identity"

/**
 * The accepted signature algorithms. All of them use a private key of the identity provider. `none` is excluded,
 * because it proves nothing. HS256 is excluded, because everyone who can verify a token with its shared key can also
 * sign one (RFC 8725 sections 2.1 and 3.1).
 */
export const oidcAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const

export type OidcAlgorithm = (typeof oidcAlgorithms)[number]

/** The identity provider whose ID tokens are accepted, and the mapping of their claims. */
export interface OidcConfig {
  /** The exact `iss` of every token. */
  readonly issuer: string
  /** The accepted audiences (`aud`). */
  readonly audiences: ReadonlyArray<string>
  /**
   * The accepted authorised parties (`azp`): this server's client ids at the provider, usually equal to the audiences.
   */
  readonly clientIds: ReadonlyArray<string>
  /** The URL of the signing keys. If it is null, the URL comes from the issuer's discovery document. */
  readonly jwksUri: string | null
  readonly algorithms: ReadonlyArray<OidcAlgorithm>
  readonly claims: ClaimPaths
}

/** The maximum length of a token in characters. Node.js accepts 16 KiB for all headers together. */
export const maxTokenLength = 8_192

/** The tolerated difference between the issuer's clock and ours, in seconds. */
export const toleranceSeconds = 60
