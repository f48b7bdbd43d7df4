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
  /** The discovery document (OpenID Connect Discovery 1.0), with which the doctor compares the other URLs. */
  readonly discoveryUrl: string
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
  discoveryUrl: "https://accounts.google.com/.well-known/openid-configuration",
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

/** The clouds of Microsoft. Each one has its own directories, sign-in and mail servers. */
export const microsoftClouds = ["global", "gcc-high", "dod", "china"] as const
export type MicrosoftCloud = (typeof microsoftClouds)[number]

interface CloudFacts {
  /** The host of the sign-in. */
  readonly authority: string
  /** The host in the names of the mail scopes. */
  readonly resource: string
  readonly imap: string
  readonly smtp: string
  /** The SMTP server of personal accounts. National clouds have none. */
  readonly personalSmtp?: string
}

/**
 * Sources. Sign-in: https://learn.microsoft.com/entra/identity-platform/authentication-national-cloud. Mail servers of
 * the US Government clouds:
 * https://learn.microsoft.com/microsoft-365/enterprise/microsoft-365-u-s-government-gcc-high-endpoints (row 5) and
 * .../microsoft-365-u-s-government-dod-endpoints (row 4). Their scopes, and the mail servers and scopes in China, are those
 * of public programs such as EmailEngine. Microsoft documents only the host `partner.outlook.cn`
 * (https://learn.microsoft.com/previous-versions/office/office-365-api/api/o365-china-endpoints).
 */
const cloudFacts: Readonly<Record<MicrosoftCloud, CloudFacts>> = {
  global: {
    authority: "login.microsoftonline.com",
    resource: "outlook.office.com",
    imap: "outlook.office365.com",
    smtp: "smtp.office365.com",
    personalSmtp: "smtp-mail.outlook.com"
  },
  "gcc-high": {
    authority: "login.microsoftonline.us",
    resource: "outlook.office365.us",
    imap: "outlook.office365.us",
    smtp: "outlook.office365.us"
  },
  dod: {
    authority: "login.microsoftonline.us",
    resource: "outlook.office365.us",
    imap: "outlook-dod.office365.us",
    smtp: "outlook-dod.office365.us"
  },
  china: {
    authority: "login.partner.microsoftonline.cn",
    resource: "partner.outlook.cn",
    imap: "partner.outlook.cn",
    smtp: "smtp.partner.outlook.cn"
  }
}

/** The part of Microsoft's services that a client uses. */
export interface MicrosoftPlace {
  /** The accounts that may sign in: `common`, `organizations`, `consumers`, or the id or a domain of one directory. */
  readonly directory: string
  /** Default: `global`. */
  readonly cloud?: MicrosoftCloud
  /** Other mail servers than those of the cloud. Null or absent: those of the cloud. */
  readonly imapHost?: string | null
  readonly smtpHost?: string | null
}

/**
 * The client at Microsoft. Sources: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow and
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
export const microsoftClient = (registration: OAuthRegistration, place: MicrosoftPlace): OAuthClient => {
  const { cloud = "global", directory, imapHost = null, smtpHost = null } = place
  const facts = cloudFacts[cloud]
  const authority = `https://${facts.authority}`
  const issuing = directoryPattern.test(directory) ? directory.toLowerCase() : "{tenantid}"
  const smtp = (host: string) => ({ host, port: 587, security: "starttls" }) as const
  const hasPersonal = facts.personalSmtp !== undefined && smtpHost === null
  return {
    ...registration,
    provider: "microsoft",
    issuer: `${authority}/${issuing}/v2.0`,
    discoveryUrl: `${authority}/${directory}/v2.0/.well-known/openid-configuration`,
    authorizationUrl: `${authority}/${directory}/oauth2/v2.0/authorize`,
    tokenUrl: `${authority}/${directory}/oauth2/v2.0/token`,
    revocationUrl: null,
    mailScopes: [`https://${facts.resource}/IMAP.AccessAsUser.All`, `https://${facts.resource}/SMTP.Send`],
    scopes: ["openid", "email", "profile", "offline_access"],
    parameters: { prompt: "select_account" },
    imap: { host: imapHost ?? facts.imap, port: 993, security: "tls" },
    smtp: smtp(smtpHost ?? facts.smtp),
    ...(hasPersonal ? { personalSmtp: smtp(facts.personalSmtp) } : {})
  }
}
