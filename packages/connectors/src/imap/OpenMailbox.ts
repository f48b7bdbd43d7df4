// Mailboxes at any IMAP server, over `imapflow`. Sending over SMTP and the discovery of servers do not belong here.
// Tests: `packages/connectors/test/imap` on a stand-in and on Dovecot.
import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import type { MailboxConnection, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect, type Scope } from "effect"
import type { ImapFlow } from "imapflow"
import {
  defaultImapLimits,
  type ImapClient,
  type ImapLimits,
  makeImapFlow,
  secretsOf,
  trackRefusals,
  watchSize
} from "./ImapClient.ts"
import { imapMailbox } from "./ImapMailbox.ts"
import { loginFailure } from "./LoginProblem.ts"
import { checkMailHost, type MailHostOptions } from "./MailHost.ts"

/** Options of connections to IMAP servers. */
export interface ImapOptions extends MailHostOptions {
  /** Replaces some of the default limits. */
  readonly limits?: Partial<ImapLimits>
}

const limitsOf = ({ limits }: ImapOptions): ImapLimits => ({ ...defaultImapLimits, ...limits })

/** The maximum number of bytes that a server may send before the login is complete. */
const maxLoginBytes = 262_144

/** Connects and logs in within `loginMillis`. The client is closed on failure and on interruption. */
const connect = (flow: ImapFlow, login: MailboxLogin, millis: number): Effect.Effect<void, MailboxLoginFailed> =>
  Effect.callback((resume) => {
    const stop = (): void => {
      clearTimeout(timer)
      endWatch()
    }
    const fail = (error: unknown): void => {
      stop()
      resume(Effect.fail(loginFailure(login, error, secretsOf(login))))
      flow.close()
    }
    const late = `The server did not complete the login within ${millis / 1_000} seconds`
    const timer = setTimeout(() => fail(new Error(late)), millis)
    const endWatch = watchSize(flow, maxLoginBytes, () =>
      fail(Object.assign(new Error("The server sent too much before the login"), { code: "ResponseTooLarge" }))
    )
    flow.connect().then(() => {
      stop()
      resume(Effect.void)
    }, fail)
    return Effect.sync(() => {
      stop()
      flow.close()
    })
  })

/** The time for the response to LOGOUT, in milliseconds. */
const logoutMillis = 1_000

/** Logs out when no command is running, and closes the connection in any case. */
const close = (flow: ImapFlow): Effect.Effect<void> =>
  Effect.promise(async () => {
    const timer = setTimeout(() => flow.close(), logoutMillis)
    try {
      if (flow.usable) await flow.logout()
    } catch {
      // The connection has ended already.
    } finally {
      clearTimeout(timer)
      flow.close()
    }
  })

const acquire = Effect.fnUntraced(function* (options: ImapOptions, login: MailboxLogin) {
  const limits = limitsOf(options)
  const checked = checkMailHost(options, login.imap, "imap")
  if (checked instanceof EgressRefused) return yield* loginFailure(login, checked, [])
  const flow = makeImapFlow(login, checked, limits)
  const client: ImapClient = trackRefusals(flow, login, limits)
  yield* connect(flow, login, limits.loginMillis)
  return client
})

/**
 * Opens a connection to the IMAP server of a mailbox and logs in. The connection closes with its scope. Fails with
 * `MailboxLoginFailed` for a host that is not permitted, and when connection, TLS or login fail.
 */
export const openMailbox =
  (options: ImapOptions) =>
  (login: MailboxLogin): Effect.Effect<MailboxConnection, MailboxLoginFailed, Scope.Scope> =>
    Effect.map(
      Effect.acquireRelease(Effect.interruptible(acquire(options, login)), ({ flow }) => close(flow)),
      imapMailbox
    )

/** Logs in to the IMAP server of a mailbox and closes the connection. */
export const verifyImap =
  (options: ImapOptions) =>
  (login: MailboxLogin): Effect.Effect<void, MailboxLoginFailed> =>
    Effect.scoped(Effect.asVoid(openMailbox(options)(login)))
