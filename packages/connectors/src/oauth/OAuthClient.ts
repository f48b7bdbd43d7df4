import type { HostedProvider } from "@leadloom/core/internal/domain/email/HostedMail"
import type { MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import type { Redacted } from "effect"

/** The operator's client at a provider, with the provider's endpoints and mail servers. */
export interface OAuthClient {
  readonly provider: HostedProvider
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The URL to which owners return after consent. */
  readonly redirectUri: string
  /** The issuer of ID tokens. `{tenantid}` stands for the directory that the ID token names. */
  readonly issuer: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** Null: the provider has no revocation endpoint. */
  readonly revocationUrl: string | null
  /** The scopes without which mail cannot be read and sent. */
  readonly mailScopes: ReadonlyArray<string>
  /** The other scopes. */
  readonly scopes: ReadonlyArray<string>
  /** Further parameters of the authorization URL. */
  readonly parameters: Readonly<Record<string, string>>
  readonly imap: MailServer
  readonly smtp: MailServer
  /** The SMTP server of personal accounts, if it is another one. */
  readonly personalSmtp?: MailServer
}

/** The part of a client that the operator registers at the provider. */
export type OAuthRegistration = Pick<OAuthClient, "clientId" | "clientSecret" | "redirectUri">

/**
 * The client at Google. Sources: https://developers.google.com/identity/openid-connect/openid-connect,
 * https://developers.google.com/workspace/gmail/imap/xoauth2-protocol and .../imap/imap-smtp. Without `prompt=consent`,
 * Google returns a refresh token only at the first consent.
 */
export const googleClient = (registration: OAuthRegistration): OAuthClient => ({
  ...registration,
  provider: "google",
  issuer: "https://accounts.google.com",
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
  revocationUrl: "https://oauth2.googleapis.com/revoke",
  mailScopes: ["https://mail.google.com/"],
  scopes: ["openid", "email"],
  parameters: { access_type: "offline", prompt: "consent" },
  imap: { host: "imap.gmail.com", port: 993, security: "tls" },
  smtp: { host: "smtp.gmail.com", port: 465, security: "tls" }
})

/** The directory of personal Microsoft accounts (https://learn.microsoft.com/entra/identity-platform/id-tokens). */
export const personalDirectory = "9188040d-6c67-4c5b-b112-36a304b66dad"

/** The id of a directory of Microsoft Entra. */
export const directoryPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu

/**
 * The client at Microsoft. `directory` limits the accounts: `common`, `organizations`, `consumers`, or the id or a domain
 * of one directory. Sources: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow and
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
export const microsoftClient = (registration: OAuthRegistration, directory: string): OAuthClient => {
  const authority = "https://login.microsoftonline.com"
  const issuing = directoryPattern.test(directory) ? directory.toLowerCase() : "{tenantid}"
  return {
    ...registration,
    provider: "microsoft",
    issuer: `${authority}/${issuing}/v2.0`,
    authorizationUrl: `${authority}/${directory}/oauth2/v2.0/authorize`,
    tokenUrl: `${authority}/${directory}/oauth2/v2.0/token`,
    revocationUrl: null,
    mailScopes: ["https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send"],
    scopes: ["openid", "email", "profile", "offline_access"],
    parameters: { prompt: "select_account" },
    imap: { host: "outlook.office365.com", port: 993, security: "tls" },
    smtp: { host: "smtp.office365.com", port: 587, security: "starttls" },
    personalSmtp: { host: "smtp-mail.outlook.com", port: 587, security: "starttls" }
  }
}
