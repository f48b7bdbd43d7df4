import { Effect } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import type { MailboxAccount } from "../../domain/mailbox/MailboxAccount.ts"
import type { MailboxCredential, MailboxLogin } from "../../domain/mailbox/MailServer.ts"
import { Mailboxes, type MailboxLoginFailed } from "../../port/provider/Mailboxes.ts"
import { freshAccessToken, openMailboxSecret } from "./AccessTokens.ts"

/** A connected mailbox with its servers and its sealed secret. */
export interface StoredMailbox {
  readonly grant: Pick<Grant, "email">
  readonly account: MailboxAccount
}

const loginWith = ({ account, grant }: StoredMailbox, credential: MailboxCredential): MailboxLogin => {
  const { imap, smtp, username } = account
  return { email: grant.email, username, imap, smtp, credential }
}

/**
 * Runs an effect with the login of a mailbox. An access token is renewed before it expires, and once more when the mail
 * server rejects it, which `isRefused` decides. The effect then runs a second time, so it must have no effect before the
 * login. Fails with `SignedOut` when the owner must sign in again, and with `UnsealFailed` when the secret cannot be
 * opened.
 */
export const withMailboxLogin = Effect.fnUntraced(function* <A, E, R>(
  mailbox: StoredMailbox,
  use: (login: MailboxLogin) => Effect.Effect<A, E, R>,
  isRefused: (error: E) => boolean
) {
  const secret = yield* openMailboxSecret(mailbox.account)
  if (secret.kind === "password") return yield* use(loginWith(mailbox, { _tag: "Password", password: secret.password }))
  const logIn = (token: string) => use(loginWith(mailbox, { _tag: "AccessToken", token }))
  const token = yield* freshAccessToken(mailbox.account, null)
  return yield* Effect.catchIf(logIn(token), isRefused, () =>
    Effect.flatMap(freshAccessToken(mailbox.account, token), logIn)
  )
})

const isRefusedLogin = ({ problem }: MailboxLoginFailed): boolean => problem === "login" || problem === "app_password"

/** Opens a connection to a mailbox and logs in. The connection closes with its scope. */
export const openStoredMailbox = (mailbox: StoredMailbox) =>
  Effect.flatMap(Mailboxes, ({ open }) => withMailboxLogin(mailbox, open, isRefusedLogin))
