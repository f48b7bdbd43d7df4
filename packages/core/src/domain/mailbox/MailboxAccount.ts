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
export type MailboxSecret =
  | { readonly kind: "password"; readonly password: string }
  | {
      readonly kind: "oauth"
      readonly provider: "google" | "microsoft"
      readonly refreshToken: string
      readonly accessToken: string
      readonly expiresAt: number
    }

/** The place of the sealed secret of an account (`Vault`). */
export const mailboxSealContext = (tenantId: string, grantId: string): string => `mailbox:${tenantId}:${grantId}`
