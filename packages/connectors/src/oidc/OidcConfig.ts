import type { ClaimPaths } from "@leadloom/core/domain/access/Identity"

/**
 * The accepted signature algorithms, all with a private key of the identity provider. `none` proves nothing, and the
 * key that verifies HS256 could also sign (RFC 8725 sections 2.1 and 3.1).
 */
export const oidcAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const

/** An accepted signature algorithm. */
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
  /** The URL of the signing keys; null: the one in the issuer's discovery document. */
  readonly jwksUri: string | null
  readonly algorithms: ReadonlyArray<OidcAlgorithm>
  readonly claims: ClaimPaths
}

/** The maximum length of a token in characters. Node accepts 16 KiB for all headers together. */
export const maxTokenLength = 8_192

/** The tolerated difference between the issuer's clock and ours, in seconds. */
export const toleranceSeconds = 60
