import { outgoingForm } from "../../src/nylas/OutgoingJson.ts"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import type { NylasStandIn } from "@leadloom/testkit/nylas/NylasStandIn"
import type { StandInFault } from "@leadloom/testkit/nylas/StandInFaults"
import type { StandInGrant } from "@leadloom/testkit/nylas/StandInMailbox"
import { Effect, Fiber, Redacted } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clearedMail } from "@leadloom/testkit/outbound/Cleared"
import * as NylasTransport from "../../src/nylas/NylasTransport.ts"
import { configOf, grantFor, mail, timeouts, sending, startNylas } from "./NylasWorld.ts"

let nylas: NylasStandIn
let account: StandInGrant
beforeEach(async () => {
  nylas = await startNylas()
  account = nylas.connected("sales@mueller.example")
})
afterEach(() => nylas.close())

const send = (changes: Parameters<typeof sending>[2] = {}) => sending(configOf(nylas), account, changes)
const lastBody = () => nylas.requests.at(-1)?.json

describe("a mail handed to Nylas", () => {
  it("is sent once, and its receipt contains the provider's ids", async () => {
    const sent = await send()
    const [message, ...more] = account.messages
    expect(more).toEqual([])
    expect(sent).toMatchObject({
      tag: "sent",
      left: true,
      refused: [],
      assigned: {
        internetMessageId: message?.messageId,
        providerMessageId: message?.id,
        providerThreadId: message?.threadId
      }
    })
    expect(message?.messageId).not.toBe(mail.internetMessageId)
  })

  it("has the provider's format", async () => {
    await send({
      cc: [{ email: "cc@customer.example", name: "Carl" }],
      bcc: [{ email: "bcc@customer.example", name: null }],
      html: "<p>Hello</p>"
    })
    const [request] = nylas.requests
    expect(request).toMatchObject({ method: "POST", path: `/v3/grants/${account.id}/messages/send` })
    expect(request?.query.toString()).toBe("fields=include_basic_headers")
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${nylas.apiKey}`,
      "idempotency-key": mail.internetMessageId
    })
    expect(Object.keys(request?.headers ?? {})).not.toContain("traceparent")
    expect(request?.json).toEqual({
      from: [{ email: "sales@mueller.example", name: "Müller" }],
      to: [{ email: "jo@customer.example" }],
      cc: [{ email: "cc@customer.example", name: "Carl" }],
      bcc: [{ email: "bcc@customer.example" }],
      subject: "Grüße",
      body: "<p>Hello</p>",
      custom_headers: [{ name: "X-Leadloom-Message", value: mail.internetMessageId }]
    })
  })

  it("has its files in fields of a form, images under their content ids", async () => {
    const file = { contentType: "image/png", filename: "logo.png", size: 4, objectKey: "upl_1" }
    const attachments = [
      { ...file, contentId: "logo" },
      { ...file, filename: "a.txt", contentType: "text/plain", contentId: null }
    ]
    const files = ["logo", "text"].map((content) => new TextEncoder().encode(content))
    const replyTo = [{ email: "desk@mueller.example", name: null }]
    const form = outgoingForm({ ...mail, attachments, replyTo }, "google", files)
    const sent = await new Response(form).formData()
    expect(JSON.parse(String(sent.get("message")))).toMatchObject({
      subject: "Grüße",
      reply_to: [{ email: "desk@mueller.example" }]
    })
    const [logo, text] = [sent.get("logo"), sent.get("file1")]
    if (!(logo instanceof File) || !(text instanceof File)) throw new Error("a file is missing")
    expect([logo.name, logo.type, await logo.text()]).toEqual(["logo.png", "image/png", "logo"])
    expect([text.name, await text.text()]).toEqual(["a.txt", "text"])
  })

  it("is marked as plain text when it has no HTML", async () => {
    await send()
    expect(lastBody()).toMatchObject({ body: "Hello", is_plaintext: true })
  })

  it("joins the thread of the mail that it answers", async () => {
    const question = nylas.deliver(account, { from: { email: "jo@customer.example" }, messageId: "q@customer.example" })
    const sent = await send({ answersProviderId: question.id })
    expect(sent).toMatchObject({ assigned: { providerThreadId: question.threadId } })
    expect(account.messages.at(-1)?.headers).toContainEqual({ name: "In-Reply-To", value: "<q@customer.example>" })
  })

  it.each([
    ["google", ["X-Leadloom-Message", "Auto-Submitted", "X-Auto-Response-Suppress"]],
    ["microsoft", ["X-Leadloom-Message", "X-Auto-Response-Suppress"]]
  ] as const)("that was written automatically is marked as far as %s permits", async (provider, names) => {
    account = nylas.connected("info@mueller.example", provider)
    expect(await send({ automatic: true })).toMatchObject({ tag: "sent" })
    const headers = account.messages[0]?.headers.map(({ name }) => name) ?? []
    expect(headers.filter((name) => /^X-|^Auto/u.test(name))).toEqual(names)
  })

  it("has a key that fits into a header, for any Message-ID", async () => {
    expect(await send({ internetMessageId: `${"ü".repeat(300)}@müller.example` })).toMatchObject({ tag: "sent" })
    expect(nylas.requests[0]?.headers["idempotency-key"]).toMatch(/^[\da-f]{64}$/u)
  })
})

describe("the outcome of a mail", () => {
  it.each<readonly [tag: string, fault: StandInFault]>([
    ["Refused", { mood: 400 }],
    ["Refused", { mood: 422 }],
    ["Refused", { mood: 413 }],
    ["SignedOut", { mood: 401 }],
    ["SignedOut", { mood: 403 }],
    ["SignedOut", { mood: 404 }],
    ["Unavailable", { mood: 429 }],
    ["Unavailable", { mood: 307 }],
    ["OutcomeUnknown", { mood: 409, type: "api.invalid_idempotent_request" }],
    ["OutcomeUnknown", { mood: 200, json: "welcome" }],
    ["OutcomeUnknown", { mood: 408 }],
    ["OutcomeUnknown", { mood: 500 }],
    ["OutcomeUnknown", { mood: 504 }],
    ["OutcomeUnknown", { mood: "drop", times: 2 }],
    ["OutcomeUnknown", { mood: "hang", times: 2 }]
  ])("is %s after %j", async (tag, fault) => {
    nylas.fault(fault)
    const hurried = { first: 150, pause: 10, whole: 400 }
    const sent = await sending(configOf(nylas), account, {}, fault.mood === "hang" ? hurried : timeouts)
    expect(sent).toMatchObject({ tag, reason: expect.stringMatching(/./u) })
    expect(account.messages).toEqual([])
    expect(JSON.stringify(sent)).not.toContain(nylas.apiKey)
  })

  it.each<readonly [what: string, fault: StandInFault]>([
    ["the connection is lost before it is done", { mood: "drop" }],
    ["the connection is lost after it is done", { mood: "drop", done: true }],
    ["the answer never comes", { mood: "hang", done: true }],
    ["a gateway gives up while it is done", { mood: 502, done: true }],
    ["somebody in between says yes to everything", { mood: 200, json: "welcome", done: true }],
    ["another request under its key is in flight", { mood: 409, done: true, type: "api.concurrent_idempotent_request" }]
  ])("is determined by a repetition when %s", async (_, fault) => {
    nylas.fault(fault)
    const sent = await sending(configOf(nylas), account, {}, { first: 1_000, pause: 10, whole: 6_000 })
    expect(sent).toMatchObject({ tag: "sent", assigned: { providerMessageId: account.messages[0]?.id } })
    expect(account.messages).toHaveLength(1)
    expect(nylas.requests).toHaveLength(2)
    expect(nylas.requests[0]?.headers["idempotency-key"]).toBe(nylas.requests[1]?.headers["idempotency-key"])
    expect(nylas.requests[0]?.text).toBe(nylas.requests[1]?.text)
  })

  it.each([429, 401, 403, 404])("is unknown when the repetition receives %i", async (mood) => {
    nylas.fault({ mood: "drop", done: true })
    nylas.fault({ mood })
    expect(await send()).toMatchObject({ tag: "OutcomeUnknown", reason: expect.stringContaining(String(mood)) })
    expect(account.messages).toHaveLength(1)
  })

  it("is a refusal when the repetition is refused: no mail was sent", async () => {
    nylas.fault({ mood: "drop" })
    expect(await send({ to: [{ email: "", name: null }] })).toMatchObject({ tag: "Refused" })
  })

  it("is unknown while the first request is in progress", async () => {
    nylas.fault({ mood: "hang" })
    const sent = await sending(configOf(nylas), account, {}, { first: 1_000, pause: 10, whole: 6_000 })
    expect(sent).toMatchObject({ tag: "OutcomeUnknown", reason: expect.stringContaining("concurrent") })
  })

  it("is unknown when another mail used the same key", async () => {
    await send()
    expect(await send({ text: "something else" })).toMatchObject({ tag: "OutcomeUnknown" })
    expect(account.messages).toHaveLength(1)
    expect(nylas.requests).toHaveLength(2)
  })

  it("is one sent mail for any number of repetitions", async () => {
    const first = await send()
    expect(await send()).toEqual(first)
    expect(account.messages).toHaveLength(1)
  })

  it("requires a new sign-in, unless the API key is rejected", async () => {
    account.valid = false
    expect(await send()).toMatchObject({ tag: "SignedOut" })
    const stranger = configOf(nylas, { apiKey: Redacted.make("another-key") })
    expect(await sending(stranger, account)).toMatchObject({
      tag: "Unavailable",
      reason: expect.stringContaining("API key")
    })
  })

  it("is a refusal if the answered mail is missing", async () => {
    expect(await send({ answersProviderId: "gone" })).toMatchObject({ tag: "Refused" })
  })

  it("requires no new sign-in when the response was a stored one", async () => {
    await send()
    const kept = account.answers.get(mail.internetMessageId)
    if (kept !== undefined) kept.answer = { status: 401, json: { error: { type: "unauthorized", message: "expired" } } }
    expect(await send()).toMatchObject({ tag: "Unavailable" })
  })

  it("is unsent when the server is down", async () => {
    await nylas.close()
    expect(await send()).toMatchObject({ tag: "Unavailable", reason: expect.stringContaining("ECONNREFUSED") })
    nylas = await startNylas()
  })

  it("is unsent for an account that is not signed in", async () => {
    const program = Effect.flatMap(EmailTransport, (transport) =>
      transport.send(
        { grant: { ...grantFor(account), providerGrantId: null }, mail },
        clearedMail(grantFor(account).tenantId, mail)
      )
    )
    const failed = await Effect.runPromise(
      Effect.flip(program).pipe(Effect.provide(NylasTransport.layer(configOf(nylas))))
    )
    expect(failed).toMatchObject({ reason: { _tag: "SignedOut" } })
    expect(nylas.requests).toEqual([])
  })
})

describe("an uninterruptible send", () => {
  const begin = (waiting: NylasTransport.SendTimeouts) =>
    Effect.runFork(
      Effect.flatMap(EmailTransport, (transport) =>
        transport.send(
          { grant: grantFor(account), mail: { ...mail, from: { email: account.email, name: null } } },
          clearedMail(grantFor(account).tenantId, mail)
        )
      ).pipe(
        Effect.provide(NylasTransport.layer(configOf(nylas), waiting)),
        Effect.exit,
        Effect.map((exit) => exit._tag),
        Effect.uninterruptible
      )
    )

  it("receives its response despite an interruption", async () => {
    nylas.fault({ mood: "hang" })
    const fiber = begin({ first: 5_000, pause: 10, whole: 9_000 })
    await nylas.until(1)
    Effect.runFork(Fiber.interrupt(fiber))
    nylas.release()
    await Effect.runPromise(Fiber.await(fiber))
    expect(account.messages).toHaveLength(1)
    expect(nylas.requests).toHaveLength(1)
  })

  it("ends automatically without a response", async () => {
    nylas.fault({ mood: "hang", times: 2 })
    expect(await Effect.runPromise(Fiber.join(begin({ first: 100, pause: 10, whole: 300 })))).toBe("Failure")
  })
})
