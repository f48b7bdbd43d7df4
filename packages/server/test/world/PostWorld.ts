/** The world of the tests of POST requests: a server with an email account, and makers of the records they need. */
import { drainSignals } from "@leadloom/testkit/suite/Scene"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { type Endpoint, pathOf, someConfig } from "./Endpoints.ts"
import { onSteadyMonth } from "./SteadyMonth.ts"
import { type Answer, adminKey, at, readResponse, startServer, type TestServer, textAt } from "./TestServer.ts"
import { startTwilio, type TwilioStandIn } from "./TwilioStandIn.ts"
import { importOf, mail, makeWorld, sourceId, type World } from "./World.ts"
import { zoneOfNoon } from "./ZoneOfNoon.ts"

/** A request that succeeds once, and a different request of the same operation. */
export interface Scenario {
  /** Values of path parameters other than the tenant. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  /** Null: no body. */
  readonly body?: unknown
  /** Absent: the same body with one more field. */
  readonly other?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the number of results of the operation. */
  readonly effects?: () => Promise<number>
}

/** The parts of the world, which `startPostWorld` sets. */
export const post: { sink: SmtpSink; twilio: TwilioStandIn; server: TestServer; world: World } = Object.create(null)

let number = 0

/** Returns a number that no other record of this world has. */
export const nextNumber = (): number => ++number

export const base = "/api/v1/tenants/acme"
export const call = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  post.server.call(method, path, { as: adminKey, headers, ...(body === undefined ? {} : { body }) })

export const made = async (path: string, body?: unknown): Promise<unknown> => {
  const answer = await call("POST", path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.json
}

export const contact = async (): Promise<string> => {
  number += 1
  return textAt(await made(`${base}/contacts`, { email: `person.${number}@customer.example` }), "id")
}

export const lengthOf = (path: string, list: string) => async () => {
  const found = at((await call("GET", path)).json, list)
  return Array.isArray(found) ? found.length : -1
}

/** Creates a message in the conversation of a contact, by email. */
export const written = async (text = "A kitchen?") => {
  number += 1
  const headers = { "Message-ID": `<${number}@customer.example>`, From: `Jane <jane.${number}@customer.example>` }
  const imported = await made("/api/v1/import/acme/email", {
    ...importOf(mail(headers, text)),
    historical: false
  })
  await post.server.run(drainSignals)
  return {
    contactId: textAt(imported, "results", 0, "contact_id"),
    messageId: textAt(imported, "results", 0, "message_id"),
    leadId: textAt(imported, "results", 0, "lead_id")
  }
}

/** Creates a thread of two emails of one contact. */
export const answered = async () => {
  number += 1
  const root = `root.${number}.x7@customer.example`
  const mails = [
    mail({ "Message-ID": `<${root}>` }, `A bath, number ${number}?`),
    mail(
      { "Message-ID": `<answer.${number}.x7@customer.example>`, "In-Reply-To": `<${root}>` },
      `Or kitchen ${number}?`
    )
  ]
  const imported = await made("/api/v1/import/acme/email", importOf(...mails))
  return {
    answerId: textAt(imported, "results", 1, "message_id"),
    threadId: textAt(imported, "results", 1, "thread_id")
  }
}

export const ran = (message: string) =>
  made("/api/v1/webhook/automation/acme", { message, contact: { email: "somebody@customer.example" } })

export const webhook = async (): Promise<string> =>
  textAt(await made(`${base}/webhooks`, { url: "https://receiver.example/hooks" }), "id")

export const archive = async (tenantId: string): Promise<Uint8Array<ArrayBuffer>> => {
  const request = new Request(`http://leadloom.test/api/v1/tenants/${tenantId}/export`, {
    headers: { authorization: `Bearer ${adminKey}` }
  })
  return new Uint8Array(await (await post.server.fetch(request)).arrayBuffer())
}

export const maxConversationMessages = async (contactId: string) =>
  lengthOf(`${base}/conversations/${contactId}`, "messages")()

export const stored = lengthOf(`${base}/leads`, "leads")

/** Creates a contact in a time zone where it is about noon. */
export const callable = async (): Promise<string> => {
  const id = textAt(await made(`${base}/contacts`, { name: "Jane", phone: "+12125550100" }), "id")
  await call("PATCH", `${base}/contacts/${id}`, { attributes: { time_zone: zoneOfNoon() } })
  return id
}

export const actionsUsed = async (): Promise<number> =>
  Number(at((await call("GET", "/api/v1/admin/tenants/acme/usage")).json, "actions", "used"))

export const auditLength = async (): Promise<number> => {
  const found = at((await call("GET", `${base}/audit?limit=200`)).json, "entries")
  return Array.isArray(found) ? found.filter((entry) => at(entry, "action") === "billing.activate").length : -1
}

export const send = async (endpoint: Endpoint, scenario: Scenario, key: string, body: unknown): Promise<Answer> => {
  const path = pathOf(endpoint, { tenant_id: "acme", source_id: sourceId, ...scenario.params })
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : body === null ? null : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${adminKey}`,
    "content-type": "application/json",
    ...scenario.headers,
    "idempotency-key": key
  }
  const url = `http://leadloom.test${path}${scenario.query ?? ""}`
  return readResponse(await post.server.fetch(new Request(url, { method: endpoint.method, headers, body: bytes })))
}

const rule = {
  id: "rule_draft",
  name: "Drafts",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "draft" },
  actions: [{ type: "reply", template: "We can come on Monday." }]
}

const unlimited = Object.fromEntries(
  ["ADMIN", "WEBHOOK", "WORKFLOW", "PUBLIC"].map((name) => [`LEADLOOM_LIMIT_${name}`, "1000000"])
)

/** Starts the server and its stand-ins. */
export const startPostWorld = async (): Promise<void> => {
  post.sink = await startSink()
  post.twilio = await startTwilio()
  const smtp = { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${post.sink.port}` }
  post.server = startServer({ ...unlimited, ...smtp, ...post.twilio.env }, onSteadyMonth)
  post.world = await makeWorld(post.server)
  await call("PATCH", "/api/v1/admin/tenants/acme", { plan: "growth" })
  await call("PUT", "/api/v1/config/acme", { ...someConfig, rules: [rule] })
  await call("PUT", "/api/v1/admin/phone-numbers", { phone: "+15550100001", tenant_id: "acme" })
  await made(`${base}/email/connect`, { provider: "smtp", email: "sales@acme.com" })
}

/** Closes the server and its stand-ins. */
export const closePostWorld = async (): Promise<void> => {
  await post.server.close()
  await post.sink.close()
  post.twilio.close()
}
