import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { createServer, type Server } from "node:http"
import { freePort } from "@leadloom/testkit/FreePort"
import { Clock, Effect } from "effect"
import { createEmulator, type Emulator } from "emulate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeMovableClock } from "../../src/startup/MovableClock.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { zoneOfNoon } from "../world/ZoneOfNoon.ts"

const account = "AC00000000000000000000000000000000"
const token = "twilio_test_auth_token"
const ours = "+15551234567"
const jane = "+12125550123"
const smsPath = "/api/v1/webhook/providers/twilio/sms"
const voicePath = "/api/v1/webhook/providers/twilio/voice"
const callStatusPath = "/api/v1/webhook/providers/twilio/call-status"

let twilio: Emulator
let server: TestServer
let door: Server
let publicUrl: string
/** True: no request of Twilio reaches the server. */
let isDown = false

/** Requests of Twilio that reached the server, with their responses. */
const brought: Array<{ readonly path: string; readonly form: URLSearchParams; readonly status: number }> = []

/** Opens a socket in front of the application for Twilio's requests. */
const openDoor = async (port: number): Promise<Server> => {
  const listening = createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    request.on("end", async () => {
      const headers = Object.entries(request.headers).flatMap(([name, value]): Array<[string, string]> =>
        typeof value === "string" && name !== "content-length" ? [[name, value]] : []
      )
      const sent = new Request(`http://inside.test${request.url}`, {
        method: request.method ?? "GET",
        headers,
        body: Buffer.concat(chunks)
      })
      const answer = isDown ? new Response(null, { status: 502 }) : await server.fetch(sent)
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      brought.push({ path: request.url ?? "", form, status: answer.status })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
  })
  await new Promise<void>((resolve) => void listening.listen(port, "127.0.0.1", resolve))
  return listening
}

const call = (method: string, path: string, more: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/${path}`, { as: adminKey, ...more })

beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  twilio = await createEmulator({
    service: "twilio",
    port: await freePort(),
    seed: {
      twilio: {
        account: { sid: account, auth_token: token },
        phone_numbers: [
          {
            phone_number: ours,
            sms_url: `${publicUrl}${smsPath}`,
            voice_url: `${publicUrl}${voicePath}`,
            status_callback: `${publicUrl}${callStatusPath}`
          }
        ]
      }
    }
  })
  const env = {
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_PUBLIC_URL: publicUrl,
    LEADLOOM_TWILIO_API_URL: twilio.url,
    LEADLOOM_TWILIO_ACCOUNT_SID: account,
    LEADLOOM_TWILIO_AUTH_TOKEN: token
  }
  server = startServer(env)
  door = await openDoor(port)
  await call("POST", "admin/tenants", { body: { tenant_id: "acme", name: "Acme" } })
  await call("PUT", "admin/phone-numbers", { body: { phone: ours, tenant_id: "acme" } })
})
afterAll(async () => {
  await new Promise<void>((resolve) => void door.close(() => resolve()))
  await server.close()
  await twilio.close()
})

const simulate = (what: string, form: Readonly<Record<string, string>>) =>
  fetch(`${twilio.url}/_twilio/simulate/${what}`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString("base64")}` },
    body: new URLSearchParams(form)
  })
const writes = (body: string) => simulate("inbound-message", { From: jane, To: ours, Body: body })

const conversation = async (): Promise<readonly [contactId: string, messages: ReadonlyArray<unknown>]> => {
  const list = await call("GET", "tenants/acme/conversations")
  const contactId = textAt(list.json, "conversations", 0, "contact_id")
  const found = at((await call("GET", `tenants/acme/conversations/${contactId}`)).json, "messages")
  return [contactId, Array.isArray(found) ? found : []]
}

const say = async (body: string, key = body): Promise<Answer> => {
  const [contactId] = await conversation()
  const headers = { "idempotency-key": key }
  return call("POST", `tenants/acme/conversations/${contactId}/messages`, { body: { channel: "sms", body }, headers })
}

/** Returns a request without Twilio's signature. */
const providerEvent = (
  form: Readonly<Record<string, string>>,
  signature = "c2lnbmF0dXJlIG9mIG5vYm9keQ==",
  path = smsPath
) =>
  server.call("POST", path, {
    body: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature }
  })

describe("a number at Twilio", () => {
  it("delivers signed texts, sends replies and tracks their status", async () => {
    await writes("Can you fix a roof?")
    const [contactId, [first]] = await conversation()
    expect(first).toMatchObject({
      channel: "sms",
      body: "Can you fix a roof?",
      actor: "contact",
      from: jane,
      to: [ours]
    })
    const sent = await say("Yes, on Monday.")
    expect([sent.status, sent.json]).toEqual([200, { message_id: expect.stringMatching(/^msg_/u) }])
    expect((await say("Yes, on Monday.")).headers.get("idempotent-replayed")).toBe("true")
    const delivery = async () => at((await conversation())[1].at(-1), "delivery")
    expect(await delivery()).toBe("sent")
    const list = await fetch(
      `${twilio.url}/2010-04-01/Accounts/${account}/Messages.json?To=${encodeURIComponent(jane)}`,
      {
        headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString("base64")}` }
      }
    )
    const there: unknown = await list.json()
    const sid = textAt(there, "messages", 0, "sid")
    expect(at(there, "messages", 1)).toBeUndefined()
    await simulate("message-status", { MessageSid: sid, Status: "delivered" })
    await simulate("message-status", { MessageSid: sid, Status: "sent" })
    expect(await delivery()).toBe("delivered")
    expect((await call("GET", `tenants/acme/contacts/${contactId}`)).text).toContain(jane)
  })

  it("applies STOP and START", async () => {
    await writes("Stop")
    const denied = await say("Are you sure?")
    expect([denied.status, denied.code]).toEqual([409, "CONFLICT"])
    expect(denied.text).toContain("opted out")
    await writes("START")
    expect((await say("Welcome back")).status).toBe(200)
  })

  it("reports the reason for a rejected text", async () => {
    expect((await say("a".repeat(1_601))).status).toBe(400)
  })
})

/**
 * The emulator signs events about the called leg and about inbound calls. It does not execute TwiML, so it reports
 * nothing about the contact's leg, the end of `<Dial>` and recordings (`http/Calls.test.ts` does).
 */
describe("calls at Twilio", () => {
  const kim = "+12125550124"
  const callsOf = async (direction: string): Promise<unknown> =>
    at((await call("GET", `tenants/acme/calls?direction=${direction}`)).json, "calls")
  /** Returns new signed requests of Twilio as `path status answer`. */
  const sentReports = (): ReadonlyArray<string> =>
    brought.splice(0).map(({ form, path, status }) => {
      const { pathname, searchParams } = new URL(path, publicUrl)
      const about = [pathname.split("/").at(-1), searchParams.get("about")].filter((part) => part !== null).join(" ")
      return `${about} ${form.get("CallStatus")}: ${status}`
    })
  const becomes = (CallSid: string, Status: string) => simulate("call-status", { CallSid, Status })
  const place = async (contactId: string): Promise<readonly [answer: Answer, sid: string]> => {
    brought.length = 0
    const body = { contact_id: contactId, agent_phone: "+12125550188" }
    const answer = await call("POST", "tenants/acme/calls/outbound", { body })
    return [answer, brought[0]?.form.get("CallSid") ?? ""]
  }
  const bodiesOf = async (contactId: string): Promise<unknown> => {
    const found = at((await call("GET", `tenants/acme/conversations/${contactId}`)).json, "messages")
    return Array.isArray(found) ? found.map((message) => at(message, "body")) : found
  }
  let contactId: string

  it("are tracked from the first ring, which Twilio reports before it answers the request", async () => {
    const made = await call("POST", "tenants/acme/contacts", { body: { name: "Kim", phone: kim } })
    contactId = textAt(made.json, "id")
    const attributes = { time_zone: zoneOfNoon() }
    expect((await call("PATCH", `tenants/acme/contacts/${contactId}`, { body: { attributes } })).status).toBe(200)
    const [placed, sid] = await place(contactId)
    expect([placed.status, at(placed.json, "status")]).toEqual([201, "ringing"])
    expect(sentReports()).toEqual(["call-status agent ringing: 200"])
    await becomes(sid, "in-progress")
    expect(await callsOf("outbound")).toMatchObject([{ status: "ringing", answered_at: null }])
    await becomes(sid, "completed")
    await becomes(sid, "completed")
    expect(sentReports()).toEqual([
      "call-status agent in-progress: 200",
      "call-status agent completed: 200",
      "call-status agent completed: 200"
    ])
    expect(await callsOf("outbound")).toMatchObject([{ status: "no_answer", reason: "the agent's phone: no answer" }])
    expect(await bodiesOf(contactId)).toEqual(["Call, not answered"])
  })

  it.each(["busy", "failed", "no-answer", "canceled"])("end as %s when Twilio signs that they did", async (ending) => {
    const [, sid] = await place(contactId)
    await becomes(sid, ending)
    await becomes(sid, "in-progress")
    expect(sentReports().at(-2)).toBe(`call-status agent ${ending}: 200`)
    expect(at(await callsOf("outbound"), 0, "status")).toBe(ending.replace("-", "_"))
  })

  it("are greeted if inbound, and missed if no agent answers", async () => {
    brought.length = 0
    const answer = await simulate("inbound-call", { From: kim, To: ours })
    const sid = textAt(await answer.json(), "sid")
    expect(sentReports()).toEqual(["voice in-progress: 200"])
    expect(await callsOf("inbound")).toMatchObject([{ status: "ringing", from: kim, contact_id: contactId }])
    await becomes(sid, "completed")
    await becomes(sid, "completed")
    expect(sentReports()).toEqual(["call-status completed: 200", "call-status completed: 200"])
    expect(await callsOf("inbound")).toMatchObject([{ status: "no_answer" }])
    const tasks = await call("GET", `tenants/acme/tasks?contact_id=${contactId}`)
    expect(tasks.text.match(/missed call/gu)).toHaveLength(1)
  })

  it("that ended during an outage are closed by a query to Twilio", async () => {
    const [placed, sid] = await place(contactId)
    expect(at(placed.json, "message_id")).toBeNull()
    isDown = true
    await becomes(sid, "busy")
    isDown = false
    expect(sentReports().at(-1)).toBe("call-status agent busy: 502")
    expect(at(await callsOf("outbound"), 0, "status")).toBe("ringing")
    const { clock, moveTo } = makeMovableClock()
    const work = Effect.provideService(drainJobs, Clock.Clock, clock)
    for (const minutes of [3, 14]) {
      moveTo(Date.now() + minutes * 60_000)
      await server.run(work)
    }
    expect(at(await callsOf("outbound"), 0)).toMatchObject({
      call_session_id: at(placed.json, "call_session_id"),
      status: "busy",
      reason: "the agent's phone: busy",
      message_id: expect.stringMatching(/^msg_/u)
    })
  })

  it("reject events with other signatures", async () => {
    const [, sid] = await place(contactId)
    const [status = ""] = brought.map(({ path }) => path)
    const forged = await providerEvent({ CallSid: sid, CallStatus: "completed" }, undefined, status)
    expect(forged.status).toBe(401)
    expect(at(await callsOf("outbound"), 0, "status")).toBe("ringing")
  })
})

describe("a request without Twilio's signature", () => {
  const form = { MessageSid: "SM1", From: jane, To: ours, Body: "Hello" }

  it("is rejected, and another Host header changes nothing", async () => {
    const [, before] = await conversation()
    for (const path of [smsPath, "/api/v1/webhook/providers/twilio/status?tenant=acme&message=msg_1"]) {
      expect((await providerEvent(form, undefined, path)).status).toBe(401)
      expect((await providerEvent(form, "", path)).status).toBe(401)
    }
    expect((await conversation())[1]).toHaveLength(before.length)
  })

  it("is rejected if no account is configured", async () => {
    const alone = startServer()
    const answer = await alone.call("POST", smsPath, { body: "Body=Hi" })
    expect([answer.status, answer.text.includes("LEADLOOM_TWILIO_AUTH_TOKEN")]).toEqual([503, true])
    await alone.close()
  })
})
