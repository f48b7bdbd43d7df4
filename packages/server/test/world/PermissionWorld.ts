import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import type { SmsAccount } from "@leadloom/connectors/internal/sms/SmsAccount"
import { twilioAccount } from "@leadloom/connectors/internal/twilio/TwilioSms"
import { type SmsProviderName, smsProviders } from "@leadloom/core/internal/domain/provider/SmsProviders"
import { type OperationName, operationOf } from "@leadloom/core/internal/domain/access/Operations"
import { type Caller, type Reach, verdictOf } from "@leadloom/core/internal/domain/access/PermissionMatrix"
import { Layer, Redacted } from "effect"
import { outsideRoutes } from "../../src/http/OutsideRoutes.ts"
import { ProviderSecrets } from "../../src/http/middleware/ProviderSecrets.ts"
import { bodies, type Endpoint, endpoints, pathOf } from "./Endpoints.ts"
import { type Issuer, startIssuer } from "./Issuer.ts"
import { adminKey, type Answer, startServer, type TestServer, textAt } from "./TestServer.ts"
import { makeWorld, sourceId, type World } from "./World.ts"

/** An operation and its request. */
export interface Requested {
  readonly name: OperationName
  readonly method: string
  /** Returns the path with its parameters. */
  readonly path: (params: Readonly<Record<string, string>>) => string
}

type Headers = Readonly<Record<string, string>>

/** The parts of a request, because signatures cover all of them. */
interface Sent {
  readonly path: string
  readonly body: string
}

/** A caller: its own tenant, its source and its credential. */
interface CallerSetup {
  readonly home: string
  readonly source: string
  readonly shows: (sent: Sent) => Headers
}

/** A server with every kind of caller. */
export interface PermissionWorld {
  readonly sendRequest: (requested: Requested, caller: Caller, reach: Reach) => Promise<Answer>
  readonly close: () => Promise<void>
}

const outside = outsideRoutes.map(([method, path, name]): Requested => ({
  name,
  method,
  path: (params) => path.replace(":tenant_id", params["tenant_id"] ?? "")
}))

const isOfConsole = ({ gate }: Endpoint): boolean => gate.name.startsWith("consoleSessions.")

/**
 * Every operation of the server. Assistants are first, because a later operation replaces their secret. Console sessions
 * are last, because one operation ends the caller's session.
 */
export const everything: ReadonlyArray<Requested> = [
  ...outside,
  ...[...endpoints.filter((endpoint) => !isOfConsole(endpoint)), ...endpoints.filter(isOfConsole)].map(
    (endpoint): Requested => ({
      name: endpoint.gate.name,
      method: endpoint.method,
      path: (params) => pathOf(endpoint, params)
    })
  )
]

const publicUrl = "https://leads.example"
const secrets = {
  workflow: "the-workflow-secret",
  nylas: "nylas-secret",
  stripe: "stripe-secret",
  twilio: "twilio-token"
}
const highLevel = generateKeyPairSync("ed25519")

/** Twilio, whose signature is checked. Accounts of other providers accept any request with this header. */
const otherSmsHeader = "x-other-sms-signature"
const twilioSms = twilioAccount({
  apiUrl: "https://api.twilio.com",
  accountSid: "AC1",
  authToken: Redacted.make(secrets.twilio),
  apiKey: null
})
const smsNames = Object.keys(smsProviders) as ReadonlyArray<SmsProviderName>
const accountOf = (name: SmsProviderName): SmsAccount =>
  name === "twilio"
    ? twilioSms
    : {
        ...twilioSms,
        isSigned: ({ headers }) => headers[otherSmsHeader] === "valid",
        readTexts: () => [],
        readReports: () => []
      }

const believed = Layer.succeed(ProviderSecrets, {
  publicUrl,
  sms: new Map(smsNames.map((name) => [name, accountOf(name)])),
  nylasWebhook: Redacted.make(secrets.nylas),
  stripeWebhook: [Redacted.make(secrets.stripe)],
  crmWebhookKeys: [highLevel.publicKey],
  twilio: { publicUrl, authTokens: [Redacted.make(secrets.twilio)] },
  crmActions: [Redacted.make(secrets.workflow)]
})

const hmac = (algorithm: string, secret: string, text: string) => createHmac(algorithm, secret).update(text)

/** Returns the signatures of all providers; each route checks its own. */
const signatures = ({ body, path }: Sent): Headers => {
  const now = Math.floor(Date.now() / 1_000)
  return {
    "x-nylas-signature": hmac("sha256", secrets.nylas, body).digest("hex"),
    "stripe-signature": `t=${now},v1=${hmac("sha256", secrets.stripe, `${now}.${body}`).digest("hex")}`,
    "x-ghl-signature": sign(null, Buffer.from(body), highLevel.privateKey).toString("base64"),
    [otherSmsHeader]: "valid",
    "x-twilio-signature": hmac("sha1", secrets.twilio, `${publicUrl}${path}CallSidCA1`).digest("base64")
  }
}

const nonsense: Headers = {
  "x-source-key": "nonsense",
  "x-workflow-secret": "nonsense",
  "x-assistant-secret": "nonsense",
  "x-nylas-signature": "nonsense",
  "stripe-signature": "nonsense",
  "x-ghl-signature": "nonsense",
  "x-twilio-signature": "nonsense"
}

const reportBodies: Readonly<Partial<Record<OperationName, unknown>>> = {
  "nylas.notice": { id: "n1", type: "something.new" },
  "stripe.notice": { id: "evt_1", type: "something.new", data: { object: {} } },
  "highLevel.notice": { type: "SomethingNew" },
  "assistantTools.call": { message: { type: "status-update", call: { id: "call-1" } } }
}

/** Returns the body of a request to or about a tenant. */
const bodyOf = (name: OperationName, tenant: string): string => {
  if (name.startsWith("twilio.")) return "CallSid=CA1"
  const extras = { locationId: `loc-${tenant}`, contactId: "crm-contact" }
  const body =
    name === "sessions.mint" || name === "sessions.createTicket"
      ? { tenant_id: tenant }
      : name.startsWith("crmActions.")
        ? { data: { tag: "vip" }, extras }
        : (reportBodies[name] ?? bodies[name])
  return body === undefined ? "" : JSON.stringify(body)
}

const bearer = (home: string, credential: string, source = sourceId): CallerSetup => ({
  home,
  source,
  shows: () => ({ authorization: `Bearer ${credential}` })
})

const showing = (shows: CallerSetup["shows"]): CallerSetup => ({ home: "acme", source: sourceId, shows })

const must = ({ json, status, text }: Answer): unknown => {
  if (status >= 400) throw new Error(`${status} ${text}`)
  return json
}

/** The data that the operator created for the tests. */
interface Made {
  readonly world: World
  /** Keys of separate tenants, because a tenant has at most three keys. */
  readonly scoped: Readonly<Record<"read" | "messages" | "pipeline", string>>
  /** Tokens of console sessions by role. */
  readonly console: Readonly<Record<"manager" | "admin", string>>
  readonly assistant: string
  /** One lead per tenant. */
  readonly leads: Readonly<Record<string, string>>
}

const make = async (server: TestServer): Promise<Made> => {
  const operate = async (method: string, path: string, body?: unknown) =>
    must(await server.call(method, `/api/v1/${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) }))
  const world = await makeWorld(server)
  for (const tenant_id of ["limited", "spare", "doomed"])
    await operate("POST", "admin/tenants", { tenant_id, name: "A" })
  await operate("POST", "admin/tenants/limited/sources", { source_id: sourceId })
  const key = async (scope: string) =>
    textAt(await operate("POST", "tenants/limited/api-keys", { name: scope, scopes: [scope] }), "key")
  const scoped = { read: await key("read"), messages: await key("messages"), pipeline: await key("pipeline") }
  const leads: Record<string, string> = {}
  let assistant = ""
  for (const tenant of ["limited", "other", "acme"]) {
    await operate("PATCH", `admin/tenants/${tenant}`, { plan: "growth" })
    await operate("PUT", "admin/locations", { location_id: `loc-${tenant}`, tenant_id: tenant, sessions: "off" })
    const contact = { email: "jane@customer.example" }
    leads[tenant] = textAt(await operate("POST", `tenants/${tenant}/leads`, { contact }), "id")
    assistant = textAt(await operate("PUT", `tenants/${tenant}/assistant/secret`), "secret")
  }
  const session = async (role: string) => {
    const ticket = textAt(await operate("POST", "sessions/tickets", { tenant_id: "acme", role }), "ticket")
    return textAt(must(await server.call("POST", "/api/v1/sessions", { body: { ticket } })), "token")
  }
  const console = { manager: await session("manager"), admin: await session("admin") }
  return { world, scoped, console, assistant, leads }
}

const callerSetups = async (issuer: Issuer, made: Made): Promise<Readonly<Record<Caller, CallerSetup>>> => {
  const { assistant, scoped, world } = made
  const person = async (role: string, tenants: unknown = ["acme", "spare"]) =>
    bearer("acme", await issuer.token({ sub: `${role} of ${String(tenants)}`, role, tenants }))
  return {
    "no credential": showing(() => ({})),
    "bad credential": showing(() => ({ ...nonsense, authorization: "Bearer nonsense" })),
    "API key": bearer("acme", world.acme.apiKey),
    "API key, read": bearer("limited", scoped.read),
    "API key, messages": bearer("limited", scoped.messages),
    "API key, pipeline": bearer("limited", scoped.pipeline),
    session: bearer("acme", world.acme.session),
    "session, manager": bearer("acme", made.console.manager),
    "session, admin": bearer("acme", made.console.admin),
    "admin key": bearer("acme", adminKey),
    "ID token, no role": await person("none"),
    "ID token, agent": await person("agent"),
    "ID token, manager": await person("manager"),
    "ID token, admin": await person("admin"),
    "ID token, admin of no tenant": await person("admin", []),
    "ID token, admin of every tenant": await person("admin", "*"),
    "ID token, superuser": await person("superuser"),
    "source key": bearer("acme", world.acme.sourceKey),
    "source key of every tenant": bearer("acme", world.globalSourceKey, "global"),
    "workflow secret": showing(() => ({ "x-workflow-secret": secrets.workflow })),
    "assistant secret": showing(() => ({ "x-assistant-secret": assistant })),
    "provider signature": showing(signatures)
  }
}

/** Returns an unused tenant for callers that may archive it. */
const tenantFor = (name: OperationName, caller: Caller, reach: Reach, home: string): string => {
  const archives = name === "tenants.archive" && verdictOf(name, caller, reach) === "allowed"
  if (archives) return reach === "own" ? "spare" : "doomed"
  return reach === "own" ? home : "other"
}

const unlimited = Object.fromEntries(
  ["ADMIN", "WEBHOOK", "WORKFLOW", "PUBLIC", "BAD_CREDENTIALS"].map((name) => [`LEADLOOM_LIMIT_${name}`, "1000000"])
)

/** Starts a server with every kind of caller. */
export const makePermissionWorld = async (): Promise<PermissionWorld> => {
  const issuer = await startIssuer()
  const server = startServer({ ...issuer.env, ...unlimited, LEADLOOM_MCP: "yes" }, (services) =>
    Layer.provideMerge(believed, services)
  )
  const made = await make(server)
  const at = await callerSetups(issuer, made)
  return {
    sendRequest: ({ method, name, path }, caller, reach) => {
      const { home, shows, source } = at[caller]
      const tenant = tenantFor(name, caller, reach, home)
      const requestPath = path({
        tenant_id: tenant,
        action_key: "add_tag",
        ...(name === "events.send" ? { source_id: source } : {}),
        ...(name === "leads.find" || name === "leads.conversation" ? { lead_id: made.leads[tenant] ?? "" } : {})
      })
      const query = operationOf(name).tenant === "query" ? `?tenant_id=${tenant}` : ""
      const sent = { path: `${requestPath}${query}`, body: method === "GET" ? "" : bodyOf(name, tenant) }
      const form: Headers = name.startsWith("twilio.") ? { "content-type": "application/x-www-form-urlencoded" } : {}
      return server.call(method, sent.path, {
        ...(sent.body === "" ? {} : { body: sent.body }),
        headers: { ...form, ...shows(sent) }
      })
    },
    close: async () => {
      await server.close()
      await issuer.stop()
    }
  }
}
