import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { MailboxConnection, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import type { Effect, Scope } from "effect"
import { type ImapWorld, worldPassword } from "../../imap/ImapWorld.ts"

/** Opens a connection with the adapter under test. */
export type OpenMailbox = (
  world: ImapWorld,
  login: MailboxLogin
) => Effect.Effect<MailboxConnection, MailboxLoginFailed, Scope.Scope>

/** A time in the past, in whole seconds as IMAP has them. */
export const start = Date.UTC(2026, 9, 1, 12)
export const hour = 3_600_000

export const mailOf = (id: string, body = "Hello\r\n"): Uint8Array =>
  Buffer.from(`Message-ID: <${id}@example.org>\r\nFrom: ann@example.org\r\nSubject: ${id}\r\n\r\n${body}`)

/** Returns the login of an account on the port of a security. */
export const loginOf = (
  { host, port, tlsPort }: ImapWorld,
  username: string,
  security: "none" | "starttls" | "tls" = "none",
  credential: MailboxLogin["credential"] = { _tag: "Password", password: worldPassword }
): MailboxLogin => {
  const server = { host, port: security === "tls" ? tlsPort : port, security }
  return { email: username, username, imap: server, smtp: server, credential }
}

/** A connected account of its own, with short forms of the control of its server. */
export interface Box {
  readonly mailbox: MailboxConnection
  readonly deliver: (path: string, raw: Uint8Array, receivedAt?: number) => Effect.Effect<void>
  readonly does: (what: (world: ImapWorld, username: string) => Promise<unknown>) => Effect.Effect<void>
  readonly flags: (path: string, uid: number) => Effect.Effect<ReadonlyArray<string>>
  /** The folder with its current UIDVALIDITY. */
  readonly folder: (
    path: string
  ) => Effect.Effect<{ readonly path: string; readonly uidValidity: string }, ProviderFailure>
}

export const uidsOf = (mails: ReadonlyArray<{ readonly uid: number }>): ReadonlyArray<number> =>
  mails.map(({ uid }) => uid)

export const whole = { from: 1, to: 1_000 }

/** Adds a test with an account of its own. */
export type Test = (title: string, run: (box: Box) => Effect.Effect<void, unknown, Scope.Scope>) => void
