import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect } from "effect"
import { addressOf, checkMailHost, type MailHostOptions } from "../imap/MailHost.ts"
import type { Relay, RelayLogin } from "./Relay.ts"

const failed = (problem: MailboxLoginFailed["problem"], detail: string) =>
  new MailboxLoginFailed({ server: "smtp", problem, detail })

const unreachable = (host: string) =>
  failed("unreachable", `No connection to the server: the name ${host} has no address. Check host and port.`)

const relayLogin = ({ credential, username }: MailboxLogin): RelayLogin =>
  credential._tag === "Password"
    ? { user: username, pass: credential.password }
    : { user: username, pass: "", token: credential.token }

/**
 * Returns the SMTP server of a mailbox as a relay, with the checked address to which the connection goes. A separate
 * look-up by the connection could return another address (DNS rebinding).
 */
export const mailboxRelay = Effect.fnUntraced(function* (login: MailboxLogin, options: MailHostOptions) {
  const { smtp } = login
  const checked = checkMailHost(options, smtp, "smtp")
  if (checked instanceof EgressRefused) return yield* failed("refused_host", checked.reason)
  const address = yield* Effect.tryPromise({
    try: () => addressOf(checked),
    catch: (error) =>
      error instanceof EgressRefused ? failed("refused_host", error.reason) : unreachable(checked.host)
  })
  const relay: Relay = {
    host: checked.host,
    port: smtp.port,
    secure: smtp.security === "tls",
    requireTls: smtp.security === "starttls",
    neverTls: smtp.security === "none",
    login: relayLogin(login),
    name: null,
    address,
    tls: checked.tls
  }
  return relay
})
