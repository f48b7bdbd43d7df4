/**
 * Every environment variable of the server, with its group, default and description. `Variables.ts` accepts only these
 * names, so code that reads an unlisted variable does not compile. The configuration reference
 * (`docs/reference/configuration.md`) is generated from this table. The variables of the command line are not listed
 * here. Tests: `packages/server/test/config`.
 */
import type { SmsVariable } from "@leadloom/connectors/internal/sms/SmsAdapters"
import { exportVariables } from "./ExportVariables.ts"
import { mailboxVariables } from "./MailboxVariables.ts"
import { textVariables, twilioVariables } from "./TextVariables.ts"
import type { VariableEntry } from "./VariableEntry.ts"

const define = <const T extends Readonly<Record<string, VariableEntry>>>(table: T): T => table

const server = define({
  LEADLOOM_HOST: { group: "Server", default: "127.0.0.1", text: "Address to listen on." },
  LEADLOOM_PORT: { group: "Server", default: "4800", text: "Port to listen on; `0` picks a free one." },
  LEADLOOM_PUBLIC_URL: {
    group: "Server",
    default: null,
    text: "URL at which providers and the recipients of emails reach this server, for example `https://leads.example.com`. Signatures of providers include this URL."
  },
  LEADLOOM_TRUSTED_PROXIES: {
    group: "Server",
    default: null,
    text: "Comma-separated addresses and networks of your proxies, for example `127.0.0.1, 10.0.0.0/8`. The server reads the client address from the `X-Forwarded-For` header of these proxies. If unset, the header is ignored."
  },
  LEADLOOM_METRICS_PORT: {
    group: "Server",
    default: null,
    text: "Port of the Prometheus endpoint. The endpoint needs no credential. If unset, no metrics are collected. See [metrics](../how-to/metrics.md)."
  },
  LEADLOOM_METRICS_HOST: { group: "Server", default: "127.0.0.1", text: "Address of the Prometheus endpoint." },
  LEADLOOM_MCP: {
    group: "Server",
    default: null,
    text: "`yes`: MCP clients can connect at `/mcp` with the credentials of the API. See [MCP](../how-to/mcp.md)."
  },
  LEADLOOM_CONSOLE: {
    group: "Server",
    default: "on",
    text: "`on` or `off`. `on`: the server serves the web console at `/`. See [console](../console.md)."
  },
  LEADLOOM_LOG_LEVEL: { group: "Server", default: "info", text: "`error`, `warn`, `info` or `debug`." },
  LEADLOOM_LOG_FORMAT: {
    group: "Server",
    default: "json",
    text: "`json`, or `pretty` for people ([logs](../how-to/logs.md))."
  },
  ...exportVariables,
  LEADLOOM_DATA_DIR: {
    group: "Storage",
    default: "./leadloom-data",
    text: "Folder of the SQLite database, the secret key and raw mail."
  },
  LEADLOOM_DATABASE_URL: {
    group: "Storage",
    default: "sqlite: in the data directory",
    text: "`sqlite:<path>` or `postgres://user:password@host:5432/database`. Several servers may share one Postgres."
  },
  LEADLOOM_OBJECTS_DIR: {
    group: "Storage",
    default: "objects in the data directory",
    text: "Folder for raw mail. All servers of a database must use the same folder. Cannot be combined with `LEADLOOM_S3_*`."
  },
  LEADLOOM_S3_ENDPOINT: { group: "Storage", default: null, text: "Endpoint of an S3-compatible store of raw mail." },
  LEADLOOM_S3_BUCKET: { group: "Storage", default: null, text: "Bucket for raw mail." },
  LEADLOOM_S3_ACCESS_KEY_ID: { group: "Storage", default: null, text: "Access key id of the bucket." },
  LEADLOOM_S3_SECRET_ACCESS_KEY: { group: "Storage", default: null, text: "Secret access key of the bucket." },
  LEADLOOM_S3_REGION: { group: "Storage", default: "us-east-1", text: "Region of the bucket." }
})

const secrets = define({
  LEADLOOM_ADMIN_KEY: {
    group: "Secrets",
    default: null,
    text: "The operator's key, for example from `openssl rand -hex 32`. It has at least 32 characters, like every secret that you choose. If unset, no tenant can be created. During a rotation: `new,old`."
  },
  LEADLOOM_SESSION_SECRET: {
    group: "Secrets",
    default: null,
    text: "Comma-separated secrets of session tokens. The first secret signs, and all secrets verify. If unset, sessions are disabled."
  },
  LEADLOOM_SECRET_KEY: {
    group: "Secrets",
    default: "generated on the first start",
    text: "The key with which credentials are hashed before they are stored. All servers of a database need the same key. A server with another key does not start."
  },
  LEADLOOM_SECRET_KEY_LOST: {
    group: "Secrets",
    default: null,
    text: "`yes`, for one start only: replaces a lost secret key. All API keys and source keys become invalid, and secrets that were encrypted with a lost vault key must be entered again."
  },
  LEADLOOM_NEW_DATABASE: {
    group: "Secrets",
    default: null,
    text: "`yes`, for one start only: accepts an empty database although the data directory has served another database with the same secret key."
  },
  LEADLOOM_VAULT_KEYS: {
    group: "Secrets",
    default: "the secret key",
    text: "Comma-separated keys that encrypt stored secrets such as tokens and signing secrets. Each has at least 32 characters. The first key encrypts, and all keys decrypt. See [changing secrets](../security.md#changing-secrets)."
  }
})

const identity = define({
  LEADLOOM_OIDC_ISSUER: {
    group: "Identity provider",
    default: null,
    text: "Issuer of accepted ID tokens, exactly as the provider writes it. See [identity provider](../how-to/identity-provider.md)."
  },
  LEADLOOM_OIDC_AUDIENCE: {
    group: "Identity provider",
    default: null,
    text: "Comma-separated client ids for which tokens are issued."
  },
  LEADLOOM_OIDC_CLIENT_IDS: {
    group: "Identity provider",
    default: "the audience",
    text: "Comma-separated client ids that may appear as `azp`. Needed if they differ from the audience."
  },
  LEADLOOM_OIDC_CONSOLE_CLIENT_ID: {
    group: "Identity provider",
    default: null,
    text: "Client id with which the [web console](../console.md#sign-in) signs people in. One of the audiences."
  },
  LEADLOOM_OIDC_JWKS_URI: { group: "Identity provider", default: "by discovery", text: "URL of the signing keys." },
  LEADLOOM_OIDC_ALGORITHMS: {
    group: "Identity provider",
    default: "RS256,PS256,ES256,EdDSA",
    text: "Comma-separated accepted signature algorithms. Only the algorithms of the default value are supported."
  },
  LEADLOOM_OIDC_ROLE_CLAIM: {
    group: "Identity provider",
    default: "role",
    text: "Claim that contains the role: a name, or a path with dots."
  },
  LEADLOOM_OIDC_TENANTS_CLAIM: {
    group: "Identity provider",
    default: "tenants",
    text: "Claim that lists the tenants: a name, or a path with dots."
  },
  LEADLOOM_OIDC_PRESET: {
    group: "Identity provider",
    default: null,
    text: "`firebase` sets issuer, audience and keys for Firebase Authentication."
  },
  LEADLOOM_OIDC_PROJECT: { group: "Identity provider", default: null, text: "Project id for the preset `firebase`." }
})

const email = define({
  LEADLOOM_SMTP_URL: {
    group: "Email over SMTP",
    default: null,
    text: "Relay of outgoing mail: `smtp://user:password@host:587` or `smtps://…:465`. If unset, mail is stored but not sent."
  },
  LEADLOOM_SMTP_LISTEN: {
    group: "Email over SMTP",
    default: null,
    text: "Address and port that accept mail, for example `0.0.0.0:25`. If unset, no mail arrives by SMTP."
  },
  LEADLOOM_SMTP_TLS_CERT: {
    group: "Email over SMTP",
    default: null,
    text: "Certificate file in PEM. With certificate and key, the listener offers STARTTLS."
  },
  LEADLOOM_SMTP_TLS_KEY: { group: "Email over SMTP", default: null, text: "Private key file in PEM." },
  LEADLOOM_SMTP_TRUSTED_NETWORKS: {
    group: "Email over SMTP",
    default: null,
    text: "Comma-separated addresses and networks of your own mail servers, for example `10.0.0.0/8,::1`. Limits per client network do not apply to them, and their addresses are not checked with SPF."
  },
  LEADLOOM_SMTP_CONNECTION_LIMIT: { group: "Email over SMTP", default: "500", text: "Maximum number of connections." },
  LEADLOOM_SMTP_CLIENT_CONNECTION_LIMIT: {
    group: "Email over SMTP",
    default: "50",
    text: "Maximum number of concurrent connections of one client network (IPv4 /24 or IPv6 /64)."
  },
  LEADLOOM_SMTP_SPOOL_MIB: {
    group: "Email over SMTP",
    default: "2048",
    text: "Maximum disk space in MiB for mails that are being received. One client network may use an eighth of it, and one tenant a quarter."
  },
  LEADLOOM_SMTP_MIN_DATA_RATE: {
    group: "Email over SMTP",
    default: "500",
    text: "Minimum rate of mail data in bytes per second, averaged over 30 s."
  },
  LEADLOOM_MAIL_AUTHENTICATION: {
    group: "Email over SMTP",
    default: "verify",
    text: "Authentication of mail over SMTP. `verify`: this server verifies SPF, DKIM, DMARC and ARC, with DNS. `trust-headers`: it reads `Authentication-Results` of the mail servers in front of it. `off`: neither. See [connect email](../how-to/connect-email.md)."
  },
  LEADLOOM_SMTP_TENANT_MESSAGE_RATE: {
    group: "Email over SMTP",
    default: "1000",
    text: "Maximum number of mails per minute for one tenant. Further mails receive a temporary error, so senders retry."
  },
  LEADLOOM_NYLAS_API_KEY: {
    group: "Hosted mailboxes (Nylas)",
    default: null,
    text: "API key of the Nylas application that connects Google and Microsoft accounts. See [connect email](../how-to/connect-email.md)."
  },
  LEADLOOM_NYLAS_CLIENT_ID: { group: "Hosted mailboxes (Nylas)", default: null, text: "Id of the Nylas application." },
  LEADLOOM_NYLAS_REDIRECT_URI: {
    group: "Hosted mailboxes (Nylas)",
    default: null,
    text: "HTTPS URL to which account owners return after consent."
  },
  LEADLOOM_NYLAS_WEBHOOK_SECRET: {
    group: "Hosted mailboxes (Nylas)",
    default: null,
    text: "Secret that verifies Nylas webhooks. If unset, accounts are polled every ten minutes."
  },
  LEADLOOM_NYLAS_API_URL: {
    group: "Hosted mailboxes (Nylas)",
    default: "https://api.us.nylas.com",
    text: "Base URL of the API; for the EU, `https://api.eu.nylas.com`."
  }
})

const model = define({
  LEADLOOM_LLM_MODEL: {
    group: "Language model",
    default: null,
    text: "Name of the language model that classifies messages and writes replies. If unset, no model is used."
  },
  LEADLOOM_LLM_BASE_URL: {
    group: "Language model",
    default: "https://api.openai.com/v1",
    text: "Base URL of any OpenAI-compatible server (`http://localhost:11434/v1` for a local Ollama), or `https://api.anthropic.com`."
  },
  LEADLOOM_LLM_API_KEY: { group: "Language model", default: null, text: "API key; optional for a self-hosted server." },
  LEADLOOM_LLM_PROVIDER: {
    group: "Language model",
    default: "derived from the base URL",
    text: "Protocol of the model's server: `openai` or `anthropic`."
  },
  LEADLOOM_LLM_TIMEOUT_SECONDS: {
    group: "Language model",
    default: "20",
    text: "Timeout of one request in seconds, 1 to 300."
  },
  LEADLOOM_LLM_CONCURRENCY: {
    group: "Language model",
    default: "8",
    text: "Maximum number of concurrent requests, 1 to 1,000."
  },
  LEADLOOM_LLM_HIPAA: {
    group: "Language model",
    default: null,
    text: "`yes`: the model may process messages of HIPAA tenants. Set it only if you have a HIPAA agreement with the operator of the model."
  }
})

const providers = define({
  LEADLOOM_CRM_CLIENT_ID: {
    group: "CRM (HighLevel)",
    default: null,
    text: "Client id of the marketplace app through which locations are installed. See [connect a CRM](../how-to/connect-a-crm.md)."
  },
  LEADLOOM_CRM_CLIENT_SECRET: { group: "CRM (HighLevel)", default: null, text: "Client secret of the app." },
  LEADLOOM_CRM_REDIRECT_URI: {
    group: "CRM (HighLevel)",
    default: null,
    text: "HTTPS URL to which location owners return after consent."
  },
  LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: {
    group: "CRM (HighLevel)",
    default: null,
    text: "Ed25519 public keys of the marketplace in PEM; `\\n` may replace a line break. If unset, webhooks are rejected."
  },
  LEADLOOM_CRM_API_URL: { group: "CRM (HighLevel)", default: "HighLevel's", text: "Base URL of the API." },
  LEADLOOM_CRM_AUTHORIZE_URL: { group: "CRM (HighLevel)", default: "HighLevel's", text: "URL of the consent page." },
  LEADLOOM_CRM_SSO_SECRET: {
    group: "CRM (HighLevel)",
    default: null,
    text: "Shared secret of the app. It decrypts the proofs of users in locations whose `sessions` is `sso`."
  },
  LEADLOOM_CRM_ACTION_SECRET: {
    group: "CRM (HighLevel)",
    default: null,
    text: "Comma-separated values of the header `X-Workflow-Secret` that authenticate workflow actions."
  },
  LEADLOOM_STRIPE_SECRET_KEY: {
    group: "Payments (Stripe)",
    default: null,
    text: "Secret API key of the Stripe account that receives payments. If unset, `POST /billing/activate` changes plans without payment. See [take payments](../how-to/take-payments.md)."
  },
  LEADLOOM_STRIPE_WEBHOOK_SECRET: {
    group: "Payments (Stripe)",
    default: null,
    text: "Comma-separated secrets that verify webhooks at `/api/v1/webhook/providers/stripe`."
  },
  LEADLOOM_STRIPE_PRICE_STARTER: {
    group: "Payments (Stripe)",
    default: null,
    text: "Comma-separated recurring prices of the `starter` plan. New customers pay the first price. The other prices remain valid for existing customers."
  },
  LEADLOOM_STRIPE_PRICE_GROWTH: { group: "Payments (Stripe)", default: null, text: "Prices of the `growth` plan." },
  LEADLOOM_STRIPE_PRICE_SCALE: { group: "Payments (Stripe)", default: null, text: "Prices of the `scale` plan." },
  LEADLOOM_STRIPE_PRICE_CREDITS: { group: "Payments (Stripe)", default: null, text: "One-time price of one credit." },
  LEADLOOM_STRIPE_SUCCESS_URL: {
    group: "Payments (Stripe)",
    default: null,
    text: "Page to which Stripe sends people after a completed checkout. Required if `LEADLOOM_STRIPE_SECRET_KEY` is set."
  },
  LEADLOOM_STRIPE_CANCEL_URL: {
    group: "Payments (Stripe)",
    default: null,
    text: "Page to which Stripe sends people after a cancelled checkout. Required if `LEADLOOM_STRIPE_SECRET_KEY` is set."
  },
  LEADLOOM_STRIPE_RETURN_URL: {
    group: "Payments (Stripe)",
    default: null,
    text: "Page to which Stripe sends people from the customer portal. Required if `LEADLOOM_STRIPE_SECRET_KEY` is set."
  },
  LEADLOOM_STRIPE_API_URL: {
    group: "Payments (Stripe)",
    default: "https://api.stripe.com",
    text: "Base URL of the API."
  },
  LEADLOOM_CLAMD: { group: "Storage", default: null, text: "Host and port of clamd, which scans uploaded files." },
  LEADLOOM_TURNSTILE_SECRET: {
    group: "Public forms (Turnstile)",
    default: null,
    text: "Secret of your Turnstile widget, for tenants whose public form requires Turnstile."
  },
  LEADLOOM_TURNSTILE_URL: {
    group: "Public forms (Turnstile)",
    default: "Cloudflare's siteverify",
    text: "URL of another verification endpoint with the same protocol."
  }
})

const limits = define({
  LEADLOOM_WEBHOOK_DELIVERY: {
    group: "Webhooks and events",
    default: "durable",
    text: "Delivery of outbound events: `durable` (retried for 18 hours), `once` or `off`."
  },
  LEADLOOM_WEBHOOK_ALLOW_HOSTS: {
    group: "Webhooks and events",
    default: null,
    text: "Comma-separated `host:port` of webhook receivers that may have internal addresses and use http."
  },
  LEADLOOM_EVENT_RETENTION_DAYS: {
    group: "Webhooks and events",
    default: "30",
    text: "Days for which outbound events are kept, 1 to 3,650."
  },
  LEADLOOM_LIMIT_ADMIN: {
    group: "Rate limits",
    default: "600",
    text: "Maximum number of requests per minute and credential."
  },
  LEADLOOM_LIMIT_WEBHOOK: {
    group: "Rate limits",
    default: "300",
    text: "Maximum number of pipeline requests per minute and tenant."
  },
  LEADLOOM_LIMIT_WORKFLOW: {
    group: "Rate limits",
    default: "120",
    text: "Maximum number of CRM workflow actions per minute and location."
  },
  LEADLOOM_LIMIT_PUBLIC: {
    group: "Rate limits",
    default: "10",
    text: "Maximum number of form submissions per minute and client network."
  },
  LEADLOOM_LIMIT_BAD_CREDENTIALS: {
    group: "Rate limits",
    default: "30",
    text: "Maximum number of invalid credentials per minute and client network."
  }
})

export const variableCatalog = {
  ...server,
  ...secrets,
  ...identity,
  ...email,
  ...model,
  ...mailboxVariables,
  ...twilioVariables,
  ...providers,
  ...textVariables,
  ...limits
}

/** The name of a variable that the server reads. */
export type VariableName = keyof typeof variableCatalog | SmsVariable
