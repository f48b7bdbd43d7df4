/**
 * Mailboxes that the server reads over IMAP and sends from over SMTP: their servers, folders and progress. Connecting
 * to a mailbox belongs to the port `Mailboxes`, and the order of the work to `workflow/mailbox`.
 * Tests: `packages/core/test/domain/mailbox`, `packages/testkit/src/suite/mailbox`.
 */
import { Schema } from "effect"

/**
 * The protection of a connection. `tls`: TLS from the first byte (RFC 8314). `starttls`: the connection is upgraded
 * before the login (RFC 3501 section 6.2.1, RFC 3207). `none`: no protection; only for hosts that the operator permits.
 */
export const connectionSecurities = ["tls", "starttls", "none"] as const

/** The mail server of an account: the IMAP server or the SMTP submission server. */
export const MailServer = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  security: Schema.Literals(connectionSecurities)
})
export type MailServer = typeof MailServer.Type

/** The secret of a login. `token`: an OAuth access token, sent with SASL XOAUTH2. */
export type MailboxCredential =
  | { readonly _tag: "Password"; readonly password: string }
  | { readonly _tag: "AccessToken"; readonly token: string }

/** All that is necessary to log in to a mailbox. It contains a secret and must not be logged. */
export interface MailboxLogin {
  /** The address of the mailbox. */
  readonly email: string
  /** The name of the login. It is usually the address. */
  readonly username: string
  readonly imap: MailServer
  readonly smtp: MailServer
  readonly credential: MailboxCredential
}
