import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { probeSms, readReference, type SmsAccount, smsLayer, type SmsWebhook, textArrived } from "@leadloom/connectors"
import { SmsProvider, type TextOrder } from "@leadloom/core"
import { clearedText } from "@leadloom/testkit/outbound/Cleared"
import { Effect, Redacted, Result } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { vonage } from "../VonageSms.ts"

const apiSecret = "a-secret-of-the-account"
const signatureSecret = "a-secret-for-signatures"
const now = Date.parse("2026-03-02T10:00:00Z")
/** The longest id of a tenant. */
const tenantId = "t".repeat(63)

const order = (body: string): TextOrder => ({
  tenantId,
  messageId: "msg_00000000000000000000000001",
  text: { from: "+15551234567", to: "+15550001111", body, segments: 1, automatic: false }
})

const open = (apiUrl: string): SmsAccount => {
  const settings: Readonly<Record<string, string>> = {
    LEADLOOM_SMS_VONAGE_API_KEY: "abcd1234",
    LEADLOOM_SMS_VONAGE_API_SECRET: apiSecret,
    LEADLOOM_SMS_VONAGE_SIGNATURE_SECRET: signatureSecret,
    LEADLOOM_SMS_VONAGE_API_URL: apiUrl
  }
  return vonage.open((name) => Redacted.make(settings[name] ?? ""))
}

let close = async (): Promise<void> => undefined
afterEach(() => close())

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

interface Answer {
  readonly status?: number
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Starts a stand-in that gives one answer to all requests; null: it reads the request and never answers. */
const listen = async (answer: Answer | null) => {
  const received: Array<{
    readonly method: string
    readonly url: string
    readonly auth: string
    readonly body: string
  }> = []
  const server = createServer(async (request, response) => {
    const { headers, method = "", url = "" } = request
    received.push({ method, url, auth: headers.authorization ?? "", body: await bodyOf(request) })
    if (answer === null) return
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
    response.end(JSON.stringify(answer.json))
  })
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
  close = () =>
    new Promise((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { received, account: open(`http://127.0.0.1:${port}`) }
}

const send = (account: SmsAccount, body = "We come on Monday.") => {
  const text = order(body)
  const sent = Effect.flatMap(SmsProvider, (sms) => sms.send(text, clearedText(tenantId, text.text.to)))
  return Effect.runPromise(
    Effect.result(sent).pipe(Effect.provide(smsLayer(account, "https://leads.example.com/status")))
  )
}

const accepted = (id: string) => ({ status: "0", "message-id": id })

describe("a text", () => {
  it("is sent once, as the API requires", async () => {
    const { account, received } = await listen({ json: { messages: [accepted("0C01")] } })
    expect(await send(account)).toEqual(
      Result.succeed({ left: true, response: "200 queued as 0C01", providerMessageId: "0C01" })
    )
    expect(received).toHaveLength(1)
    const [request] = received
    expect(request).toMatchObject({
      method: "POST",
      url: "/sms/json",
      auth: `Basic ${Buffer.from(`abcd1234:${apiSecret}`).toString("base64")}`
    })
    const { "client-ref": clientRef = "", ...form } = Object.fromEntries(new URLSearchParams(request?.body))
    expect(form).toEqual({ from: "15551234567", to: "15550001111", text: "We come on Monday.", type: "text" })
    expect(clientRef.length).toBeLessThanOrEqual(100)
  })

  it("is sent as Unicode if its characters require it", async () => {
    const { account, received } = await listen({ json: { messages: [accepted("0C01")] } })
    await send(account, "Привет & ✓")
    const form = new URLSearchParams(received[0]?.body)
    expect([form.get("type"), form.get("text")]).toEqual(["unicode", "Привет & ✓"])
  })

  it.each([
    [[{ status: "3", "error-text": "invalid" }], { _tag: "Refused", detail: "3 invalid", about: null }],
    [[{ status: "7", "error-text": "barred" }], { _tag: "Refused", detail: "7 barred", about: "unreachable" }],
    [[{ status: "5", "error-text": "internal" }], { _tag: "OutcomeUnknown" }],
    [[{ status: "1", "error-text": "throttled" }], { _tag: "Unavailable", code: "1" }],
    [[{ status: "4", "error-text": "credentials" }], { _tag: "SignedOut" }],
    [[accepted("0C01"), { status: "6" }], { _tag: "OutcomeUnknown" }],
    [[{ status: "1" }, accepted("0C01")], { _tag: "OutcomeUnknown" }],
    [[{ status: "0" }], { _tag: "OutcomeUnknown" }],
    [[], { _tag: "OutcomeUnknown" }]
  ])("with the parts %o has the right outcome", async (messages, reason) => {
    const { account, received } = await listen({ json: { messages } })
    expect(await send(account)).toMatchObject({ failure: { reason } })
    expect(received).toHaveLength(1)
  })

  it("waits as long as the API requests", async () => {
    const { account, received } = await listen({ status: 429, json: {}, headers: { "retry-after": "7" } })
    const reason = { _tag: "Unavailable", retryAfterMillis: 7_000 }
    expect(await send(account)).toMatchObject({ failure: { reason } })
    expect(received).toHaveLength(1)
  })

  it("has an unknown outcome without a response in time", async () => {
    const { account } = await listen(null)
    const hasty: SmsAccount = { ...account, send: (text) => ({ ...account.send(text), timeoutMillis: 50 }) }
    const reason = { _tag: "OutcomeUnknown", detail: "Vonage did not respond within 0.05 s" }
    expect(await send(hasty)).toMatchObject({ failure: { reason } })
  })

  it("has an unknown outcome if a proxy answers", async () => {
    const { account } = await listen({ json: "welcome" })
    expect(await send(account)).toMatchObject({ failure: { reason: { _tag: "OutcomeUnknown" } } })
  })
})

it("checks the credentials, without the secret in the problem", async () => {
  const { account, received } = await listen({ json: { value: 10 } })
  expect(await Effect.runPromise(probeSms(account))).toBeNull()
  expect(received).toMatchObject([{ method: "GET", url: "/account/get-balance" }])
  await close()
  const refusing = await listen({ status: 401, json: { title: "Unauthorized", detail: `not ${apiSecret}` } })
  expect(await Effect.runPromise(probeSms(refusing.account))).toBe("401 not [secret]")
})

const webhookOf = (event: unknown): SmsWebhook => ({
  url: "https://leads.example.com/api/v1/webhook/providers/vonage/sms",
  headers: {},
  body: Buffer.from(JSON.stringify(event)),
  now
})

/** Signs a text whose parameters are in alphabetical order. */
const sign = (signed: string, secret = signatureSecret) => createHmac("sha256", secret).update(signed).digest("hex")

const timestamp = String(now / 1_000 - 60)
const inbound = {
  msisdn: "15550001111",
  to: "15551234567",
  messageId: "0B01",
  text: "a=b & c",
  type: "text",
  timestamp
}
const inboundSigned = (at = timestamp) =>
  `&messageId=0B01&msisdn=15550001111&text=a_b _ c&timestamp=${at}&to=15551234567&type=text`

describe("a webhook", () => {
  const account = open("https://rest.nexmo.example")

  it("with the right signature yields an inbound text", () => {
    const webhook = webhookOf({ ...inbound, sig: sign(inboundSigned()).toUpperCase() })
    expect(account.isSigned(webhook)).toBe(true)
    expect(account.readTexts(webhook).map(textArrived)).toMatchObject([
      { providerMessageId: "0B01", from: "+15550001111", to: "+15551234567", body: "a=b & c" }
    ])
    expect(account.readReports(webhook)).toEqual([])
  })

  const old = String(now / 1_000 - 2 * 86_400)
  it.each([
    ["a wrong secret", { ...inbound, sig: sign(inboundSigned(), "wrong") }],
    ["another text", { ...inbound, text: "yes", sig: sign(inboundSigned()) }],
    ["an additional parameter", { ...inbound, keyword: "A", sig: sign(inboundSigned()) }],
    ["no signature", inbound],
    ["a short signature", { ...inbound, sig: sign(inboundSigned()).slice(0, 8) }],
    ["an old timestamp", { ...inbound, timestamp: old, sig: sign(inboundSigned(old)) }],
    ["a nested parameter", { ...inbound, text: {}, sig: sign(inboundSigned()) }],
    ["no object", "text"]
  ])("with %s is rejected", (_, event) => {
    expect(account.isSigned(webhookOf(event))).toBe(false)
  })

  it("without a timestamp is rejected", () => {
    const { timestamp: _, ...event } = inbound
    const signed = inboundSigned().replace(`&timestamp=${timestamp}`, "")
    expect(account.isSigned(webhookOf({ ...event, sig: sign(signed) }))).toBe(false)
  })

  it("keeps the names of senders that are no numbers", () => {
    const texts = ["12345", "Acme"].flatMap((msisdn) => account.readTexts(webhookOf({ ...inbound, msisdn })))
    expect(texts.map(({ from }) => from)).toEqual(["12345", "Acme"])
  })
})

describe("a delivery receipt", () => {
  const account = open("https://rest.nexmo.example")
  const receipt = { messageId: "0C01", msisdn: "15550001111", to: "15551234567", timestamp }

  it("names the text by the reference that was sent with it", async () => {
    const standIn = await listen({ json: { messages: [accepted("0C01")] } })
    await send(standIn.account)
    const clientRef = new URLSearchParams(standIn.received[0]?.body).get("client-ref")
    const webhook = webhookOf({ ...receipt, status: "delivered", "err-code": "0", "client-ref": clientRef })
    const [report] = account.readReports(webhook)
    expect(report).toMatchObject({ providerMessageId: "0C01", state: "delivered", reason: null, about: null })
    expect(readReference(report?.reference ?? "")).toEqual({ tenantId, messageId: order("").messageId })
    expect(account.readTexts(webhook)).toEqual([])
  })

  it.each([
    ["buffered", "0", { state: "sent", reason: null, about: null }],
    ["expired", "2", { state: "undelivered", reason: "expired, error 2", about: null }],
    ["failed", "9", { state: "failed", reason: "failed, error 9", about: "unreachable" }],
    ["rejected", "3", { state: "failed", reason: "rejected, error 3", about: "unreachable" }]
  ])("with the status %s and the error %s is decoded", (status, code, report) => {
    const reports = account.readReports(webhookOf({ ...receipt, status, "err-code": code }))
    expect(reports).toEqual([{ providerMessageId: "0C01", reference: null, ...report }])
  })

  it("with a hostile error is bounded", () => {
    const reports = account.readReports(webhookOf({ ...receipt, status: "failed", "err-code": `\0${"9".repeat(500)}` }))
    expect(reports[0]?.reason).toBe(`failed, error ${"9".repeat(186)}`)
  })

  it("with an unknown status or a foreign reference changes nothing", () => {
    expect(account.readReports(webhookOf({ ...receipt, status: "unknown" }))).toEqual([])
    const [report] = account.readReports(webhookOf({ ...receipt, status: "accepted", "client-ref": "order 12" }))
    expect(readReference(report?.reference ?? "")).toBeNull()
  })
})
