import type * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { createServer, type Server } from "node:http"
import * as TwilioVoice from "@leadloom/connectors/internal/twilio/TwilioVoice"
import { escapeXml, element, twiml } from "@leadloom/connectors/internal/twilio/Twiml"
import type { CallId } from "@leadloom/core/internal/domain/Id"
import { maySend } from "@leadloom/core/internal/domain/consent/MaySend"
import { VoiceProvider } from "@leadloom/core/internal/port/provider/VoiceProvider"
import { Effect, Redacted, Stream } from "effect"
import { createEmulator, type Emulator } from "emulate"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkRequest, type SentRequest, specificationNote } from "./TwilioSpecification.ts"

/** Returns a URL whose server is closed. */
const closedUrl = async (): Promise<string> => {
  const closed = createServer()
  const listening = Promise.withResolvers<void>()
  closed.listen(0, "127.0.0.1", () => listening.resolve())
  await listening.promise
  const address = closed.address()
  closed.close()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

const sid = (prefix: string) => `${prefix}${"0".repeat(32)}`
const own = "+15551234567"
const jane = "+12125550100"
const publicUrl = "https://leads.example.com"
const callId: CallId = "call_1"
const token = "a-token-of-twilio"

/** The response of the scripted Twilio server, which records its requests. */
let answer: { status: number; body: string | Uint8Array; type?: string; length?: number } = { status: 500, body: "" }
/** Responses that are sent first, in order. */
const next: Array<typeof answer> = []
let sent: Array<SentRequest & { readonly authorization: string | undefined }> = []
let server: Server
let url: string
let emulator: Emulator

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization } = request.headers
    const [path = "", query = ""] = (request.url ?? "").split("?")
    sent.push({ method: request.method ?? "", path, query, body: Buffer.concat(chunks).toString(), authorization })
    if (answer.status === 0) return void request.socket.destroy()
    const { body, length, status, type = "application/json" } = next.shift() ?? answer
    const headers = { "content-type": type, ...(length === undefined ? {} : { "content-length": length }) }
    response.writeHead(status, headers).end(body)
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", () => listening.resolve())
  await listening.promise
  const address = server.address()
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""
  const port = Number(new URL(await closedUrl()).port)
  const twilio = {
    account: { sid: sid("AC"), auth_token: token },
    phone_numbers: [{ phone_number: own, voice_url: `${url}/voice` }]
  }
  emulator = await createEmulator({ service: "twilio", port, seed: { twilio } })
})
afterAll(async () => {
  await emulator.close()
  server.close()
})

const sendRequest = <A, E>(run: (voice: VoiceProvider["Service"]) => Effect.Effect<A, E>, apiUrl = url) =>
  Effect.flatMap(VoiceProvider, run).pipe(
    Effect.provide(
      TwilioVoice.layer({ apiUrl, accountSid: sid("AC"), authToken: Redacted.make(token), apiKey: null }, publicUrl)
    ),
    Effect.runPromise
  )

const clearance = (recipient: string) => {
  const verdict = maySend({
    channel: "voice",
    by: "person",
    tenantId: "acme",
    hipaa: false,
    now: 0,
    recipient,
    sender: own,
    optedOut: false,
    blocked: false,
    undeliverable: null,
    override: null,
    quietUntil: null
  })
  if (verdict._tag !== "Allow") throw new Error("not allowed")
  return verdict.clearance
}

const order = { tenantId: "acme", callId, from: own, agentPhone: "+15550100002", to: jane, record: true }
const place = (voice: VoiceProvider["Service"]) => voice.place(order, clearance(jane))
const transfer = { tenantId: "acme", callId, leg: sid("CA"), from: own, to: "+15550100003", record: false }

const failing = <A>(run: (voice: VoiceProvider["Service"]) => Effect.Effect<A, ProviderFailure.ProviderFailure>) =>
  sendRequest((voice) =>
    run(voice).pipe(
      Effect.as("no failure"),
      Effect.catch((failure) => Effect.succeed<string>(failure.reason._tag))
    )
  )

const said = (status: number, body: unknown = {}) => {
  answer = { status, body: JSON.stringify(body) }
  sent = []
}

describe(`requests to Twilio${specificationNote}`, () => {
  it("place a call as described: first the agent's phone, then the contact's", async () => {
    said(201, { sid: sid("CA"), status: "queued", more: { fields: 1 } })
    expect(await sendRequest(place)).toEqual({ providerCallId: sid("CA"), left: true })
    const [request] = sent
    expect(sent.flatMap(checkRequest)).toEqual([])
    expect(request?.authorization).toBe(`Basic ${Buffer.from(`${sid("AC")}:${token}`).toString("base64")}`)
    const form = new URLSearchParams(request?.body)
    expect([form.get("To"), form.get("From")]).toEqual(["+15550100002", own])
    expect(form.getAll("StatusCallbackEvent")).toEqual(["initiated", "ringing", "answered", "completed"])
    const base = `${publicUrl}/api/v1/webhook/providers/twilio`
    expect(form.get("StatusCallback")).toBe(`${base}/call-status?tenant=acme&call=call_1&about=agent`)
    const document = form.get("Twiml") ?? ""
    expect(document.length).toBeLessThan(4_000)
    expect(document).toContain(`<Dial callerId="${own}" answerOnBridge="true"`)
    expect(document).toContain(`action="${base}/dialed?tenant=acme&amp;call=call_1&amp;about=dial"`)
    expect(document).toContain('record="record-from-answer-dual"')
    expect(document).toContain(`>${jane}</Number></Dial></Response>`)
  })

  it("transfer a call, end it, and find and delete recordings as described", async () => {
    said(200, { sid: sid("CA") })
    await sendRequest((voice) => voice.transfer(transfer, clearance("+15550100003")))
    expect(new URLSearchParams(sent[0]?.body).get("Twiml")).not.toContain("record")
    await sendRequest((voice) => voice.hangUp(sid("CA")))
    await sendRequest((voice) => voice.removeRecording(sid("RE")))
    answer = {
      status: 200,
      body: JSON.stringify({
        recordings: [
          { sid: sid("RE"), status: "completed", duration: "61" },
          { sid: "RE2", status: "processing", duration: null },
          7
        ]
      })
    }
    expect(await sendRequest((voice) => voice.recordings(sid("CA")))).toEqual([
      { recordingId: sid("RE"), seconds: 61, ready: true },
      { recordingId: "RE2", seconds: null, ready: false }
    ])
    expect(sent.map(({ method, path }) => `${method} ${path.split("/").slice(4).join("/")}`)).toEqual([
      `POST Calls/${sid("CA")}.json`,
      `POST Calls/${sid("CA")}.json`,
      `DELETE Recordings/${sid("RE")}.json`,
      `GET Calls/${sid("CA")}/Recordings.json`
    ])
    expect(sent.flatMap(checkRequest)).toEqual([])
  })

  it("read the status of a leg and of the legs dialled for it", async () => {
    const [agentLeg, janesLeg] = [`CA${"a".repeat(32)}`, `CA${"b".repeat(32)}`]
    const start_time = "Fri, 18 Oct 2019 17:02:00 +0000"
    const end_time = "Fri, 18 Oct 2019 17:03:04 +0000"
    const respondWith = (found: unknown, calls: unknown) => {
      said(200, { calls })
      next.push({ status: 200, body: JSON.stringify(found) })
    }
    const up = { sid: agentLeg, parent_call_sid: null, status: "in-progress", start_time, duration: null, price: null }
    const child = {
      sid: janesLeg,
      parent_call_sid: agentLeg,
      status: "completed",
      start_time,
      end_time,
      duration: "61"
    }
    const silent = { ...child, sid: sid("CA"), status: "no-answer", end_time: null, date_updated: end_time }
    respondWith(up, [child, { ...child, parent_call_sid: sid("CA") }, { ...child, status: "dreaming" }, silent, 7])
    const [startedAt, endedAt] = [Date.parse(start_time), Date.parse(end_time)]
    expect(await sendRequest((voice) => voice.legs(agentLeg))).toEqual({
      leg: { legId: agentLeg, status: "answered", startedAt, endedAt: null, durationSeconds: null },
      dialed: [
        { legId: sid("CA"), status: "no_answer", startedAt, endedAt, durationSeconds: null },
        { legId: janesLeg, status: "completed", startedAt, endedAt, durationSeconds: 61 }
      ]
    })
    const base = `/2010-04-01/Accounts/${sid("AC")}/Calls`
    expect(sent.map(({ method, path, query }) => [method, path, query])).toEqual([
      ["GET", `${base}/${agentLeg}.json`, ""],
      ["GET", `${base}.json`, `ParentCallSid=${agentLeg}&PageSize=50`]
    ])
    expect(sent.flatMap(checkRequest)).toEqual([])
    said(404, { code: 20_404 })
    expect(await failing((voice) => voice.legs(agentLeg))).toBe("Gone")
    for (const found of [{ status: "completed" }, { ...up, status: "dreaming" }, "<html>"]) {
      respondWith(found, [])
      expect(await failing((voice) => voice.legs(agentLeg))).toBe("OutcomeUnknown")
    }
    said(503)
    expect(await failing((voice) => voice.legs(agentLeg))).toBe("Unavailable")
  })

  it("are rejected by the description when they are wrong", () => {
    const path = `/2010-04-01/Accounts/${sid("AC")}/Calls.json`
    if (specificationNote !== "") return
    expect(checkRequest({ method: "POST", path, body: "From=1&Nonsense=2" })).toHaveLength(2)
    expect(checkRequest({ method: "PUT", path, body: "" })).toHaveLength(1)
    expect(checkRequest({ method: "GET", path, body: "", query: "ParentCallSid=1&Nonsense=2" })).not.toEqual([])
  })

  it("report their outcome", async () => {
    const outcomes: Array<string> = []
    for (const [status, body] of [
      [400, { code: 21_211, message: "Invalid 'To'" }],
      [401, { code: 20_003 }],
      [429, { code: 20_429 }],
      [500, {}],
      [201, "not Twilio's"],
      [0, ""]
    ] as const) {
      said(status, body)
      outcomes.push(await failing(place))
    }
    expect(outcomes).toEqual([
      "Refused",
      "Unavailable",
      "Unavailable",
      "OutcomeUnknown",
      "OutcomeUnknown",
      "OutcomeUnknown"
    ])
    const nobody = await sendRequest((voice) => Effect.flip(place(voice)), await closedUrl())
    expect(nobody.reason._tag).toBe("Unavailable")
    said(400, { code: 21_220, message: "Call is not in-progress" })
    expect(await failing((voice) => voice.transfer(transfer, clearance(transfer.to)))).toBe("Gone")
    expect(await failing((voice) => voice.hangUp("../Messages"))).toBe("Gone")
    said(404, { code: 20_404 })
    expect(await failing((voice) => voice.removeRecording(sid("RE")))).toBe("no failure")
  })

  it("are not sent without consent for exactly this contact", async () => {
    said(201, { sid: sid("CA") })
    const toOther = (voice: VoiceProvider["Service"]) => voice.place(order, clearance("+12125550199"))
    await expect(sendRequest(toOther)).rejects.toThrow(/no consent/u)
    expect(sent).toEqual([])
  })

  it("stream a recording unchanged, and reject one that is too long", async () => {
    sent = []
    answer = { status: 200, body: new Uint8Array([1, 2, 3]), type: "audio/mpeg" }
    const received = await sendRequest((voice) =>
      Effect.gen(function* () {
        const sound = yield* voice.sound(sid("RE"))
        return { mediaType: sound.mediaType, bytes: Buffer.concat([...(yield* Stream.runCollect(sound.bytes))]) }
      })
    )
    expect(received).toEqual({ mediaType: "audio/mpeg", bytes: Buffer.from([1, 2, 3]) })
    expect(sent[0]?.path).toBe(`/2010-04-01/Accounts/${sid("AC")}/Recordings/${sid("RE")}.mp3`)
    answer = { status: 404, body: "" }
    expect(await failing((voice) => voice.sound(sid("RE")))).toBe("Gone")
    answer = { status: 302, body: "" }
    expect(await failing((voice) => voice.sound(sid("RE")))).toBe("Unavailable")
  })
})

describe("a third-party emulator of Twilio", () => {
  it("places, transfers and ends calls", async () => {
    const base = emulator.url
    const { providerCallId } = await sendRequest(place, base)
    expect(providerCallId).toMatch(/^CA[\da-f]{32}$/u)
    await sendRequest((voice) => voice.transfer({ ...transfer, leg: providerCallId }, clearance(transfer.to)), base)
    expect(await sendRequest((voice) => voice.legs(providerCallId), base)).toMatchObject({
      leg: { legId: providerCallId, status: "ringing", endedAt: null },
      dialed: []
    })
    await sendRequest((voice) => voice.hangUp(providerCallId), base)
    const over = await sendRequest((voice) => voice.legs(providerCallId), base)
    expect(over.leg).toMatchObject({ status: "completed", durationSeconds: expect.any(Number) })
    const probeCode = await sendRequest((voice) => Effect.flip(voice.legs(sid("CA"))), base)
    expect(probeCode.reason._tag).toBe("Gone")
    const refused = await sendRequest(
      (voice) => Effect.flip(voice.place({ ...order, from: "+15550009999" }, clearance(jane))),
      base
    )
    expect(refused).toMatchObject({ reason: { _tag: "Refused", detail: expect.stringContaining("21210") } })
  })
})

describe("a document for Twilio", () => {
  it("contains any text as text only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const document = twiml(element("Say", { voice: text }, `x${text}`))
        expect(document.match(/</gu)).toHaveLength(5)
        expect(escapeXml(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|apos);)|[\u0000-\u0008\uD800-\uDFFF]/u)
      })
    )
  })
})
