import { drainJobs, drainSends } from "@leadloom/testkit/suite/Scene"
import { type NylasStandIn, startNylas } from "@leadloom/testkit/nylas/NylasStandIn"
import type { StandInDelivery, StandInGrant, StandInMessage } from "@leadloom/testkit/nylas/StandInMailbox"
import { afterEach, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

const providerEventPath = "/api/v1/webhook/providers/nylas"

let nylas: NylasStandIn
let server: TestServer
let world: World

const begin = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
  nylas = await startNylas()
  server = startServer({
    LEADLOOM_LIMIT_ADMIN: "100000",
    LEADLOOM_NYLAS_API_URL: nylas.url,
    LEADLOOM_NYLAS_API_KEY: nylas.apiKey,
    LEADLOOM_NYLAS_CLIENT_ID: nylas.clientId,
    LEADLOOM_NYLAS_REDIRECT_URI: nylas.redirectUri,
    LEADLOOM_NYLAS_WEBHOOK_SECRET: nylas.webhookSecret,
    ...env
  })
  world = await makeWorld(server)
}

afterEach(async () => {
  await server.close()
  await nylas.close()
})

/** Runs the jobs that are due. */
const jobs = () => server.run(drainJobs)

const email = (method: string, path: string, call: Call = {}, tenant = "acme"): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/${tenant}/email${path}`, { as: adminKey, ...call })

const stateOf = async (call: Call = {}, tenant = "acme"): Promise<string> => {
  const answer = await email("GET", "/auth-url?provider=google", call, tenant)
  return new URL(textAt(answer.json, "url")).searchParams.get("state") ?? ""
}

const signIn = async (address = "sales@acme.com"): Promise<Answer> => {
  const state = await stateOf()
  return email("POST", "/callback", { body: { code: nylas.signIn(address), state } })
}

const account = (address = "sales@acme.com"): StandInGrant => {
  const grant = nylas.grant(address)
  if (grant === undefined) throw new Error(`${address} is not connected`)
  return grant
}

const providerEvent = (type: string, object: object, changes: Call = {}): Promise<Answer> => {
  const { body, signature } = nylas.signedProviderEvent(type, object)
  return server.call("POST", providerEventPath, {
    body: Buffer.from(body).toString(),
    headers: { "x-nylas-signature": signature, "content-type": "application/json" },
    ...changes
  })
}

const sendReport = async ({ id }: StandInGrant, message: StandInMessage): Promise<void> => {
  const { status } = await providerEvent("message.created", { object: "message", id: message.id, grant_id: id })
  expect(status).toBe(200)
}

/** Delivers a mail to the account; the provider reports it. */
const arrive = async (mail: StandInDelivery): Promise<StandInMessage> => {
  const message = nylas.deliver(account(), mail)
  await sendReport(account(), message)
  await jobs()
  return message
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const messages = async (): Promise<ReadonlyArray<unknown>> => {
  const get = async (path: string) =>
    (await server.call("GET", `/api/v1/tenants/acme/conversations${path}`, { as: adminKey })).json
  const contacts = list(at(await get(""), "conversations")).map((each) => String(at(each, "contact_id")))
  const pages = await Promise.all(contacts.map((contact) => get(`/${contact}`)))
  return pages.flatMap((page) => list(at(page, "messages")))
}

const requestsTo = (path: RegExp) => nylas.requests.filter((request) => path.test(`${request.method} ${request.path}`))

const jane = { email: "jane@customer.example", name: "Jane Miller" }

describe("a hosted account at Nylas", () => {
  it("is connected by its owner, whose return URL is valid once and for that sign-in", async () => {
    await begin()
    const url = new URL(textAt((await email("GET", "/auth-url?provider=google")).json, "url"))
    expect(url.origin + url.pathname).toBe(`${nylas.url}/v3/connect/auth`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: nylas.clientId,
      redirect_uri: nylas.redirectUri,
      response_type: "code",
      provider: "google"
    })
    const state = url.searchParams.get("state") ?? ""
    expect(state.length).toBeLessThanOrEqual(256)
    const body = { code: nylas.signIn("Sales@Acme.com"), state }
    expect((await email("POST", "/callback", { body }, "other")).code).toBe("BAD_REQUEST")
    const connected = await email("POST", "/callback", { body })
    expect([connected.status, at(connected.json, "email"), at(connected.json, "status")]).toEqual([
      201,
      "sales@acme.com",
      "active"
    ])
    expect(connected.text).not.toContain(account().id)
    expect((await email("POST", "/callback", { body })).status).toBe(400)
    const grants = (await email("GET", "/grants")).json
    expect(list(at(grants, "grants")).length).toBe(1)
    const again = await signIn()
    expect(at(again.json, "grant_id")).toBe(at(connected.json, "grant_id"))
    expect((await signIn("boss@acme.com")).code).toBe("CONNECTION_EXISTS")
    expect((await email("GET", "/auth-url", { as: world.acme.apiKey })).status).toBe(403)
    expect((await email("GET", "/auth-url", {}, "clinic")).code).toBe("HIPAA_RESTRICTED")
  })

  it("is not connected with a rejected code, and the sign-in can start again", async () => {
    await begin()
    const state = await stateOf()
    const refused = await email("POST", "/callback", { body: { code: "made-up", state } })
    expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, "code"])
    const used = await email("POST", "/callback", { body: { code: nylas.signIn("sales@acme.com"), state } })
    expect([used.status, at(used.json, "error", "details", 0, "path")]).toEqual([400, "state"])
    nylas.fault({ mood: 503, on: /token/u, times: 9 })
    const away = await signIn()
    expect([away.status, away.code]).toEqual([502, "PROVIDER_ERROR"])
    expect(away.text).not.toContain(nylas.apiKey)
  })

  it("is connected with an existing grant if the operator requests it", async () => {
    await begin()
    const grant = nylas.connected("sales@acme.com", "microsoft")
    const body = { provider: "microsoft", email: "sales@acme.com", provider_grant_id: grant.id }
    expect((await email("POST", "/connect", { body: { ...body, provider: "google" } })).status).toBe(400)
    expect((await email("POST", "/connect", { body: { ...body, provider_grant_id: "sales@acme.com" } })).status).toBe(
      400
    )
    expect((await email("POST", "/connect", { body: { provider: "microsoft", email: "sales@acme.com" } })).status).toBe(
      400
    )
    const connected = await email("POST", "/connect", { body })
    expect([connected.status, at(connected.json, "provider")]).toEqual([201, "microsoft"])
  })

  it("stores delivered mail and its attachments", async () => {
    await begin()
    await signIn()
    const plan = { filename: "plan.pdf", contentType: "application/pdf", content: "%PDF the plan" }
    const huge = { filename: "huge", contentType: "a/b", content: new Uint8Array(26 * 1_048_576) }
    const { id } = await arrive({ from: jane, subject: "Plan", body: "See the plan.", attachments: [huge, plan] })
    const [message] = await messages()
    const files = list(at(message, "attachments"))
    expect(files.map((file) => [at(file, "filename"), typeof at(file, "download_url")])).toEqual([
      ["huge", "object"],
      ["plan.pdf", "string"]
    ])
    expect((await server.call("GET", textAt(files[1], "download_url"))).text).toBe("%PDF the plan")
    const path = `/api/v1/tenants/acme/messages/${textAt(message, "message_id")}/raw`
    const raw = await server.call("GET", path, { as: adminKey })
    expect([raw.headers.get("content-type"), raw.headers.get("content-disposition")]).toEqual([
      "application/json",
      expect.stringContaining(".json")
    ])
    expect(raw.text).toContain(id)
  })

  it("is read with one request per mail, by id, despite repeated events", async () => {
    await begin()
    await signIn()
    const mail = {
      from: jane,
      subject: "Küche",
      body: "<p>What would a <b>kitchen</b> cost?<script>alert(1)</script></p>",
      messageId: "one@customer.example"
    }
    const first = await arrive(mail)
    await sendReport(account(), first)
    await jobs()
    const answered = await arrive({ from: jane, subject: "Re: Küche", body: "And when?", inReplyTo: first.messageId })
    expect(requestsTo(/^GET .*\/messages\/[^/]+$/u).map(({ path, query }) => [path, query.get("fields")])).toEqual(
      [first, answered].map(({ id }) => [
        `/v3/grants/${account().id}/messages/${encodeURIComponent(id)}`,
        "include_headers"
      ])
    )
    const [one, two, ...more] = await messages()
    expect(more).toEqual([])
    expect(one).toMatchObject({
      actor: "contact",
      subject: "Küche",
      body: "What would a kitchen cost?",
      internet_message_id: "one@customer.example",
      received_alias: "sales@acme.com"
    })
    expect(at(one, "html_body")).not.toContain("script")
    expect(at(two, "thread_id")).toBe(at(one, "thread_id"))
  })

  it("rejects unsigned events and repeats the challenge of a handshake exactly", async () => {
    await begin()
    const hello = await server.call("GET", `${providerEventPath}?challenge=bc609b38-c81f%20x`)
    expect([hello.status, hello.text]).toEqual([200, "bc609b38-c81f x"])
    expect(hello.headers.get("content-type")).toContain("text/plain")
    expect((await server.call("GET", providerEventPath)).status).toBe(400)
    const { body, signature } = nylas.signedProviderEvent("message.created", { id: "m", grant_id: "g" })
    const text = Buffer.from(body).toString()
    const post = (sent: string, headers: Record<string, string>) =>
      server.call("POST", providerEventPath, {
        body: sent,
        headers: { "content-type": "application/json", ...headers }
      })
    expect((await post(text, {})).status).toBe(401)
    expect(
      (await post(text, { "x-nylas-signature": `${signature.startsWith("0") ? 1 : 0}${signature.slice(1)}` })).status
    ).toBe(401)
    expect((await post(`${text} `, { "x-nylas-signature": signature })).status).toBe(401)
    expect((await post(text, { "x-nylas-signature": signature })).status).toBe(200)
    expect((await server.call("PUT", providerEventPath, { body: {} })).status).toBe(405)
    await Promise.all(Array.from({ length: 30 }, () => post(text, { "x-nylas-signature": "guess" })))
    expect((await post(text, { "x-nylas-signature": "guess" })).status).toBe(429)
    expect((await post(text, { "x-nylas-signature": signature })).status).toBe(200)
  })

  it("sends, and recognises reports of its own mail, even before the provider's response", async () => {
    await begin()
    await signIn()
    const question = await arrive({ from: jane, subject: "Kitchen", body: "How much?" })
    const [stored] = await messages()
    const body = {
      to: [jane],
      subject: "Re: Kitchen",
      body: "<p>A lot.</p>",
      reply_to_message_id: at(stored, "message_id")
    }
    const sent = await email("POST", "/send", { as: world.acme.apiKey, body })
    expect(sent.status).toBe(201)
    const [request] = requestsTo(/^POST .*\/messages\/send$/u)
    expect(request?.json).toMatchObject({ to: [jane], reply_to_message_id: question.id })
    expect(request?.headers["idempotency-key"]).toMatch(/@acme\.com$/u)
    const sentMail = account().messages.at(-1)
    if (sentMail === undefined) throw new Error("nothing was sent")
    await sendReport(account(), sentMail)
    await jobs()
    nylas.fault({ mood: "drop", on: /messages\/send$/u, times: 2, done: true })
    const lost = await email("POST", "/send", { as: world.acme.apiKey, body: { ...body, subject: "Lost answer" } })
    expect(lost.status).toBe(201)
    const inMailbox = account().messages.filter(({ json }) => json["subject"] === "Lost answer")
    expect(inMailbox.length).toBe(1)
    expect((await messages()).map((each) => at(each, "delivery"))).toContain("unknown")
    for (const message of inMailbox) await sendReport(account(), message)
    await jobs()
    const all = await messages()
    expect(all.map((each) => [at(each, "actor"), at(each, "delivery")])).toEqual([
      ["contact", null],
      ["agent", "sent"],
      ["agent", "sent"]
    ])
    const reply = await arrive({ from: jane, subject: "Re: Kitchen", body: "Oh.", inReplyTo: sentMail.messageId })
    const found = (await messages()).find((each) => at(each, "internet_message_id") === reply.messageId)
    expect(at(found, "thread_id")).toBe(at(sent.json, "thread_id"))
  })

  it("expires, waits, and catches up after its owner has signed in again", async () => {
    await begin()
    const grantId = textAt((await signIn()).json, "grant_id")
    await arrive({ from: jane, body: "Told." })
    nylas.deliver(account(), { from: jane, body: "Never told of." })
    account().valid = false
    expect(
      (await providerEvent("grant.expired", { grant_id: account().id, provider: "google", code: 25009 })).status
    ).toBe(200)
    expect(at((await email("GET", `/grants/${grantId}`)).json, "status")).toBe("expired")
    const body = { to: [jane], subject: "Hello", body: "Hello" }
    const waiting = await email("POST", "/send", { as: world.acme.apiKey, body })
    expect(waiting.status).toBe(201)
    expect(requestsTo(/messages\/send$/u)).toEqual([])
    const again = await signIn()
    expect([at(again.json, "grant_id"), at(again.json, "status")]).toEqual([grantId, "active"])
    await jobs()
    const bodies = (await messages()).map((each) => at(each, "body"))
    expect(bodies.toSorted()).toEqual(["Hello", "Never told of.", "Told."])
    await server.run(drainSends)
  })

  it("is released at the provider when it is disconnected", async () => {
    await begin()
    const grantId = textAt((await signIn()).json, "grant_id")
    expect((await email("DELETE", `/grants/${grantId}`)).status).toBe(204)
    await jobs()
    expect(nylas.grant("sales@acme.com")).toBeUndefined()
    expect((await email("GET", "/grants")).json).toEqual({ grants: [] })
  })
})

describe("a server without a webhook secret", () => {
  it("answers the handshake, rejects provider events and polls for mail", async () => {
    await begin({ LEADLOOM_NYLAS_WEBHOOK_SECRET: "" })
    expect((await server.call("GET", `${providerEventPath}?challenge=abc`)).text).toBe("abc")
    expect((await providerEvent("message.created", { id: "m", grant_id: "g" })).status).toBe(503)
    await signIn()
    nylas.deliver(account(), { from: jane, body: "Hello?" })
    await signIn()
    await jobs()
    expect((await messages()).map((each) => at(each, "body"))).toEqual(["Hello?"])
  })
})
