import { join } from "node:path"
import type { LlmConfig } from "@leadloom/connectors/llm/LlmConfig"
import type { OidcConfig } from "@leadloom/connectors/oidc/OidcConfig"
import type { NylasConfig } from "@leadloom/connectors/nylas/NylasConfig"
import type { S3Options } from "@leadloom/connectors/s3/S3Objects"
import { type Relay, readRelay } from "@leadloom/connectors/smtp/Relay"
import type { RateLimitRule } from "@leadloom/core/domain/access/RateLimit"
import type { TurnstileConfig } from "@leadloom/connectors/turnstile/Turnstile"
import { type EgressPolicy, parseAllowHosts } from "@leadloom/core/domain/webhook/EgressPolicy"
import { type DeliveryMode, deliveryModes } from "@leadloom/core/domain/webhook/Schedule"
import { Redacted } from "effect"
import { readStripe, type StripeAccess } from "./StripeVariables.ts"
import { type CrmAccess, readCrm } from "./CrmVariables.ts"
import { type CrmCallers, readCrmCallers } from "./CrmCallerVariables.ts"
import { readLlm } from "./LlmVariables.ts"
import { type MetricsListen, readMetrics } from "./MetricsVariables.ts"
import { readOidc } from "./OidcVariables.ts"
import { readTrustedProxies } from "./ProxyVariables.ts"
import { type MailListen, readMailListen } from "./SmtpVariables.ts"
import { readTurnstile } from "./TurnstileVariables.ts"
import { readPublicUrl, readTwilio, type TwilioAccess } from "./TwilioVariables.ts"
import { readVaultKeys } from "./VaultVariables.ts"
import { type Environment, isHttpUrl, reader, type Variables } from "./Variables.ts"

/** How chatty the log is, least first. */
export const logLevels = ["error", "warn", "info", "debug"] as const
export type LogLevel = (typeof logLevels)[number]

/** Everything an operator decides about a server. */
export interface ServerConfig {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Where metrics are told; null: nowhere, and nothing is counted. */
  readonly metrics: MetricsListen | null
  readonly dataDir: string
  readonly databaseUrl: string
  /** Two while one takes the other's place. Empty: nobody is the operator. */
  readonly adminKeys: ReadonlyArray<string>
  /** The first signs, all of them verify. Empty: no sessions. */
  readonly sessionSecrets: ReadonlyArray<string>
  /** Null: the one in the data directory, made on the first start. */
  readonly secretKey: string | null
  /** The first seals what is kept sealed, all open. Empty: the secret key seals, which always opens. */
  readonly vaultKeys: ReadonlyArray<string>
  /** The secret key that the database was made under is gone; the one of this server takes its place. */
  readonly secretKeyLost: boolean
  /** The database may be empty although the data directory has served one before: a new deployment begins. */
  readonly newDatabase: boolean
  readonly limits: {
    readonly admin: RateLimitRule
    readonly webhook: RateLimitRule
    readonly workflow: RateLimitRule
    readonly publicLeads: RateLimitRule
    readonly badCredentials: RateLimitRule
  }
  /** Addresses and networks of proxies that are believed about who calls. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly logLevel: LogLevel
  /** Where mail goes that is sent for the `smtp` family; null: nowhere. */
  readonly smtpRelay: Relay | null
  /** Where mail arrives; null: nowhere. */
  readonly smtpListen: MailListen | null
  /** Who speaks to hosted accounts for us; null: nobody. */
  readonly nylas: NylasAccess | null
  /** The identity provider whose ID tokens are good here; null: none. */
  readonly oidc: OidcConfig | null
  /** The language model that is asked; null: none. */
  readonly llm: LlmConfig | null
  /** Who tells people from programs for public forms; null: nobody outside. */
  readonly turnstile: TurnstileConfig | null
  /** Where tenants pay; null: nowhere, and plans are moved here. */
  readonly stripe: StripeAccess | null
  /** The CRM that contacts are brought together with; null: none. */
  readonly crm: CrmAccess | null
  /** Where providers call this server, without a slash at the end; null: nowhere. */
  readonly publicUrl: string | null
  /** The account that texts and calls go through; null: none, and nothing leaves this machine. */
  readonly twilio: TwilioAccess | null
  readonly crmCallers: CrmCallers
  readonly objects: ObjectsPlace
  /** Where requests may go whose URL a tenant has set. */
  readonly egress: EgressPolicy
  /** How outbound events are delivered. */
  readonly webhookDelivery: DeliveryMode
  /** For how long outbound events are kept, days. */
  readonly eventRetentionDays: number
}

/** How to reach the application at Nylas that hosted accounts are connected through. */
export interface NylasAccess extends NylasConfig {
  /** By what its webhook proves itself; null: its provider events are not taken, and accounts are looked through instead. */
  readonly webhookSecret: Redacted.Redacted | null
}

/** Where sources of mail and contents of attachments are kept. */
export type ObjectsPlace = { readonly kind: "disk"; readonly directory: string } | ({ readonly kind: "s3" } & S3Options)

/** The environment says something that cannot be meant: one line for each mistake, naming the variable. */
export interface ConfigMistakes {
  readonly mistakes: ReadonlyArray<string>
}

/** https, or this machine: what goes there is the key to every mailbox. */
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
  if (clientId === null) return wrong("LEADLOOM_NYLAS_CLIENT_ID", "is missing: the application's id at Nylas.", null)
  if (redirectUri === null || !isSafeUrl(redirectUri)) {
    return wrong("LEADLOOM_NYLAS_REDIRECT_URI", "has to be the https URL that owners of accounts come back to.", null)
  }
  if (!isSafeUrl(apiUrl)) {
    return wrong("LEADLOOM_NYLAS_API_URL", `has to be like https://api.eu.nylas.com, not "${apiUrl}".`, null)
  }
  return {
    apiUrl: apiUrl.replace(/(?<!\/)\/+$/u, ""),
    apiKey: Redacted.make(apiKey),
    clientId,
    redirectUri,
    webhookSecret: webhookSecret === null ? null : Redacted.make(webhookSecret)
  }
}

const readEgress = ({ text, wrong }: Variables): EgressPolicy => {
  const { hosts, mistakes } = parseAllowHosts(text("LEADLOOM_WEBHOOK_ALLOW_HOSTS") ?? "")
  for (const mistake of mistakes) wrong("LEADLOOM_WEBHOOK_ALLOW_HOSTS", `is wrong: ${mistake}`, null)
  return { allowHosts: hosts }
}

const readDelivery = ({ text, wrong }: Variables): DeliveryMode => {
  const requested = text("LEADLOOM_WEBHOOK_DELIVERY") ?? "durable"
  const mode = deliveryModes.find((known) => known === requested)
  return (
    mode ??
    wrong("LEADLOOM_WEBHOOK_DELIVERY", `has to be one of ${deliveryModes.join(", ")}, not "${requested}".`, "durable")
  )
}

/** A bucket needs all of them. */
const bucketVariables = [
  "LEADLOOM_S3_ENDPOINT",
  "LEADLOOM_S3_BUCKET",
  "LEADLOOM_S3_ACCESS_KEY_ID",
  "LEADLOOM_S3_SECRET_ACCESS_KEY"
] as const

/** A bucket where one is named, else a folder. */
const readObjectsPlace = ({ text, wrong }: Variables, dataDir: string): ObjectsPlace => {
  const directory = text("LEADLOOM_OBJECTS_DIR")
  const region = text("LEADLOOM_S3_REGION")
  const needed = bucketVariables.map((name) => ({ name, value: text(name) }))
  const [endpoint = "", bucket = "", accessKeyId = "", secretAccessKey = ""] = needed.map(({ value }) => value ?? "")
  const given = needed.filter(({ value }) => value !== null)
  const disk = { kind: "disk", directory: directory ?? join(dataDir, "objects") } as const
  if (given.length === 0 && region === null) return disk
  if (directory !== null) return wrong("LEADLOOM_OBJECTS_DIR", "and LEADLOOM_S3_… exclude each other.", disk)
  for (const { name, value } of needed) {
    if (value === null) wrong(name, "is missing: a bucket needs endpoint, name and keys.", null)
  }
  if (endpoint !== "" && !isHttpUrl(endpoint)) {
    wrong("LEADLOOM_S3_ENDPOINT", `has to be like https://s3.eu-central-1.amazonaws.com, not "${endpoint}".`, null)
  }
  return { kind: "s3", endpoint, bucket, region: region ?? "us-east-1", accessKeyId, secretAccessKey }
}

/** The new one and the old one. */
const maxAdminKeys = 2
/** Any number would do; more than a few are a mistake. */
const maxSessionSecrets = 4

const readAdminKeys = ({ ownSecrets, wrong }: Variables): ReadonlyArray<string> => {
  const keys = ownSecrets("LEADLOOM_ADMIN_KEY", maxAdminKeys)
  if (keys.every((key) => /^[\x21-\x7e]+$/u.test(key))) return keys
  return wrong(
    "LEADLOOM_ADMIN_KEY",
    "has characters that cannot travel in a header: use letters, digits and punctuation.",
    keys
  )
}

/** The server's configuration, or everything that is wrong with it. */
export const readConfig = (env: Environment): ServerConfig | ConfigMistakes => {
  const variables = reader(env)
  const { flag, integer, mistakes, ownSecret, ownSecrets, perMinute, text, wrong } = variables
  const dataDir = text("LEADLOOM_DATA_DIR") ?? "./leadloom-data"
  const smtpUrl = text("LEADLOOM_SMTP_URL")
  const smtpRelay = smtpUrl === null ? null : readRelay(smtpUrl)
  if (smtpUrl !== null && smtpRelay === null) {
    wrong("LEADLOOM_SMTP_URL", "has to be like smtp://user:password@mail.example.com:587 or smtps://…:465.", null)
  }
  const level = text("LEADLOOM_LOG_LEVEL") ?? "info"
  const logLevel = logLevels.find((known) => known === level)
  const port = integer("LEADLOOM_PORT", 4800, 0, 65_535)
  const config: ServerConfig = {
    host: text("LEADLOOM_HOST") ?? "127.0.0.1",
    port,
    metrics: readMetrics(variables, port),
    dataDir,
    databaseUrl: text("LEADLOOM_DATABASE_URL") ?? `sqlite:${join(dataDir, "leadloom.db")}`,
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
    smtpRelay,
    smtpListen: readMailListen(variables, dataDir),
    nylas: readNylas(variables),
    oidc: readOidc(variables),
    llm: readLlm(variables),
    turnstile: readTurnstile(variables),
    stripe: readStripe(variables),
    crm: readCrm(variables),
    publicUrl: readPublicUrl(variables),
    twilio: readTwilio(variables),
    crmCallers: readCrmCallers(variables),
    objects: readObjectsPlace(variables, dataDir),
    egress: readEgress(variables),
    webhookDelivery: readDelivery(variables),
    eventRetentionDays: integer("LEADLOOM_EVENT_RETENTION_DAYS", 30, 1, 3_650),
    logLevel:
      logLevel ?? wrong("LEADLOOM_LOG_LEVEL", `has to be one of ${logLevels.join(", ")}, not "${level}".`, "info")
  }
  return mistakes.length === 0 ? config : { mistakes }
}
