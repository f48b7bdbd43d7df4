import { createHash } from "node:crypto"
import { type HighLevelStandIn, startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { metricsUrlOf } from "../world/MetricsText.ts"
import { type Issuer, startIssuer } from "../world/Issuer.ts"
import {
  makeSealedWorld,
  sealedEnvironment,
  type SealedMailbox,
  type SealedWorld,
  startSealedMailbox
} from "../world/SealedWorld.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { type Answer, adminKey, type Call, readResponse, requestOf } from "../world/TestServer.ts"
import { type EchoingProvider, startEchoing } from "./EchoingProvider.ts"
import { type Provoked, provokeAll } from "./Provocations.ts"
import { heldIn, type Named } from "./Traces.ts"

/** The operator's secrets; no other text contains these values. */
const set = {
  LEADLOOM_SECRET_KEY: "set-secret-key-0123456789abcdef-0123",
  LEADLOOM_SESSION_SECRET: "set-session-secret-one-0123456789,set-session-secret-two-0123456789",
  LEADLOOM_VAULT_KEYS: `${"set-vault-key-one".padEnd(32, "x")},${"set-vault-key-two".padEnd(32, "x")}`,
  LEADLOOM_TWILIO_AUTH_TOKEN: "set-twilio-token-0123456789",
  LEADLOOM_STRIPE_SECRET_KEY: "sk_test_set_stripe_0123456789",
  LEADLOOM_STRIPE_WEBHOOK_SECRET: "whsec_set_stripe_0123456789",
  LEADLOOM_NYLAS_API_KEY: "nyk_set_nylas_0123456789",
  LEADLOOM_NYLAS_WEBHOOK_SECRET: "set-nylas-webhook-0123456789",
  LEADLOOM_LLM_API_KEY: "set-llm-key-0123456789",
  LEADLOOM_CRM_SSO_SECRET: "set-sso-secret-0123456789",
  LEADLOOM_CRM_ACTION_SECRET: "set-action-secret-0123456789-0123",
  LEADLOOM_TURNSTILE_SECRET: "set-turnstile-0123456789"
}
const smtpPassword = "set-smtp-password-0123456789"
/** The password of the database, if it has one. */
export const databasePassword = "set-database-password-0123456789"
const objectsKey = "set-objects-key-0123456789"

/** The settings of a bucket at a stand-in that stores nothing. */
export const bucketAt = ({ url }: Pick<EchoingProvider, "url">) => ({
  LEADLOOM_S3_ENDPOINT: url,
  LEADLOOM_S3_BUCKET: "mail",
  LEADLOOM_S3_ACCESS_KEY_ID: "AKIA",
  LEADLOOM_S3_SECRET_ACCESS_KEY: objectsKey
})

interface StandIns {
  readonly highLevel: HighLevelStandIn
  readonly mailbox: SealedMailbox
  readonly echoing: EchoingProvider
  readonly issuer: Issuer
}

const environmentOf = ({ echoing: { relay, url }, highLevel, issuer, mailbox }: StandIns) => ({
  ...sealedEnvironment(highLevel, mailbox),
  ...set,
  ...issuer.env,
  LEADLOOM_ADMIN_KEY: adminKey,
  LEADLOOM_LOG_LEVEL: "debug",
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  LEADLOOM_SMTP_URL: `smtp://user:${smtpPassword}@${relay}`,
  LEADLOOM_PUBLIC_URL: "https://leads.example.com",
  LEADLOOM_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  LEADLOOM_TWILIO_API_URL: url,
  LEADLOOM_STRIPE_API_URL: url,
  LEADLOOM_STRIPE_PRICE_GROWTH: "price_g",
  LEADLOOM_STRIPE_SUCCESS_URL: "https://acme.example/paid",
  LEADLOOM_STRIPE_CANCEL_URL: "https://acme.example/plans",
  LEADLOOM_STRIPE_RETURN_URL: "https://acme.example/billing",
  LEADLOOM_NYLAS_API_URL: url,
  LEADLOOM_NYLAS_CLIENT_ID: "an-application",
  LEADLOOM_NYLAS_REDIRECT_URI: "https://dashboard.example/back",
  LEADLOOM_LLM_MODEL: "gpt-test",
  LEADLOOM_LLM_BASE_URL: `${url}/v1`,
  LEADLOOM_TURNSTILE_URL: `${url}/siteverify`
})

/** A server on which every operation that involves secrets was run, with valid and invalid input. */
export interface SecretRun {
  readonly env: Readonly<Record<string, string>>
  /** The data directory. */
  readonly folder: string
  readonly url: () => Promise<string>
  /** The providers that the server requested. */
  readonly requested: ReadonlySet<string>
  readonly made: SealedWorld
  readonly mailbox: SealedMailbox
  /** All responses except those that show a secret once. */
  readonly answers: ReadonlyArray<Answer>
  /** Returns the output of the server since its first start. */
  readonly output: () => string
  /** Sends a request and stores the response. */
  readonly sendRequest: (method: string, path: string, call?: Call) => Promise<Answer>
  /** Returns the spans that stopped servers have exported. */
  readonly spans: () => string
  /** Returns the metrics. */
  readonly metrics: () => Promise<string>
  /** Stops the server, applies a change and starts it again. */
  readonly restart: (meanwhile: () => Promise<void>, more?: Readonly<Record<string, string>>) => Promise<void>
  readonly secrets: () => ReadonlyArray<Named>
  /** Returns the names of the secrets in a text. */
  readonly heldIn: (text: string) => ReadonlyArray<string>
  readonly bucket: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

const secretsOf = (
  { highLevel, mailbox }: StandIns,
  made: SealedWorld,
  { shown, idTokens }: Provoked
): ReadonlyArray<Named> => [
  ...Object.entries(set).flatMap(([name, value]) => value.split(",").map((part) => [name, part] as const)),
  ["admin key", adminKey],
  ["SMTP password", smtpPassword],
  ["password of the database", databasePassword],
  ["key of the objects", objectsKey],
  ["CRM client secret", highLevel.clientSecret],
  ...[...highLevel.state.accessTokens.keys()].map((token) => ["CRM access token", token] as const),
  ...[...highLevel.state.refreshTokens.keys()].map((token) => ["CRM refresh token", token] as const),
  ["API key", made.world.acme.apiKey],
  ["session token", made.world.acme.session],
  ["signature of a session token", made.world.acme.session.split(".")[1] ?? ""],
  ["source key", made.world.acme.sourceKey],
  ["source key of all tenants", made.world.globalSourceKey],
  ["former signing secret", made.signingSecrets[0]],
  ["signing secret", made.signingSecrets[1]],
  ["key of Retell", made.retellKey],
  ["assistant secret", made.assistantSecret],
  ["password of a mailbox", mailbox.password],
  ["refused password of a mailbox", mailbox.refusedPassword],
  // A reader of the database could compare it with guesses of the password.
  ["checksum of a request with a password", createHash("sha256").update(JSON.stringify(mailbox.account)).digest("hex")],
  ...shown,
  ...idTokens.flatMap((token): ReadonlyArray<Named> => {
    const [header = "", payload = "", signature = ""] = token.split(".")
    // Headers and claims of all tokens of an issuer begin with the same characters.
    return [
      ["ID token", token],
      ["claims of an ID token", payload.slice(-30)],
      ["signature of an ID token", signature === "" ? header : signature]
    ]
  })
]

/** Starts a server in a separate process and runs everything. */
export const startSecretRun = async (database: Readonly<Record<string, string>> = {}): Promise<SecretRun> => {
  const folder = temporaryFolder()
  const [highLevel, issuer, echoing] = await Promise.all([startHighLevel(), startIssuer(), startEchoing()])
  const mailbox = await startSealedMailbox()
  const standIns = { highLevel, issuer, echoing, mailbox }
  const env = {
    ...environmentOf(standIns),
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_METRICS_PORT: "0",
    ...database
  }
  const servers: Array<ServerProcess> = [startProcess(env)]
  const url = (): Promise<string> => servers.at(-1)?.url ?? Promise.reject(new Error("no server"))
  const call = async (method: string, path: string, more: Call = {}): Promise<Answer> =>
    readResponse(await fetch(requestOf(method, path, more, await url())))
  const answers: Array<Answer> = []
  const sendRequest = async (method: string, path: string, more?: Call): Promise<Answer> => {
    const answer = await call(method, path, more)
    answers.push(answer)
    return answer
  }
  const output = (): string => servers.map((server) => server.stdout() + server.stderr()).join("")
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    servers.at(-1)?.kill(signal)
    await servers.at(-1)?.exit
  }
  const made = await makeSealedWorld({ call }, highLevel, mailbox)
  const provoked = await provokeAll({ sendRequest, call, ...standIns, made, output })
  const secrets = (): ReadonlyArray<Named> => secretsOf(standIns, made, provoked)
  return {
    env,
    folder: folder.path,
    url,
    requested: echoing.requested,
    made,
    mailbox,
    answers,
    output,
    sendRequest,
    spans: echoing.spans,
    metrics: async () => (await fetch(metricsUrlOf(servers.at(-1)?.stdout() ?? ""))).text(),
    restart: async (meanwhile, more = {}) => {
      await stop("SIGTERM")
      await meanwhile()
      servers.push(startProcess({ ...env, ...more }))
      await url()
    },
    secrets,
    heldIn: (text) => heldIn(secrets(), text),
    bucket: bucketAt(echoing),
    close: async () => {
      await stop("SIGKILL")
      await Promise.all([highLevel.close(), issuer.stop(), echoing.close(), mailbox.close()])
      folder.remove()
    }
  }
}
