import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { SmsProvider } from "@leadloom/core/port/provider/SmsProvider"
import { clearedText } from "@leadloom/testkit/outbound/Cleared"
import { Effect, Option, Redacted, Result, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { afterEach, expect, it } from "vitest"
import { maybe } from "../../src/provider/Lenient.ts"
import { readReference, type SmsAccount, type SmsWebhook, textArrived } from "../../src/sms/SmsAccount.ts"
import { probeSms, smsLayer } from "../../src/sms/SmsLayer.ts"
import { order } from "../twilio/TwilioWorld.ts"

// The example of docs/how-to/write-an-sms-provider.md.
const Sent = Schema.Struct({ id: Schema.String, status: Schema.String, error: maybe(Schema.String) })
const Event = Schema.Struct({
  type: Schema.String,
  id: Schema.String,
  from: maybe(Schema.String),
  to: maybe(Schema.String),
  text: maybe(Schema.String),
  reference: maybe(Schema.String),
  status: maybe(Schema.String),
  error: maybe(Schema.String)
})
const Problem = Schema.Struct({ code: maybe(Schema.String), message: maybe(Schema.String) })

const states = { accepted: "queued", sent: "sent", delivered: "delivered", failed: "failed" } as const
const about = { blocked: "opted_out", no_such_number: "unreachable" } as const

const known = <A extends object>(table: A, word: string): A[keyof A] | null =>
  Option.getOrNull(Option.map(Option.liftPredicate(word, (each) => Object.hasOwn(table, each)), (each) =>
    Reflect.get(table, each)
  ))

const progressOf = (id: string, status: string, error: string | null | undefined) => {
  const state = known(states, status)
  return state === null
    ? null
    : { providerMessageId: id, state, reason: error ?? null, about: known(about, error ?? "") }
}

const eventIn = ({ body }: SmsWebhook) =>
  Option.getOrNull(Schema.decodeUnknownOption(Schema.fromJsonString(Event))(new TextDecoder().decode(body)))

const acme = (apiUrl: string, token: Redacted.Redacted, signingSecret: Redacted.Redacted): SmsAccount => ({
  provider: {
    name: "Acme",
    baseUrl: apiUrl,
    authorize: HttpClientRequest.bearerToken(token),
    secrets: [token],
    problemOf: (json, { status }) => {
      const problem = Option.getOrNull(Schema.decodeUnknownOption(Problem)(json))
      return { code: problem?.code ?? null, text: `${status} ${problem?.message ?? ""}` }
    }
  },
  send: ({ body, from, reference, to }) => ({
    method: "POST",
    path: ["messages"],
    json: { from, to, text: body, reference }
  }),
  readSent: (json) =>
    Option.getOrNull(
      Option.map(Schema.decodeUnknownOption(Sent)(json), ({ error, id, status }) => progressOf(id, status, error))
    ),
  reportOf: (code) => known(about, code ?? ""),
  isSigned: ({ body, headers }) => {
    const given = Buffer.from(headers["x-acme-signature"] ?? "", "hex")
    const right = createHmac("sha256", Redacted.value(signingSecret)).update(body).digest()
    return given.length === right.length && timingSafeEqual(given, right)
  },
  readTexts: (webhook) => {
    const event = eventIn(webhook)
    return event?.type !== "inbound"
      ? []
      : [{ providerMessageId: event.id, from: event.from ?? "", to: event.to ?? "", body: event.text ?? "" }]
  },
  readReports: (webhook) => {
    const event = eventIn(webhook)
    if (event?.type !== "report") return []
    const progress = progressOf(event.id, event.status ?? "", event.error)
    return progress === null ? [] : [{ ...progress, reference: event.reference ?? null }]
  },
  probe: { method: "GET", path: ["account"] }
})

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
  return { received, account: acme(`http://127.0.0.1:${port}`, token, signingSecret) }
}

const send = (account: SmsAccount) =>
  Effect.runPromise(
    Effect.result(
      Effect.flatMap(SmsProvider, (sms) => sms.send(order("Hello"), clearedText("acme", order().text.to)))
    ).pipe(Effect.provide(smsLayer(account, "https://leads.example.com/status")))
  )

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

it("checks the credentials", async () => {
  const { account } = await listen(200, {})
  expect(await Effect.runPromise(probeSms(account))).toBeNull()
  await close()
  const refusing = await listen(401, { message: `unknown ${Redacted.value(token)}` })
  expect(await Effect.runPromise(probeSms(refusing.account))).toBe("401 unknown [secret]")
})

it("verifies and decodes webhooks", async () => {
  const account = acme("https://api.acme.example", token, signingSecret)
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
