import type { AuthenticationResult } from "./AuthenticationResult.ts"

/** The server that delivered a mail to this server over SMTP. */
export interface SmtpClient {
  /** The IP address of the connection. */
  readonly address: string
  /** The name in EHLO or HELO. It is not verified. */
  readonly helo: string
  /** True for a mail server of the operator, which only passes mail on. Its address proves nothing about the sender. */
  readonly isTrusted: boolean
}

/** The result of one method for one domain. */
export interface DomainResult {
  readonly result: AuthenticationResult
  /** Empty if the mail does not name a domain. */
  readonly domain: string
}

/** One set of ARC fields (RFC 8617 section 4): the results that a forwarding server saw. */
export interface ArcSet {
  /** The domain of the server that sealed the set. */
  readonly sealer: string
  /** The value of `ARC-Authentication-Results`, without its instance. */
  readonly results: string
}

/** The results that this server computed for a mail. */
export interface VerifiedMail {
  readonly spf: DomainResult
  /** One result for each verified signature. Empty for an unsigned mail. */
  readonly dkim: ReadonlyArray<DomainResult>
  readonly dmarc: DomainResult
  readonly arc: {
    readonly result: AuthenticationResult
    /** The sets of a valid chain, newest first. Empty unless the chain is valid. */
    readonly sets: ReadonlyArray<ArcSet>
  }
}

/**
 * The basis of the authentication of a mail that arrived over SMTP.
 *
 * - `Verified`: this server verified the mail.
 * - `TrustHeaders`: another server verified it and recorded its results in the header.
 * - `Off`: the mail is not authenticated.
 */
export type MailVerification =
  | { readonly _tag: "Verified"; readonly mail: VerifiedMail; readonly isRelayed: boolean }
  | { readonly _tag: "TrustHeaders" }
  | { readonly _tag: "Off" }
