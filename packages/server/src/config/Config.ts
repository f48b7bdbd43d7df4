import { defaultAccountsPerTenant, maxAccountsPerTenant } from "@leadloom/core/internal/domain/email/Accounts"
import { defaultMaxMailboxes } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { logLevels } from "@leadloom/core/internal/port/system/Log"
import { join } from "node:path"
import type { LlmConfig } from "@leadloom/connectors/internal/llm/LlmConfig"
import type { OidcConfig } from "@leadloom/connectors/internal/oidc/OidcConfig"
import type { NylasConfig } from "@leadloom/connectors/internal/nylas/NylasConfig"
import type { OAuthClient } from "@leadloom/connectors/internal/oauth/OAuthClient"
import type { S3Options } from "@leadloom/connectors/internal/s3/S3Objects"
import { type Relay, readRelay } from "@leadloom/connectors/internal/smtp/Relay"
import type { RateLimitRule } from "@leadloom/core/internal/domain/access/RateLimit"
import type { TurnstileConfig } from "@leadloom/connectors/internal/turnstile/Turnstile"
import { type EgressPolicy, parseAllowHosts } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { type DeliveryMode, deliveryModes } from "@leadloom/core/internal/domain/webhook/Schedule"
import { readDatabaseUrl } from "@leadloom/store/internal/DatabaseUrl"
import { Redacted } from "effect"
import type { ClamdConfig } from "@leadloom/connectors/internal/clamd/ClamdScanner"
import { readClamd } from "./ClamdVariables.ts"
import { readStripe, type StripeAccess } from "./StripeVariables.ts"
import { type CrmAccess, readCrm } from "./CrmVariables.ts"
import { type CrmCallers, readCrmCallers } from "./CrmCallerVariables.ts"
import { readLlm } from "./LlmVariables.ts"
import { type MetricsListen, readMetrics } from "./MetricsVariables.ts"
import { readOAuthClients } from "./OAuthVariables.ts"
import { type ConsoleSignIn, readConsoleSignIn, readOidc } from "./OidcVariables.ts"
import { readTrustedProxies } from "./ProxyVariables.ts"
import { type MailListen, readMailListen } from "./SmtpVariables.ts"
import { readTraces, type TraceExport } from "./TraceVariables.ts"
import { readTurnstile } from "./TurnstileVariables.ts"
import { readSms, type SmsAccess } from "./SmsVariables.ts"
import { readPublicUrl, readTwilio, type TwilioAccess } from "./TwilioVariables.ts"
import { unknownVariables } from "./UnknownVariables.ts"
import { readVaultKeys } from "./VaultVariables.ts"
import { type Environment, isHttpUrl, reader, type Variables } from "./Variables.ts"

export type LogLevel = (typeof logLevels)[number]

/** The formats of log lines: JSON for collectors, `pretty` for people. */
export const logFormats = ["json", "pretty"] as const
export type LogFormat = (typeof logFormats)[number]

/** The configuration of a server. The operator sets every value. */
export interface ServerConfig {
  /** The environment from which the configuration was read. The doctor reads it again. It contains secrets. */
  readonly environment: Redacted.Redacted<Environment>
  readonly host: string
  /** The port; 0 selects any free port. */
  readonly port: number
  /** The address of the metrics endpoint. If it is null, the server collects no metrics. */
  readonly metrics: MetricsListen | null
  /** The collector of spans. If it is null, the server exports no spans. */
  readonly traces: TraceExport | null
  readonly dataDir: string
  readonly databaseUrl: string
  /** The operator's keys, two during a rotation. If the list is empty, the operator has no access. */
  readonly adminKeys: ReadonlyArray<string>
  /**
   * The secrets of session tokens. The first secret signs, and every secret verifies. If the list is empty, sessions
   * are disabled.
   */
  readonly sessionSecrets: ReadonlyArray<string>
  /** The secret key. If it is null, the server uses the key in the data directory, which the first start generates. */
  readonly secretKey: string | null
  /**
   * The keys of stored secrets. The first key encrypts, and every key decrypts. If the list is empty, the secret key
   * encrypts. The secret key always decrypts.
   */
  readonly vaultKeys: ReadonlyArray<string>
  /** Whether this server's secret key replaces the secret key of the database, because the latter was lost. */
  readonly secretKeyLost: boolean
  /** Whether an empty database is accepted although the data directory has served another database. */
  readonly newDatabase: boolean
  readonly limits: {
    readonly admin: RateLimitRule
    readonly webhook: RateLimitRule
    readonly workflow: RateLimitRule
    readonly publicLeads: RateLimitRule
    readonly badCredentials: RateLimitRule
  }
  /** The addresses and networks of proxies whose forwarding headers are trusted. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  /** The relay for mail of the `smtp` family. If it is null, such mail is stored but not sent. */
  readonly smtpRelay: Relay | null
  /** The listener for inbound mail. If it is null, no mail arrives by SMTP. */
  readonly smtpListen: MailListen | null
  /** Access to hosted accounts. If it is null, no hosted account can be connected. */
  readonly nylas: NylasAccess | null
  /** The operator's own clients at Google and Microsoft, for mailboxes. */
  readonly oauthClients: ReadonlyArray<OAuthClient>
  /** The identity provider whose ID tokens are accepted. If it is null, no ID token is accepted. */
  readonly oidc: OidcConfig | null
  readonly consoleSignIn: ConsoleSignIn | null
  /** The language model; null if none is configured. */
  readonly llm: LlmConfig | null
  /** The provider that verifies the submitters of public forms; null if none is configured. */
  readonly turnstile: TurnstileConfig | null
  /** The payment provider. If it is null, plans change without payment. */
  readonly stripe: StripeAccess | null
  /** The CRM with which contacts are synchronised; null if none is configured. */
  readonly crm: CrmAccess | null
  /** The URL at which providers reach this server, without a trailing slash; null if it is not configured. */
  readonly publicUrl: string | null
  /** The account for SMS and calls. If it is null, both are stored but not sent. */
  readonly twilio: TwilioAccess | null
  /** The accounts for texts at providers with an adapter. */
  readonly sms: ReadonlyArray<SmsAccess>
  readonly crmCallers: CrmCallers
  readonly objects: ObjectsPlace
  /** The virus scanner for uploads. If it is null, uploads are not scanned. */
  readonly clamd: ClamdConfig | null
  /** The permitted targets of requests to URLs that tenants set. */
  readonly egress: EgressPolicy
  /** The hosts that are permitted as mail servers of mailboxes, in addition to public ones. */
  readonly mailboxHosts: EgressPolicy
  /** The maximum number of connected email accounts of one tenant. */
  readonly emailAccountsPerTenant: number
  /** The delivery mode of outbound events. */
  readonly webhookDelivery: DeliveryMode
  /** Whether MCP clients can connect at `/mcp`. */
  readonly mcp: boolean
  /** Whether the server serves the web console at `/`. */
  readonly console: boolean
  /** The retention of outbound events in days. */
  readonly eventRetentionDays: number
  /** The maximum number of mailboxes that this server keeps connected. */
  readonly mailboxConnectionLimit: number
}

/** The access to the Nylas application that connects hosted accounts. */
export interface NylasAccess extends NylasConfig {
  /** The secret that verifies Nylas webhooks. If it is null, webhooks are rejected, and accounts are polled instead. */
  readonly webhookSecret: Redacted.Redacted | null
}

/** The storage of raw mail and of attachments. */
export type ObjectsPlace = { readonly kind: "disk"; readonly directory: string } | ({ readonly kind: "s3" } & S3Options)

/** The mistakes in an invalid environment. Each is one line that begins with the name of a variable. */
export interface ConfigMistakes {
  readonly mistakes: ReadonlyArray<string>
}

/**
 * Returns whether a URL uses https, or refers to this machine with http. Requests to it contain the API key, which
 * gives access to every mailbox.
 */
const isSafeUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hostname, protocol } = new URL(text)
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname))
}

const readNylas = ({ secret, text, wrong }: Variables): NylasAccess | null => {
  const apiKey = secret("LEADLOOM_NYLAS_API_KEY")
  const clientId = text("LEADLOOM_NYLAS_CLIENT_ID")
  const redirectUri = text("LEADLOOM_NYLAS_REDIRECT_URI")
  const webhookSecret = secret("LEADLOOM_NYLAS_WEBHOOK_SECRET")
  const apiUrl = text("LEADLOOM_NYLAS_API_URL") ?? "https://api.us.nylas.com"
  if (apiKey === null) return null
  if (clientId === null)
    return wrong("LEADLOOM_NYLAS_CLIENT_ID", "is missing. Set it to the client id of the Nylas application.", null)
  if (redirectUri === null || !isSafeUrl(redirectUri)) {
    return wrong(
      "LEADLOOM_NYLAS_REDIRECT_URI",
      "must be the https URL to which account owners return after consent.",
      null
    )
  }
  if (!isSafeUrl(apiUrl)) {
    return wrong("LEADLOOM_NYLAS_API_URL", `must have the form https://api.eu.nylas.com, not "${apiUrl}".`, null)
  }
  return {
    apiUrl: apiUrl.replace(/(?<!\/)\/+$/u, ""),
    apiKey: Redacted.make(apiKey),
    clientId,
    redirectUri,
    webhookSecret: webhookSecret === null ? null : Redacted.make(webhookSecret)
  }
}

const readAllowHosts = (
  { text, wrong }: Variables,
  name: "LEADLOOM_WEBHOOK_ALLOW_HOSTS" | "LEADLOOM_MAILBOX_ALLOW_HOSTS"
): EgressPolicy => {
  const { hosts, mistakes } = parseAllowHosts(text(name) ?? "")
  for (const mistake of mistakes) wrong(name, `is wrong: ${mistake}`, null)
  return { allowHosts: hosts }
}

type MailboxAccess = Pick<ServerConfig, "mailboxConnectionLimit" | "mailboxHosts" | "oauthClients">

const readMailboxes = (variables: Variables): MailboxAccess => ({
  mailboxHosts: readAllowHosts(variables, "LEADLOOM_MAILBOX_ALLOW_HOSTS"),
  mailboxConnectionLimit: variables.integer("LEADLOOM_MAILBOX_CONNECTION_LIMIT", defaultMaxMailboxes, 1, 50_000),
  oauthClients: readOAuthClients(variables)
})

/** The variables of a bucket. A bucket requires all of them. */
const bucketVariables = [
  "LEADLOOM_S3_ENDPOINT",
  "LEADLOOM_S3_BUCKET",
  "LEADLOOM_S3_ACCESS_KEY_ID",
  "LEADLOOM_S3_SECRET_ACCESS_KEY"
] as const

/** Returns the bucket if at least one of its variables is set, otherwise the folder. */
const readObjectsPlace = ({ text, wrong }: Variables, dataDir: string): ObjectsPlace => {
  const directory = text("LEADLOOM_OBJECTS_DIR")
  const region = text("LEADLOOM_S3_REGION")
  const needed = bucketVariables.map((name) => ({ name, value: text(name) }))
  const [endpoint = "", bucket = "", accessKeyId = "", secretAccessKey = ""] = needed.map(({ value }) => value ?? "")
  const given = needed.filter(({ value }) => value !== null)
  const disk = { kind: "disk", directory: directory ?? join(dataDir, "objects") } as const
  if (given.length === 0 && region === null) return disk
  if (directory !== null) return wrong("LEADLOOM_OBJECTS_DIR", "cannot be combined with LEADLOOM_S3_….", disk)
  for (const { name, value } of needed) {
    if (value === null) wrong(name, "is missing. A bucket requires endpoint, name and both keys.", null)
  }
  if (endpoint !== "" && !isHttpUrl(endpoint)) {
    wrong("LEADLOOM_S3_ENDPOINT", `must have the form https://s3.eu-central-1.amazonaws.com, not "${endpoint}".`, null)
  }
  return { kind: "s3", endpoint, bucket, region: region ?? "us-east-1", accessKeyId, secretAccessKey }
}

/** The maximum number of admin keys: the new key and the old one during a rotation. */
const maxAdminKeys = 2
/** The maximum number of session secrets. A rotation needs two; a longer list is probably a mistake. */
const maxSessionSecrets = 4

const readAdminKeys = ({ ownSecrets, wrong }: Variables): ReadonlyArray<string> => {
  const keys = ownSecrets("LEADLOOM_ADMIN_KEY", maxAdminKeys)
  if (keys.every((key) => /^[\x21-\x7e]+$/u.test(key))) return keys
  return wrong(
    "LEADLOOM_ADMIN_KEY",
    "contains characters that are invalid in a header. Use letters, digits and punctuation.",
    keys
  )
}

/** The maximum number of characters of an unknown scheme in an error message. */
const maxShownScheme = 20

/** Reads the URL of the database. Error messages do not contain its value, because it may contain a password. */
const readDatabase = ({ text, wrong }: Variables, dataDir: string): string => {
  const url = text("LEADLOOM_DATABASE_URL") ?? `sqlite:${join(dataDir, "leadloom.db")}`
  if (readDatabaseUrl(url) !== null) return url
  const [scheme = ""] = url.split(":")
  const problem = /^(?:sqlite|postgres|postgresql)$/u.test(scheme)
    ? "is incomplete"
    : `begins with "${scheme.slice(0, maxShownScheme)}"`
  const forms = "sqlite:<file path> or postgres://user:password@host:5432/database"
  return wrong("LEADLOOM_DATABASE_URL", `${problem}. Use ${forms}.`, url)
}

const readHost = ({ text, wrong }: Variables): string => {
  const host = text("LEADLOOM_HOST") ?? "127.0.0.1"
  return /^[\w.:%-]+$/u.test(host)
    ? host
    : wrong("LEADLOOM_HOST", `must be an address or a host name such as 0.0.0.0, not "${host}".`, host)
}

/** Reads the limits of email accounts. */
const accountLimits = ({ integer }: Pick<ReturnType<typeof reader>, "integer">) => ({
  emailAccountsPerTenant: integer(
    "LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT",
    defaultAccountsPerTenant,
    1,
    maxAccountsPerTenant
  ),
  mailboxConnectionLimit: integer("LEADLOOM_MAILBOX_CONNECTION_LIMIT", defaultMaxMailboxes, 1, 50_000)
})

const readSmtpRelay = ({ text, wrong }: Variables): Relay | null => {
  const url = text("LEADLOOM_SMTP_URL")
  const relay = url === null ? null : readRelay(url)
  return url === null || relay !== null
    ? relay
    : wrong("LEADLOOM_SMTP_URL", "must have the form smtp://user:password@mail.example.com:587 or smtps://…:465.", null)
}

/** Reads the configuration of the server from an environment, or returns all mistakes in it. */
export const readConfig = (env: Environment): ServerConfig | ConfigMistakes => {
  const variables = reader(env)
  const { choice, flag, integer, mistakes, ownSecret, ownSecrets, perMinute, text } = variables
  const dataDir = text("LEADLOOM_DATA_DIR") ?? "./leadloom-data"
  const oidc = readOidc(variables)
  const port = integer("LEADLOOM_PORT", 4800, 0, 65_535)
  const config: ServerConfig = {
    environment: Redacted.make(env),
    host: readHost(variables),
    port,
    metrics: readMetrics(variables, port),
    traces: readTraces(variables),
    dataDir,
    databaseUrl: readDatabase(variables, dataDir),
    adminKeys: readAdminKeys(variables),
    sessionSecrets: ownSecrets("LEADLOOM_SESSION_SECRET", maxSessionSecrets),
    secretKey: ownSecret("LEADLOOM_SECRET_KEY"),
    vaultKeys: readVaultKeys(variables),
    secretKeyLost: flag("LEADLOOM_SECRET_KEY_LOST"),
    newDatabase: flag("LEADLOOM_NEW_DATABASE"),
    limits: {
      admin: perMinute("LEADLOOM_LIMIT_ADMIN", 600),
      webhook: perMinute("LEADLOOM_LIMIT_WEBHOOK", 300),
      workflow: perMinute("LEADLOOM_LIMIT_WORKFLOW", 120),
      publicLeads: perMinute("LEADLOOM_LIMIT_PUBLIC", 10),
      badCredentials: perMinute("LEADLOOM_LIMIT_BAD_CREDENTIALS", 30)
    },
    trustedProxies: readTrustedProxies(variables),
    smtpRelay: readSmtpRelay(variables),
    smtpListen: readMailListen(variables, dataDir),
    nylas: readNylas(variables),
    oidc,
    consoleSignIn: readConsoleSignIn(variables, oidc),
    llm: readLlm(variables),
    turnstile: readTurnstile(variables),
    clamd: readClamd(variables),
    stripe: readStripe(variables),
    crm: readCrm(variables),
    publicUrl: readPublicUrl(variables),
    twilio: readTwilio(variables),
    sms: readSms(variables),
    crmCallers: readCrmCallers(variables),
    objects: readObjectsPlace(variables, dataDir),
    egress: readAllowHosts(variables, "LEADLOOM_WEBHOOK_ALLOW_HOSTS"),
    ...readMailboxes(variables),
    webhookDelivery: choice("LEADLOOM_WEBHOOK_DELIVERY", deliveryModes, "durable"),
    mcp: flag("LEADLOOM_MCP"),
    console: choice("LEADLOOM_CONSOLE", ["on", "off"], "on") === "on",
    eventRetentionDays: integer("LEADLOOM_EVENT_RETENTION_DAYS", 30, 1, 3_650),
    ...accountLimits(variables),
    logLevel: choice("LEADLOOM_LOG_LEVEL", logLevels, "info"),
    logFormat: choice("LEADLOOM_LOG_FORMAT", logFormats, "json")
  }
  const found = [...mistakes, ...unknownVariables(env)]
  return found.length === 0 ? config : { mistakes: found }
}
