import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { type LoginProblem, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect } from "effect"
import type { MailHostOptions } from "../imap/MailHost.ts"
import { redactSecrets } from "../provider/RedactSecrets.ts"
import { mailboxRelay } from "./MailboxRelay.ts"
import { type Relay, secretsOf } from "./Relay.ts"
import { makeConnection, signIn } from "./SmtpConnect.ts"
import { type LoginFailure, smtpLoginProblem } from "./SmtpLoginProblem.ts"

/** The timeout of the whole login in milliseconds. */
const defaultTimeoutMillis = 15_000
/** The maximum length of a quoted response, in characters. */
const maxQuoteLength = 300

const advice: Readonly<Record<LoginProblem, string>> = {
  refused_host: "The server is not permitted",
  unreachable: "No connection to the server. Check host and port",
  tls: "No valid TLS connection. Check the port, the security and the certificate of the server",
  login: "The server rejects the login. Check username and password",
  app_password: "The provider accepts no account password here. Use an app password, or sign in with OAuth",
  disabled: "SMTP is switched off for this account. Switch it on in the settings of the mail provider",
  unavailable: "The server accepts no login at present. Try again later",
  protocol: "The server does not speak SMTP. Check host, port and security"
}

const factsOf = (error: Error): LoginFailure => {
  const status = "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : null
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const response = "response" in error && typeof error.response === "string" ? error.response : error.message
  return { status, code, text: response }
}

/** Connects and signs in. Returns the failure, or null. */
const attempt = (relay: Relay, timeoutMillis: number): Promise<LoginFailure | null> =>
  new Promise((resolve) => {
    if (relay.login === null) return resolve(null)
    const { login } = relay
    const connection = makeConnection(relay, { connect: timeoutMillis, idle: timeoutMillis })
    const end = (failure: LoginFailure | null): void => {
      clearTimeout(timer)
      resolve(failure)
      if (failure === null) connection.quit()
      else connection.close()
    }
    const silent = { status: null, code: "ETIMEDOUT", text: "The server did not respond in time." }
    const timer = setTimeout(() => end(silent), timeoutMillis)
    connection.on("error", (error: Error) => end(factsOf(error)))
    connection.on("end", () => end({ ...silent, code: "ECONNECTION", text: "The server closed the connection." }))
    connection.connect((error) => {
      if (error !== undefined && error !== null) return end(factsOf(error))
      signIn(connection, login, (refused) => end(refused ? factsOf(refused) : null))
    })
  })

/**
 * Logs in to the SMTP server of a mailbox without sending a mail. Fails with the next step and the server's response
 * in one line, without secrets.
 */
export const verifySmtp = (
  login: MailboxLogin,
  hosts: MailHostOptions,
  timeoutMillis: number = defaultTimeoutMillis
): Effect.Effect<void, MailboxLoginFailed> =>
  Effect.gen(function* () {
    const relay = yield* mailboxRelay(login, hosts)
    const failure = yield* Effect.promise(() => attempt(relay, timeoutMillis))
    if (failure === null) return
    const problem = smtpLoginProblem(failure)
    const quote = redactSecrets(secretsOf(relay), failure.text)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim()
      .slice(0, maxQuoteLength)
    const detail = `${advice[problem]}. The response was: ${quote}`
    return yield* new MailboxLoginFailed({ server: "smtp", problem, detail })
  })
