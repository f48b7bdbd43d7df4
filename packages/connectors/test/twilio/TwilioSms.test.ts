import { SmsProvider, type TextOrder } from "@leadloom/core/internal/port/provider/SmsProvider"
import { clearedText } from "@leadloom/testkit/outbound/Cleared"
import { Effect, Exit, Redacted, Result } from "effect"
import type { Emulator } from "emulate"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import * as SandboxSms from "../../src/sandbox/SandboxSms.ts"
import { smsLayer } from "../../src/sms/SmsLayer.ts"
import type { TwilioConfig } from "../../src/twilio/TwilioConfig.ts"
import { twilioAccount } from "../../src/twilio/TwilioSms.ts"
import {
  checkMessageForm,
  configAt,
  type Mood,
  order,
  ours,
  specificationNote,
  startListener,
  statusUrl,
  startTwilio
} from "./TwilioWorld.ts"

let twilio: Emulator
beforeAll(async () => {
  twilio = await startTwilio()
})
afterAll(() => twilio.close())

let listener: Awaited<ReturnType<typeof startListener>> | null = null
afterEach(async () => {
  await listener?.close()
  listener = null
})

const using = <A, E>(config: TwilioConfig, use: (sms: SmsProvider["Service"]) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    Effect.result(Effect.flatMap(SmsProvider, use)).pipe(
      Effect.provide(smsLayer(twilioAccount(config), statusUrl)),
      Effect.map(outcomeOf)
    )
  )

const outcomeOf = <A, E>(result: Result.Result<A, E>) => (Result.isSuccess(result) ? result.success : result.failure)

const send = (config: TwilioConfig, one: TextOrder = order()) =>
  using(config, (sms) => sms.send(one, clearedText(one.tenantId, one.text.to)))

const listen = async (mood: Mood) => {
  listener = await startListener(() => mood)
  return listener
}

describe("a text through Twilio", () => {
  it("is accepted with the account's token or with an API key", async () => {
    const taken = {
      left: true,
      providerMessageId: expect.stringMatching(/^SM/u),
      response: expect.stringContaining("201")
    }
    expect(await send(configAt(twilio.url))).toEqual(taken)
    const apiKey = { sid: `SK${"1".repeat(32)}`, secret: Redacted.make("a-secret-of-a-key") }
    expect(await send(configAt(twilio.url, { apiKey, authToken: Redacted.make("a newer one") }))).toEqual(taken)
  })

  it("names the URLs of its files on the public host", async () => {
    const { received, url } = await listen({ status: 201, body: '{"sid":"SM1","status":"queued"}' })
    await send(configAt(url), { ...order("A picture"), mediaPaths: ["/api/v1/public/attachments/a.b", "/c"] })
    const form = received[0]?.body ?? ""
    const { origin } = new URL(statusUrl)
    expect(new URLSearchParams(form).getAll("MediaUrl")).toEqual([
      `${origin}/api/v1/public/attachments/a.b`,
      `${origin}/c`
    ])
    if (checkMessageForm !== null) expect(checkMessageForm(form)).toBeNull()
  })

  it.skipIf(checkMessageForm === null)(`matches Twilio's description${specificationNote}`, async () => {
    const { received, url } = await listen({ status: 201, body: '{"sid":"SM1","status":"queued"}' })
    const body = "Grüße & mehr: 50 % + 1\nhttps://x.example/?a=b"
    await send(configAt(url), order(body))
    const form = received[0]?.body ?? ""
    expect(checkMessageForm?.(form)).toBeNull()
    expect(checkMessageForm?.(form.replace("To=", "Too="))).toContain("must NOT have additional properties")
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      To: "+15550001111",
      From: ours,
      Body: body,
      StatusCallback:
        "https://leads.example.com/api/v1/webhook/providers/twilio/status?tenant=acme&message=msg_00000000000000000000000001"
    })
    expect(received[0]?.url).toBe("/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json")
  })

  it("is refused from a foreign number, and waits while the token is wrong", async () => {
    const from = { ...order(), text: { ...order().text, from: "+15550009999" } }
    const refused = { reason: { _tag: "Refused", about: null, detail: expect.stringContaining("21606") } }
    expect(await send(configAt(twilio.url), from)).toMatchObject(refused)
    const wrong = configAt(twilio.url, { authToken: Redacted.make("a wrong token") })
    expect(await send(wrong)).toMatchObject({
      reason: { _tag: "Unavailable", detail: expect.stringContaining("20003") }
    })
  })

  it.each<readonly [string, Mood, object]>([
    [
      "21610",
      { status: 400, body: '{"code":21610,"message":"unsubscribed"}' },
      { reason: { _tag: "Refused", about: "opted_out" } }
    ],
    [
      "21614",
      { status: 400, body: '{"code":21614,"message":"landline"}' },
      { reason: { _tag: "Refused", about: "unreachable" } }
    ],
    [
      "21617",
      { status: 400, body: '{"code":21617,"message":"too long"}' },
      { reason: { _tag: "Refused", about: null } }
    ],
    ["a page of a proxy", { status: 400, body: "<html>" }, { reason: { _tag: "Refused", detail: "status 400" } }],
    [
      "429",
      { status: 429, body: "{}", headers: { "retry-after": "7" } },
      { reason: { _tag: "Unavailable", retryAfterMillis: 7_000 } }
    ],
    ["503", { status: 503, body: "{}" }, { reason: { _tag: "Unavailable", retryAfterMillis: null } }],
    ["500", { status: 500, body: "{}" }, { reason: { _tag: "OutcomeUnknown" } }],
    [
      "an answer of somebody else",
      { status: 200, body: "<html>Welcome</html>" },
      { reason: { _tag: "OutcomeUnknown" } }
    ],
    ["no answer", "cut", { reason: { _tag: "OutcomeUnknown" } }],
    [
      "failed at once",
      { status: 201, body: '{"sid":"SM1","status":"failed","error_code":30006}' },
      { reason: { about: "unreachable" } }
    ],
    [
      "a telephone that is switched off",
      { status: 201, body: '{"sid":"SM1","status":"undelivered","error_code":30003}' },
      { reason: { _tag: "Refused", about: null } }
    ]
  ])("has the expected outcome with %s", async (_, mood, ending) => {
    const { received, url } = await listen(mood)
    expect(await send(configAt(url))).toMatchObject(ending)
    expect(received).toHaveLength(1)
  })

  it("is certainly unsent when the server is down", async () => {
    const { close, url } = await startListener(() => "cut")
    await close()
    expect(await send(configAt(url))).toMatchObject({ reason: { _tag: "Unavailable" } })
  })

  it("never leaks a secret that Twilio repeats", async () => {
    const { url } = await listen({ status: 400, body: '{"message":"bad twilio_test_auth_token"}' })
    expect(JSON.stringify(await send(configAt(url)))).not.toContain("twilio_test_auth_token")
  })

  it("is not sent without a clearance for exactly this number and tenant", async () => {
    const { received, url } = await listen({ status: 201, body: '{"sid":"SM1"}' })
    const tryWith = (cleared: ReturnType<typeof clearedText>) =>
      Effect.runPromise(
        Effect.exit(Effect.flatMap(SmsProvider, (sms) => sms.send(order(), cleared))).pipe(
          Effect.provide(smsLayer(twilioAccount(configAt(url)), statusUrl))
        )
      )
    for (const cleared of [clearedText("acme", "+15550002222"), clearedText("other", "+15550001111")])
      expect(Exit.isFailure(await tryWith(cleared))).toBe(true)
    expect(received).toEqual([])
  })
})

describe("a text with an unknown outcome", () => {
  it("is found by its number, body and time only", async () => {
    const one = order(`Only once: ${Math.random()}`, "+15550003333")
    await send(configAt(twilio.url), one)
    const find = (what: TextOrder, at: number) =>
      using(configAt(twilio.url), (sms) => sms.find(what, { since: at, until: at }))
    const like = { providerMessageId: expect.stringMatching(/^SM/u), state: "queued" }
    expect(await find(one, Date.now())).toEqual([expect.objectContaining(like)])
    expect(await find({ ...one, text: { ...one.text, body: "Another" } }, Date.now())).toEqual([])
    expect(await find(one, Date.now() - 3_600_000)).toEqual([])
    const lately = { since: Date.now() - 3_600_000, until: Date.now() + 3_600_000 }
    expect(await using(configAt(twilio.url), (sms) => sms.find(one, lately))).toHaveLength(1)
    await send(configAt(twilio.url), one)
    expect(await find(one, Date.now())).toEqual([expect.objectContaining(like), expect.objectContaining(like)])
  })
})

describe("the media of a text", () => {
  const media = (at: string, text: string, maxBytes = 100) => using(configAt(at), (sms) => sms.media(text, maxBytes))

  it("are fetched with the account's credentials, up to a limit, and from no other host", async () => {
    const { received, url } = await listen({
      status: 200,
      body: "a picture",
      headers: { "content-type": "Image/PNG; q=1" }
    })
    expect(await media(url, `${url}/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1`)).toEqual({
      contentType: "image/png",
      bytes: new Uint8Array(Buffer.from("a picture"))
    })
    expect(received[0]?.authorization).toMatch(/^Basic /u)
    const count = received.length
    for (const elsewhere of ["http://169.254.169.254/latest", "https://twilio.example/x", "not a url"])
      expect(await media(url, elsewhere)).toMatchObject({ reason: { _tag: "Refused" } })
    expect(received).toHaveLength(count)
    expect(await media(url, `${url}/long`, 3)).toHaveProperty("_tag")
  })

  it("are fetched from Twilio's storage after a redirect, and from no other host", async () => {
    const { received, url } = await listen({
      status: 307,
      body: "",
      headers: { location: "http://127.0.0.1:1/secret" }
    })
    expect(await media(url, `${url}/ME1`)).toMatchObject({
      reason: { _tag: "Refused", detail: expect.stringContaining("does not belong to the provider") }
    })
    expect(received).toHaveLength(1)
  })
})

describe("the sandbox", () => {
  it("accepts every text and reports that none was sent", async () => {
    const sent = Effect.flatMap(SmsProvider, (sms) => sms.send(order(), clearedText("acme", "+15550001111")))
    const receipt = await Effect.runPromise(Effect.provide(sent, SandboxSms.layer))
    expect(receipt).toEqual({ left: false, response: SandboxSms.sandboxNote, providerMessageId: null })
  })
})
