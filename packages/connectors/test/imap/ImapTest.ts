import type { MailboxLogin, MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import type { MailboxConnection, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { startImapStandIn, type ImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import type { StandInOptions } from "@leadloom/testkit/imap/StandInState"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { Effect, type Scope } from "effect"
import { type ImapOptions, openMailbox } from "../../src/imap/OpenMailbox.ts"

/** The account of the stand-in. */
export const username = "sales@example.com"

/** Starts a stand-in that closes with the scope. */
export const standIn = (options: Partial<StandInOptions> = {}): Effect.Effect<ImapStandIn, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startImapStandIn(options)),
    (server) => Effect.promise(() => server.close())
  )

/** Returns a login to a port of this machine. */
export const loginTo = (
  port: number,
  server: Partial<MailServer> = {},
  credential: MailboxLogin["credential"] = { _tag: "Password", password: "secret" }
): MailboxLogin => {
  const imap = { host: "localhost", port, security: "none" as const, ...server }
  return { email: username, username, imap, smtp: imap, credential }
}

/** Opens a connection to a host of this machine, which the policy permits, with the certificate of the stand-in. */
export const openTo = (
  login: MailboxLogin,
  options: Partial<ImapOptions> = {}
): Effect.Effect<MailboxConnection, MailboxLoginFailed, Scope.Scope> =>
  openMailbox({
    policy: { allowHosts: [{ host: login.imap.host, port: login.imap.port }] },
    trust: certificate,
    ...options
  })(login)

/** A mail with this Message-ID. */
export const mailOf = (id: string): Buffer => Buffer.from(`Message-ID: <${id}@example.org>\r\n\r\nHello\r\n`)
