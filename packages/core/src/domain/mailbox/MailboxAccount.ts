import { Schema } from "effect"
import { GrantId } from "../Id.ts"
import { Time, unchecked } from "../Field.ts"
import type { MailServer } from "./MailServer.ts"

/** The default and the highest number of days that the first sync reaches back. */
export const defaultSinceDays = 30
export const maxSinceDays = 3_650

/** The servers, the sealed secret and the state of a connected mailbox. Its address and status are in its `Grant`. */
export class MailboxAccount extends Schema.Opaque<MailboxAccount>()(
  Schema.Struct({
    tenantId: Schema.String,
    grantId: GrantId,
    username: Schema.String,
    imap: unchecked<MailServer>(),
    smtp: unchecked<MailServer>(),
    /** The sealed `MailboxSecret`. */
    secret: Schema.String.annotate({ secret: true }),
    /** The first sync reads mail that arrived at this time or later. */
    sinceAt: Time,
    /** Whether the server sets `\Seen` and `\Answered` in the mailbox. */
    setsFlags: Schema.Boolean,
    createdAt: Time
  })
) {}

/** The secret of an account as it is sealed (JSON). */
export type MailboxSecret = { readonly kind: "password"; readonly password: string } | OAuthSecret

/** The tokens of a mailbox whose owner has signed in at the provider. They must not be logged. */
export interface OAuthTokens {
  readonly refreshToken: string
  readonly accessToken: string
  /** The expiry of the access token, in epoch milliseconds. */
  readonly expiresAt: number
}

/** The tokens of a mailbox as they are sealed. */
export interface OAuthSecret extends OAuthTokens {
  readonly kind: "oauth"
  readonly provider: "google" | "microsoft"
}

/**
 * The claim of the renewal of an account's tokens. All servers share it, so that only one of them uses the refresh
 * token at a time.
 */
export interface TokenRenewal {
  readonly tenantId: string
  readonly grantId: GrantId
  /** The number of the claim. Each claim and each new secret from the owner increases it. */
  readonly claim: number
  /** The end of the claim in epoch milliseconds; 0: the renewal is free. */
  readonly claimedUntil: number
}

/** The place of the sealed secret of an account (`Vault`). */
export const mailboxSealContext = (tenantId: string, grantId: string): string => `mailbox:${tenantId}:${grantId}`
