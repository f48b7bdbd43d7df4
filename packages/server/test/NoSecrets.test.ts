import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type HighLevelStandIn, startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { problem } from "@leadloom/testkit/highlevel/StandInState"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examine } from "../src/admin/doctor/Doctor.ts"
import { makeSealedWorld, sealedEnvironment, type SealedWorld } from "./SealedWorld.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "./ServerProcess.ts"
import { type Answer, adminKey, type Call, readAnswer, requestOf } from "./TestServer.ts"

/** What the operator sets; every value is in no other text. */
const set = {
  LEADLOOM_SECRET_KEY: "set-secret-key-0123456789abcdef",
  LEADLOOM_SESSION_SECRET: "set-session-secret-one,set-session-secret-two",
  LEADLOOM_VAULT_KEYS: `${"set-vault-key-one".padEnd(32, "x")},${"set-vault-key-two".padEnd(32, "x")}`,
  LEADLOOM_TWILIO_AUTH_TOKEN: "set-twilio-token-0123456789",
  LEADLOOM_STRIPE_SECRET_KEY: "sk_test_set_stripe_0123456789",
  LEADLOOM_STRIPE_WEBHOOK_SECRET: "whsec_set_stripe_0123456789",
  LEADLOOM_NYLAS_API_KEY: "nyk_set_nylas_0123456789",
  LEADLOOM_NYLAS_WEBHOOK_SECRET: "set-nylas-webhook-0123456789",
  LEADLOOM_LLM_API_KEY: "set-llm-key-0123456789",
  LEADLOOM_CRM_SSO_SECRET: "set-sso-secret-0123456789",
  LEADLOOM_CRM_ACTION_SECRET: "set-action-secret-0123456789",
  LEADLOOM_TURNSTILE_SECRET: "set-turnstile-0123456789"
}
const smtpPassword = "set-smtp-password-0123456789"
/** Nobody listens there: every provider fails. */
const nowhere = "http://127.0.0.1:9"

let highLevel: HighLevelStandIn
let server: ServerProcess
let made: SealedWorld
let env: Record<string, string>
const folder = temporaryFolder()
/** What came back to whoever asked, but for the answers that show a secret once. */
const answers: Array<Answer> = []

beforeAll(async () => {
  highLevel = await startHighLevel()
  env = {
    ...sealedEnvironment(highLevel),
    ...set,
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_LOG_LEVEL: "debug",
    LEADLOOM_SMTP_URL: `smtp://user:${smtpPassword}@127.0.0.1:9`,
    LEADLOOM_PUBLIC_URL: "https://leads.example.com",
    LEADLOOM_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
    LEADLOOM_TWILIO_API_URL: nowhere,
    LEADLOOM_STRIPE_API_URL: nowhere,
    LEADLOOM_STRIPE_SUCCESS_URL: "https://acme.example/paid",
    LEADLOOM_STRIPE_CANCEL_URL: "https://acme.example/plans",
    LEADLOOM_STRIPE_RETURN_URL: "https://acme.example/billing",
    LEADLOOM_NYLAS_API_URL: nowhere,
    LEADLOOM_NYLAS_CLIENT_ID: "an-application",
    LEADLOOM_NYLAS_REDIRECT_URI: "https://dashboard.example/back",
    LEADLOOM_LLM_MODEL: "gpt-test",
    LEADLOOM_LLM_BASE_URL: `${nowhere}/v1`
  }
  server = startProcess(env)
  const url = await server.url
  const call = async (method: string, path: string, more: Call = {}): Promise<Answer> =>
    readAnswer(await fetch(requestOf(method, path, more, url)))
  made = await makeSealedWorld({ call }, highLevel)
  await provoke(call)
})
afterAll(async () => {
  server.kill("SIGKILL")
  await server.exit
  await highLevel.close()
  folder.remove()
})

/** Reads everything, and does what fails: credentials that are wrong or in the wrong place, providers that are away. */
const provoke = async (call: (method: string, path: string, more?: Call) => Promise<Answer>): Promise<void> => {
  const { retellKey, signingSecrets, world } = made
  const base = "/api/v1/tenants/acme"
  const as = adminKey
  const asked: ReadonlyArray<readonly [string, string, Call?]> = [
    ...["", "/api-keys", "/webhooks", `/webhooks/${made.webhookId}`, "/crm/installs", "/assistant", "/events"].map(
      (path) => ["GET", `${base}${path}`, { as }] as const
    ),
    ["GET", "/api/v1/config/acme/audit", { as }],
    ["GET", "/health"],
    ["GET", `${base}/contacts`, { as: `${world.acme.apiKey}x` }],
    ["GET", `${base}/contacts?key=${world.acme.apiKey}`, {}],
    ["GET", "/api/v1/admin/tenants", { as: world.acme.session }],
    ["POST", `${base}/webhooks`, { as, body: { url: "https://hooks.example.com", secret: signingSecrets[1] } }],
    ["PUT", `${base}/assistant/retell-key`, { as, body: { api_key: `${retellKey} and a blank` } }],
    ["POST", "/api/v1/voice/assistant/acme/tools", { headers: { "x-assistant-secret": `${made.assistantSecret}x` } }],
    ["POST", "/api/v1/webhook/providers/stripe", { body: "{}", headers: { "stripe-signature": "t=1,v1=00" } }],
    ["POST", "/api/v1/billing/checkout?tenant_id=acme", { as, body: { plan: "growth" } }],
    ["POST", "/api/v1/webhook/automation/acme", { as, body: { message: "A roof?", contact: { email: "j@x.example" } } }]
  ]
  for (const [method, path, more] of asked) answers.push(await call(method, path, more))
  highLevel.fault(problem(503, "Down"))
  answers.push(await call("POST", `${base}/crm/callback`, { as, body: { code: "made-up", state: "made-up" } }))
}

/** Everything that must be nowhere but where it belongs, by name. */
const secrets = (): ReadonlyArray<readonly [string, string]> => [
  ...Object.entries(set).flatMap(([name, value]) => value.split(",").map((part) => [name, part] as const)),
  ["admin key", adminKey],
  ["SMTP password", smtpPassword],
  ["CRM client secret", highLevel.clientSecret],
  ...[...highLevel.state.accessTokens.keys()].map((token) => ["CRM access token", token] as const),
  ...[...highLevel.state.refreshTokens.keys()].map((token) => ["CRM refresh token", token] as const),
  ["API key", made.world.acme.apiKey],
  ["session token", made.world.acme.session],
  ["source key", made.world.acme.sourceKey],
  ["source key of all tenants", made.world.globalSourceKey],
  ["former signing secret", made.signingSecrets[0]],
  ["signing secret", made.signingSecrets[1]],
  ["key of Retell", made.retellKey],
  ["assistant secret", made.assistantSecret]
]

/** The names of the secrets that a text holds, as they are or in the encodings that they may hide in. */
const heldIn = (text: string): ReadonlyArray<string> =>
  secrets()
    .filter(([, secret]) => [secret, encodeURIComponent(secret)].some((spelled) => text.includes(spelled)))
    .map(([name]) => name)

describe("what a full run leaves behind holds no secret", () => {
  it("in any file of the database, its log, and the objects", () => {
    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toContain("leadloom.db-wal")
    const found = files.map(({ name, parentPath }) => [name, heldIn(readFileSync(join(parentPath, name), "latin1"))])
    expect(found.filter(([, held = []]) => held.length > 0)).toEqual([])
  })

  it("in what the server says at its most talkative", () => {
    expect(server.stdout()).toContain("listening")
    expect(heldIn(server.stdout() + server.stderr())).toEqual([])
    // The search itself finds what is there.
    expect(heldIn(JSON.stringify(made))).toHaveLength(8)
    expect(heldIn(JSON.stringify([...highLevel.state.accessTokens.keys()]))).toContain("CRM access token")
  })

  it("in answers, refusals among them, but for those that show it once", () => {
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(3)
    expect(answers.filter(({ text }) => heldIn(text).length > 0).map(({ text }) => [heldIn(text), text])).toEqual([])
  })

  it("in what the doctor finds, keys that are being changed among it", async () => {
    const text = JSON.stringify(await examine(env, { serverUrl: await server.url }))
    expect(heldIn(text)).toEqual([])
  })
})
