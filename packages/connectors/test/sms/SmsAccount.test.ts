import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { SmsProvider } from "@leadloom/core/internal/port/provider/SmsProvider"
import { clearedText } from "@leadloom/testkit/outbound/Cleared"
import { Effect, Redacted, Result } from "effect"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { repository } from "@leadloom/testkit/Sources"
import { readReference, type SmsAccount, type SmsWebhook, textArrived } from "../../src/sms/SmsAccount.ts"
import { probeSms, smsLayer, reportsOf } from "../../src/sms/SmsLayer.ts"
import { acme } from "./AcmeSms.ts"
import { order } from "../twilio/TwilioWorld.ts"

/** Opens the account of the example in docs/how-to/write-an-sms-provider.md. */
const open = (apiUrl: string): SmsAccount =>
  acme.open((name) =>
    name === "LEADLOOM_SMS_ACME_TOKEN"
      ? token
      : name === "LEADLOOM_SMS_ACME_SIGNING_SECRET"
        ? signingSecret
        : Redacted.make(apiUrl)
  )

const token = Redacted.make("acme-token-0123456789")
const signingSecret = Redacted.make("acme-signing-secret")

let close = async (): Promise<void> => undefined
afterEach(() => close())

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** Starts a provider that gives one answer to all requests. */
const listen = async (status: number, json: unknown) => {
  const received: Array<{ readonly url: string; readonly authorization: string; readonly body: string }> = []
  const server = createServer(async (request, response) => {
    const { headers, url = "" } = request
    received.push({ url, authorization: headers.authorization ?? "", body: await bodyOf(request) })
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json))
  })
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
  close = () => new Promise((closed) => void server.close(() => closed()))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { received, account: open(`http://127.0.0.1:${port}`) }
}

const send = (account: SmsAccount) =>
  Effect.runPromise(
    Effect.result(
      Effect.flatMap(SmsProvider, (sms) => sms.send(order("Hello"), clearedText("acme", order().text.to)))
    ).pipe(Effect.provide(smsLayer(account, "https://leads.example.com/status")))
  )

it("is the example of the guide", () => {
  const guide = readFileSync(join(repository, "docs/how-to/write-an-sms-provider.md"), "utf8")
  const example = readFileSync(join(import.meta.dirname, "AcmeSms.ts"), "utf8").replaceAll("../../src/", "../")
  expect(guide).toContain(example)
})

it("sends a text with a reference to it", async () => {
  const { account, received } = await listen(202, { id: "m1", status: "accepted" })
  expect(await send(account)).toEqual(
    Result.succeed({ left: true, response: "202 queued as m1", providerMessageId: "m1" })
  )
  const [request] = received
  expect(request).toMatchObject({ url: "/messages", authorization: "Bearer acme-token-0123456789" })
  const { reference, ...text } = JSON.parse(request?.body ?? "")
  expect(text).toEqual({ from: order().text.from, to: order().text.to, text: "Hello" })
  expect(readReference(reference)).toEqual({ tenantId: "acme", messageId: order().messageId })
})

it.each([
  [400, { code: "blocked", message: "no" }, { _tag: "Refused", about: "opted_out" }],
  [202, { id: "m1", status: "failed", error: "no_such_number" }, { _tag: "Refused", about: "unreachable" }],
  [500, {}, { _tag: "OutcomeUnknown" }],
  [200, "welcome", { _tag: "OutcomeUnknown" }],
  [503, {}, { _tag: "Unavailable" }]
])("maps the response %i %o", async (status, json, reason) => {
  const { account, received } = await listen(status, json)
  expect(await send(account)).toMatchObject({ failure: { reason } })
  expect(received).toHaveLength(1)
})

it("keeps secrets, control characters and long texts out of reasons", async () => {
  const secret = Redacted.value(token)
  const { account } = await listen(202, { id: "m1", status: "failed", error: `${secret}\0${"x".repeat(10_000)}` })
  const failure = JSON.stringify(await send(account))
  expect(failure).toContain("[secret]")
  expect(failure).not.toContain(secret)
  expect(failure.length).toBeLessThan(2_000)
  const body = Buffer.from(
    JSON.stringify({ type: "report", id: "m1", status: "failed", error: `${secret}\0${"x".repeat(10_000)}` })
  )
  const [report] = reportsOf(account, { url: "https://leads.example.com/x", headers: {}, body, now: 0 })
  expect(report?.reason).toContain("[secret]")
  expect(report?.reason).not.toMatch(/\0/u)
  expect(report?.reason?.length).toBeLessThan(1_000)
})

it("checks the credentials", async () => {
  const { account } = await listen(200, {})
  expect(await Effect.runPromise(probeSms(account))).toBeNull()
  await close()
  const refusing = await listen(401, { message: `unknown ${Redacted.value(token)}` })
  expect(await Effect.runPromise(probeSms(refusing.account))).toBe("401 unknown [secret]")
})

it("verifies and decodes webhooks", async () => {
  const account = open("https://api.acme.example")
  const webhook = (event: unknown, secret = "acme-signing-secret"): SmsWebhook => {
    const body = Buffer.from(JSON.stringify(event))
    const signature = createHmac("sha256", secret).update(body).digest("hex")
    return { url: "https://leads.example.com/x", headers: { "x-acme-signature": signature }, body, now: 0 }
  }
  const text = webhook({ type: "inbound", id: "m2", from: "+15550001111", to: "+15550100001", text: "Hi\0" })
  expect([text, webhook({}, "wrong"), { ...text, headers: {} }].map(account.isSigned)).toEqual([true, false, false])
  expect(account.readTexts(text).map(textArrived)).toMatchObject([{ providerMessageId: "m2", body: "Hi\uFFFD" }])
  expect(account.readReports(text)).toEqual([])
  const report = webhook({ type: "report", id: "m1", status: "delivered", reference: "tenant=acme&message=x" })
  expect(account.readReports(report)).toMatchObject([{ state: "delivered", reference: "tenant=acme&message=x" }])
  expect(account.readTexts(report)).toEqual([])
})

it("bounds what a stranger sends, and ignores references that are not ours", () => {
  const inbound = { providerMessageId: "x".repeat(1_000), from: "y".repeat(1_000), to: "+15550100001", body: "" }
  const media = Array.from({ length: 100 }, () => ({ url: "https://x.example", contentType: "image/png" }))
  const arrived = textArrived({ ...inbound, media })
  expect([arrived?.providerMessageId.length, arrived?.from.length, arrived?.media.length]).toEqual([64, 64, 20])
  expect(textArrived({ ...inbound, from: " " })).toBeNull()
  for (const reference of ["", "tenant=acme", "tenant=acme&message=x", "message=msg_00000000000000000000000001"])
    expect(readReference(reference)).toBeNull()
})

it("ignores a report without a reference, instead of trusting an unsigned URL", () => {
  const account = open("https://api.acme.example")
  const body = Buffer.from(JSON.stringify({ type: "report", id: "m1", status: "sent" }))
  expect(account.readReports({ url: "", headers: {}, body, now: 0 })).toMatchObject([{ reference: null }])
})
