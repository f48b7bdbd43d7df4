import type { HighLevelStandIn } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { problem } from "@leadloom/testkit/highlevel/StandInState"
import { expect, vi } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { type Issuer, now } from "../world/Issuer.ts"
import { refusedMailbox, type SealedMailbox, type SealedWorld } from "../world/SealedWorld.ts"
import { type Answer, adminKey, type Call, textAt } from "../world/TestServer.ts"
import { importOf, mail } from "../world/World.ts"
import { zoneOfNoon } from "../world/ZoneOfNoon.ts"
import type { EchoingProvider } from "./EchoingProvider.ts"
import type { Named } from "./Traces.ts"

type Ask = (method: string, path: string, call?: Call) => Promise<Answer>

/** The server and its data. */
export interface Scene {
  /** Sends a request and stores the response, which must contain no secret. */
  readonly sendRequest: Ask
  /** Sends a request whose response contains a secret. */
  readonly call: Ask
  readonly echoing: EchoingProvider
  readonly highLevel: HighLevelStandIn
  readonly mailbox: SealedMailbox
  readonly issuer: Issuer
  readonly made: SealedWorld
  readonly output: () => string
}

/** The secrets that the provocations produced. */
export interface Provoked {
  /** Secrets that were shown once, and again to repetitions with the same key; also used stream tickets. */
  readonly shown: ReadonlyArray<Named>
  readonly idTokens: ReadonlyArray<string>
}

const base = "/api/v1/tenants/acme"
const as = adminKey

/** Reads everything, and sends credentials that are invalid or in the wrong place. */
const misuse = async ({ sendRequest, made }: Scene): Promise<void> => {
  const { retellKey, signingSecrets, webhookId, world } = made
  const paths = ["", "/api-keys", "/webhooks", `/webhooks/${webhookId}`, "/crm/installs", "/assistant", "/events"]
  const calls: ReadonlyArray<readonly [string, string, Call?]> = [
    ...[...paths, "/audit"].map((path) => ["GET", `${base}${path}`, { as }] as const),
    ["GET", "/api/v1/config/acme/audit", { as }],
    ["GET", "/health"],
    ["GET", `${base}/contacts`, { as: `${world.acme.apiKey}x` }],
    ["GET", `${base}/contacts?key=${world.acme.apiKey}`, {}],
    ["GET", "/api/v1/admin/tenants", { as: world.acme.session }],
    ["POST", `${base}/webhooks`, { as, body: { url: "https://hooks.example.com", secret: signingSecrets[1] } }],
    ["PUT", `${base}/assistant/retell-key`, { as, body: { api_key: `${retellKey} and a blank` } }],
    ["POST", "/api/v1/voice/assistant/acme/tools", { headers: { "x-assistant-secret": `${made.assistantSecret}x` } }],
    ["POST", "/api/v1/webhook/providers/stripe", { body: "{}", headers: { "stripe-signature": "t=1,v1=00" } }],
    ["POST", "/api/v1/admin/leaked-keys", { as, body: { text: `${world.other.apiKey} ${world.other.sourceKey}` } }]
  ]
  for (const [method, path, more] of calls) await sendRequest(method, path, more)
}

/** Signs in with valid and invalid ID tokens, and with valid ones in the wrong place. */
const signIn = async ({ sendRequest, issuer }: Scene): Promise<ReadonlyArray<string>> => {
  const good = [await issuer.token(), await issuer.token({ role: "superuser", sub: "root" })]
  const bad = [
    await issuer.forged(),
    await issuer.token({ aud: "somebody-else" }),
    await issuer.token({ exp: now() - 3_600 }),
    issuer.signed(issuer.header({ alg: "none" }), JSON.stringify(issuer.claims())),
    issuer.signed(issuer.header({ kid: "no key of mine" }), JSON.stringify(issuer.claims()))
  ]
  for (const token of good) expect((await sendRequest("GET", `${base}/contacts`, { as: token })).status).toBe(200)
  for (const token of bad) expect((await sendRequest("GET", `${base}/contacts`, { as: token })).status).toBe(401)
  const [agent = "", superuser = ""] = good
  expect((await sendRequest("GET", "/api/v1/admin/tenants", { as: agent })).status).toBe(403)
  await sendRequest("PUT", "/api/v1/usage/acme", { as: superuser, body: { actions: { cap: 1_000 } } })
  await sendRequest("GET", `${base}/contacts?token=${agent}`, { headers: { "x-request-id": agent } })
  await sendRequest("POST", "/api/v1/sessions", { as: agent, body: { tenant_id: "other" } })
  return [...good, ...bad]
}

/** Creates every secret that is shown once twice with one `Idempotency-Key`. */
const replay = async ({ sendRequest, call, made }: Scene): Promise<ReadonlyArray<Named>> => {
  const keyed = ["/api-keys", "/api-keys/rotate", "/webhooks", `/webhooks/${made.webhookId}/rotate-secret`]
  const bodies = [{ name: "replayed" }, { key_id: made.world.acme.keyId }, { url: "https://hooks.example.com/two" }, {}]
  const requests: ReadonlyArray<readonly [path: string, body: unknown, field: string]> = [
    ...keyed.map((path, index) => [`${base}${path}`, bodies[index], index < 2 ? "key" : "secret"] as const),
    ["/api/v1/admin/tenants/acme/sources", { source_id: "replayed" }, "key"],
    ["/api/v1/admin/sources", { source_id: "replayed" }, "key"]
  ]
  const shown: Array<Named> = []
  for (const [path, body, field] of requests) {
    const request = { as, body, headers: { "idempotency-key": "twice" } }
    const [first, second] = [await call("POST", path, request), await call("POST", path, request)]
    expect([path, first.status < 300, second.headers.get("idempotent-replayed")]).toEqual([path, true, "true"])
    expect(second.text).toBe(first.text)
    shown.push([`what ${path} shows once`, textAt(first.json, field)])
    await sendRequest("POST", path, { ...request, body: { name: "another" } })
  }
  const session = await call("POST", "/api/v1/sessions", { as, body: { tenant_id: "acme" } })
  return [...shown, ["a second session token", textAt(session.json, "token").split(".")[1] ?? ""]]
}

/** Follows events with stream tickets: each one once, again, at another operation and as a credential. */
const followEvents = async ({ call, made, sendRequest }: Scene): Promise<ReadonlyArray<Named>> => {
  const tickets: Array<string> = []
  for (const creator of [as, made.world.acme.apiKey, made.world.acme.session]) {
    const ticket = textAt((await call("POST", `${base}/events/ticket`, { as: creator })).json, "ticket")
    const stream = `${base}/events/stream?after=0&follow=false&ticket=${ticket}`
    const statuses = [
      await sendRequest("GET", `${base}/events?ticket=${ticket}`),
      await sendRequest("GET", `${base}/contacts`, { as: ticket }),
      await sendRequest("GET", stream),
      await sendRequest("GET", stream),
      await sendRequest("GET", `/api/v1/tenants/other/events/stream?ticket=${ticket}`)
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 200, 401, 401])
    tickets.push(ticket)
  }
  return tickets.map((ticket) => ["stream ticket", ticket])
}

/** Connects a mailbox: twice with one key, with refused and invalid passwords, and sends through it. */
const connectMailboxes = async ({ sendRequest, mailbox }: Scene): Promise<void> => {
  const { account, password, refusedPassword } = mailbox
  const other = "/api/v1/tenants/other"
  const headers = { "idempotency-key": "a mailbox" }
  const connect = async (more: object = {}) => {
    const body = { ...account, ...more }
    return (await sendRequest("POST", `${other}/email/connect`, { as, body, headers })).status
  }
  expect([await connect(), await connect(), await connect({ password: refusedPassword })]).toEqual([201, 201, 409])
  const invalid: ReadonlyArray<readonly [field: string, more: object]> = [
    ['"server":"smtp"', { username: refusedMailbox, password: refusedPassword }],
    ['"server":"imap"', { password: refusedPassword }],
    ['"path":"password"', { password: `${password}\r\n` }],
    ['"path":"password"', { provider: "smtp" }],
    ['"path":"imap.port"', { imap: { host: "mail.example", port: 1, security: "tls" } }]
  ]
  for (const [field, more] of invalid) {
    const answer = await sendRequest("POST", `${other}/email/connect`, { as, body: { ...account, ...more } })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
  }
  const letter = { to: [{ email: "jane@customer.example" }], subject: "A roof", body: "Hello" }
  expect((await sendRequest("POST", `${other}/email/send`, { as, body: letter })).status).toBe(201)
  for (const path of ["/email/grants", "/audit", "/export"]) await sendRequest("GET", `${other}${path}`, { as })
}

/** Places a call to a contact whose local time is noon, so that quiet hours never refuse it. */
const placeCall = async ({ sendRequest }: Scene): Promise<void> => {
  const made = await sendRequest("POST", `${base}/contacts`, { as, body: { name: "Kim", phone: "+12125550123" } })
  const contact_id = textAt(made.json, "id")
  const attributes = { time_zone: zoneOfNoon() }
  await sendRequest("PATCH", `${base}/contacts/${contact_id}`, { as, body: { attributes } })
  await sendRequest("POST", `${base}/calls/outbound`, { as, body: { contact_id, agent_phone: "+12125550124" } })
}

/** Causes a request to every provider, which rejects and repeats it. */
const requestProviders = async (scene: Scene): Promise<void> => {
  const { sendRequest, echoing, highLevel, made, output } = scene
  const config = { ...someConfig, classifier: "model" }
  const body = { ...config, public_form: { ...config.public_form, verification: "turnstile" } }
  expect((await sendRequest("PUT", "/api/v1/config/acme", { as, body })).status).toBe(200)
  const form = { name: "Jo", email: "jo@customer.example", message: "A roof?", proof: "made-up", consent: true }
  await sendRequest("POST", "/api/v1/public/leads/acme", { body: form, headers: { origin: "https://www.acme.com" } })
  const contact = { email: "j@x.example", phone: "+15550100001" }
  await sendRequest("POST", "/api/v1/webhook/automation/acme", {
    as,
    body: { message: "A roof?", contact, channel: "chat" }
  })
  await sendRequest("POST", "/api/v1/billing/checkout?tenant_id=acme", { as, body: { plan: "growth" } })
  await sendRequest("PUT", "/api/v1/admin/phone-numbers", { as, body: { phone: "+15550100009", tenant_id: "acme" } })
  await placeCall(scene)
  const auth = await sendRequest("GET", `${base}/email/auth-url?provider=google`, { as })
  const signIn = new URL(textAt(auth.json, "url")).searchParams.get("state")
  await sendRequest("POST", `${base}/email/callback`, { as, body: { code: "made-up", state: signIn } })
  const crm = await sendRequest("GET", `${base}/crm/auth-url`, { as })
  const [code, state] = [highLevel.choose("loc-2"), new URL(textAt(crm.json, "url")).searchParams.get("state")]
  highLevel.fault(problem(400, `neither ${highLevel.clientSecret} nor ${code} will do`))
  const refused = await sendRequest("POST", `${base}/crm/callback`, { as, body: { code, state } })
  expect(refused.text).toContain("neither [secret] nor [secret]")
  await sendRequest("POST", `${base}/email/connect`, { as, body: { provider: "smtp", email: "sales@acme.com" } })
  await sendRequest("POST", `${base}/email/send`, {
    as,
    body: { to: [{ email: "jane@customer.example" }], subject: "A roof", body: "Hello" },
    headers: { "idempotency-key": "a mail" }
  })
  await sendRequest("POST", "/api/v1/import/acme/email", { as, body: importOf(mail({}, `I have ${made.webhookId}`)) })
  await vi.waitFor(() => expect([...echoing.requested]).toContain("smtp"), 60_000)
  await vi.waitFor(() => expect(output()).toMatch(/neither \[secret\] nor \[secret\]/u), 60_000)
}

/** Runs every operation that involves secrets, with valid and invalid input. */
export const provokeAll = async (scene: Scene): Promise<Provoked> => {
  const idTokens = await signIn(scene)
  const shown = await replay(scene)
  const tickets = await followEvents(scene)
  await misuse(scene)
  await connectMailboxes(scene)
  await requestProviders(scene)
  return { idTokens, shown: [...shown, ...tickets] }
}
