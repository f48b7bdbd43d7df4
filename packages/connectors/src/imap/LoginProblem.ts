import { EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { type LoginProblem, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { failureOf } from "../egress/FailureKind.ts"
import { delayOf, type ImapError, readImapError } from "./ImapError.ts"

/**
 * Texts that demand an app password or OAuth. Gmail: "Application-specific password required"
 * (github.com/LukeSmithxyz/mutt-wizard/issues/831), "Web login required" (github.com/smiley22/S22.Imap/issues/116) and
 * "Please log in via your web browser" (github.com/lovelysystems/robotframework-imaplibrary/issues/23). Microsoft: basic authentication is
 * off in all tenants of Exchange Online
 * (https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/deprecation-of-basic-authentication-exchange-online).
 */
const appPasswordText =
  /application-specific password|app(?:lication)?[ -]password|web login required|log in via your web browser|less secure app|basic ?auth/iu

/**
 * Texts about IMAP that is switched off. The first is Gmail's, for which public mail clients test too. "Not connected" is
 * that of Microsoft 365, with several causes (github.com/mscdex/node-imap/issues/689,
 * github.com/simonrob/email-oauth2-proxy/issues/74). The others have no source; they match the words of small providers.
 */
const disabledText =
  /not enabled for imap|imap (?:access |use )?(?:is |has been )?(?:disabled|not enabled|not allowed)|imap service is not enabled|authenticated but not connected/iu

/** Hosts of Microsoft that accept no password. They respond with "LOGIN failed." or "AUTHENTICATE failed." only. */
const oauthOnlyHost = /(?:^|\.)(?:outlook|office365|hotmail|live)\.com$/iu

/** Response codes of RFC 5530, section 3. */
const codes: Readonly<Record<string, LoginProblem>> = {
  AUTHENTICATIONFAILED: "login",
  AUTHORIZATIONFAILED: "login",
  EXPIRED: "login",
  PRIVACYREQUIRED: "tls",
  NOPERM: "disabled",
  CONTACTADMIN: "disabled"
}

const refusedProblem = ({ credential, imap }: MailboxLogin, error: ImapError): LoginProblem => {
  if (appPasswordText.test(error.text)) return "app_password"
  if (disabledText.test(error.text)) return "disabled"
  if (/login is disabled/iu.test(error.text)) return imap.security === "none" ? "tls" : "disabled"
  if (delayOf(error) !== null) return "unavailable"
  if (/unsupported authentication|no matching authentication/iu.test(error.text)) {
    return credential._tag === "Password" ? "app_password" : "disabled"
  }
  if (credential._tag === "Password" && oauthOnlyHost.test(imap.host)) return "app_password"
  return (error.responseCode === null ? undefined : codes[error.responseCode]) ?? "login"
}

const isProtocol = (code: string | null): boolean =>
  code !== null &&
  (code === "GREETING_TIMEOUT" ||
    code.startsWith("ParserError") ||
    ["InvalidResponse", "UnexpectedTag", "ResponseProcessingFailed"].includes(code) ||
    code.endsWith("TooLarge"))

const connectionProblem = (error: unknown, read: ImapError): LoginProblem => {
  if (read.isTls) return "tls"
  if (isProtocol(read.code)) return "protocol"
  if (delayOf(read) !== null) return "unavailable"
  return failureOf(error).kind === "tls" ? "tls" : "unreachable"
}

const advice: Readonly<Record<LoginProblem, string>> = {
  refused_host: "The server is not permitted",
  unreachable: "No connection to the server. Check host and port",
  tls: "No valid TLS connection. Check the port, the security and the certificate of the server",
  login: "The server rejects the login. Check username and password",
  app_password: "The provider accepts no account password here. Use an app password, or sign in with OAuth",
  disabled: "IMAP is switched off for this account. Switch it on in the settings of the mail provider",
  unavailable: "The server accepts no login at present. Try again later",
  protocol: "The server does not speak IMAP. Check host, port and security"
}

const refusalOf = (error: unknown): EgressRefused | null => (error instanceof EgressRefused ? error : null)

/**
 * Returns the failure of a login. `detail` states the next step and quotes the server. `secrets` are removed from it.
 */
export const loginFailure = (
  login: MailboxLogin,
  error: unknown,
  secrets: ReadonlyArray<string>
): MailboxLoginFailed => {
  const refusal = refusalOf(error)
  if (refusal !== null)
    return new MailboxLoginFailed({ server: "imap", problem: "refused_host", detail: refusal.reason })
  const read = readImapError(error, secrets)
  const isAnswered = read.isLogin || read.status !== null
  const problem = isAnswered && !read.isTls ? refusedProblem(login, read) : connectionProblem(error, read)
  const quoted = isAnswered || read.code === null ? read.text : `${read.text} (${read.code})`
  const delay = problem === "unavailable" ? delayOf(read) : null
  return new MailboxLoginFailed({
    server: "imap",
    problem,
    detail: `${advice[problem]}. The response was: ${quoted}`,
    ...(delay === null ? {} : { retryAfterMillis: delay })
  })
}
