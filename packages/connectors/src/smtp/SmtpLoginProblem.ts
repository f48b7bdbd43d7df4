import type { LoginProblem } from "@leadloom/core/internal/port/provider/Mailboxes"

/** The facts about a failed connection or login, as nodemailer reports them. */
export interface LoginFailure {
  /** The reply code of the server, or null without a reply. */
  readonly status: number | null
  /** The code of nodemailer, for example `EAUTH`. */
  readonly code: string
  readonly text: string
}

/**
 * Texts with which providers switch a protocol off. Google: "Your account is not enabled for IMAP use". Microsoft:
 * "SmtpClientAuthentication is disabled for the Tenant" (https://aka.ms/smtp_auth_disabled). GMX and web.de: "has not
 * enabled" or "not allowed to use".
 */
const disabled =
  /SmtpClientAuthentication is disabled|smtp_auth_disabled|not enabled for (?:IMAP|SMTP)|(?:IMAP|SMTP)(?: access)? (?:is )?(?:disabled|switched off|not enabled)|has not enabled/iu

/**
 * Texts with which providers demand an app password or OAuth. Google: 534 5.7.9 "Application-specific password
 * required". Microsoft: 535 5.7.139 "basic authentication is disabled". Yahoo, AOL and Apple: "app password",
 * "app-specific password".
 */
const appPassword =
  /application[- ]specific password|app[- ](?:specific )?password|basic authentication is disabled|web browser required|WebLoginRequired/iu

/** Matches errors of TLS and of certificates, which Node.js and OpenSSL report in their own words. */
const tls = /certificate|self[- ]signed|\bTLS\b|\bSSL\b|altnames|wrong version number|STARTTLS|handshake|tls_|ssl3?_/iu

/** Returns the reason of a failed SMTP login. The order matters: the texts are more specific than the codes. */
export const smtpLoginProblem = ({ code, status, text }: LoginFailure): LoginProblem => {
  if (disabled.test(text)) return "disabled"
  if (appPassword.test(text)) return "app_password"
  if (code === "ETLS" || (status === null && tls.test(text))) return "tls"
  if (status !== null && status >= 400 && status < 500) return "unavailable"
  // 535: wrong credentials. 534: another mechanism is required. 538: encryption is required (RFC 4954 section 6).
  if (code === "EAUTH" || status === 535 || status === 534) return "login"
  if (code === "ENOAUTH" || code === "EPROTOCOL" || status !== null || /greeting/iu.test(text)) return "protocol"
  return "unreachable"
}
