import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { signedForm, startTwilio, type TwilioStandIn } from "../../world/TwilioStandIn.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { zoneOfNoon } from "../../world/ZoneOfNoon.ts"

const own = "+15550100001"
const agent = "+15550100002"
const voicePath = "/api/v1/webhook/providers/twilio/voice"

let twilio: TwilioStandIn
let server: TestServer
let world: World
let contactId: string

const api = (method: string, path: string, call: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/acme${path}`, { as: world.acme.apiKey, ...call })

const sendReport = (path: string, form: Readonly<Record<string, string>>): Promise<Answer> =>
  server.call("POST", path, signedForm(twilio.token, path, form))

const lendNumber = async (to: TestServer): Promise<void> => {
  const body = { phone: own, tenant_id: "acme" }
  const answer = await to.call("PUT", "/api/v1/admin/phone-numbers", { as: adminKey, body })
  if (answer.status >= 300) throw new Error(answer.text)
}

/** Creates a contact that may be called now. */
const makeJane = async (to: TestServer, as: string): Promise<string> => {
  const path = "/api/v1/tenants/acme/contacts"
  const made = await to.call("POST", path, { as, body: { name: "Jane", phone: "+12125550100" } })
  const id = textAt(made.json, "id")
  const body = { attributes: { time_zone: zoneOfNoon() } }
  const changed = await to.call("PATCH", `${path}/${id}`, { as, body })
  if (changed.status >= 300) throw new Error(changed.text)
  return id
}

beforeAll(async () => {
  twilio = await startTwilio()
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", ...twilio.env })
  world = await makeWorld(server)
  await lendNumber(server)
  const config = {
    ...someConfig,
    voice: { ...someConfig.voice, forward_to: agent, greeting: "Hi <you> & all", record: true }
  }
  expect((await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: config })).status).toBe(200)
  contactId = await makeJane(server, world.acme.apiKey)
})
afterAll(async () => {
  await server.close()
  twilio.close()
})

describe("a call to a contact", () => {
  let call: unknown

  it("is placed once per key, and its progress is reported", async () => {
    const request = { body: { contact_id: contactId }, headers: { "idempotency-key": "one" } }
    const first = await api("POST", "/calls/outbound", request)
    expect([first.status, first.text]).toEqual([201, expect.stringContaining('"status":"queued"')])
    const again = await api("POST", "/calls/outbound", request)
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(again.json).toEqual(first.json)
    expect(twilio.requests).toHaveLength(1)
    const other = await api("POST", "/calls/outbound", { ...request, body: { contact_id: contactId, record: false } })
    expect([other.status, other.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
    call = first.json
    const callId = textAt(call, "call_session_id")
    const child = new URL(
      /statusCallback="([^"]+)"/u.exec(twilio.requests[0]?.form.get("Twiml") ?? "")?.[1]?.replaceAll("&amp;", "&") ?? ""
    )
    const path = child.pathname + child.search
    expect((await api("POST", `/calls/${callId}/transfer`, { body: { to: "+15550100003" } })).status).toBe(409)
    const leg = { CallSid: `CA${"c".repeat(32)}`, ParentCallSid: `CA${"1".padStart(32, "0")}` }
    for (const status of ["ringing", "in-progress"]) {
      const answer = await sendReport(path, { ...leg, CallStatus: status })
      expect([answer.status, answer.headers.get("content-type"), answer.text]).toEqual([
        200,
        "text/xml; charset=utf-8",
        '<?xml version="1.0" encoding="UTF-8"?><Response/>'
      ])
    }
    const passed = await api("POST", `/calls/${callId}/transfer`, { body: { to: "+1 555 010 0003" } })
    expect(passed.json).toMatchObject({ status: "in_progress", transferred_to: "+15550100003" })
    expect(twilio.requests[1]).toMatchObject({ path: `Calls/CA${"c".repeat(32)}.json` })
    await sendReport(path, { ...leg, CallStatus: "completed", CallDuration: "61" })
    await sendReport(path, { ...leg, CallStatus: "completed", CallDuration: "61" })
    const list = await api("GET", `/calls?contact_id=${contactId}&status=completed&direction=outbound`)
    expect(list.json).toMatchObject({ calls: [{ call_session_id: callId, duration_seconds: 61 }], next_cursor: null })
    const conversation = await api("GET", `/conversations/${contactId}`)
    expect(conversation.json).toMatchObject({
      messages: [{ channel: "voice", actor: "agent", body: "Call, 1 min 1 s, answered" }]
    })
  })

  it("has a recording that is available through this server only", async () => {
    const callId = textAt(call, "call_session_id")
    const path = `/api/v1/webhook/providers/twilio/recording?tenant=acme&call=${callId}`
    const recording = {
      RecordingSid: `RE${"a".repeat(32)}`,
      RecordingUrl: "https://api.twilio.com/x",
      RecordingDuration: "60"
    }
    await sendReport(path, { ...recording, RecordingStatus: "in-progress" })
    twilio.next.push(
      { status: 200, body: JSON.stringify({ recordings: [] }) },
      { status: 200, body: JSON.stringify({ recordings: [] }) }
    )
    expect((await api("GET", `/calls/${contactId}/recording`)).status).toBe(404)
    expect((await sendReport(path, { ...recording, RecordingStatus: "completed" })).status).toBe(200)
    twilio.next.push({ status: 200, body: "sound", type: "audio/mpeg" })
    const received = await api("GET", `/calls/${contactId}/recording`)
    expect([received.status, received.headers.get("content-type"), received.text]).toEqual([200, "audio/mpeg", "sound"])
    expect(received.headers.get("content-disposition")).toContain(`${callId}.mp3`)
    expect(twilio.requests.at(-1)?.path).toBe(`Recordings/RE${"a".repeat(32)}.mp3`)
    const list = await api("GET", "/calls")
    expect(list.text).not.toContain("twilio.com")
    expect((await api("GET", "/calls/con_nobody/recording")).status).toBe(404)
    const foreign = await server.call("GET", `/api/v1/tenants/other/calls/${contactId}/recording`, {
      as: world.other.apiKey
    })
    expect(foreign.status).toBe(404)
  })

  it("is rejected with the reason", async () => {
    const refused = async (body: unknown) => {
      const answer = await api("POST", "/calls/outbound", { body })
      return [answer.status, answer.code]
    }
    expect(await refused({})).toEqual([400, "BAD_REQUEST"])
    expect(await refused({ contact_id: contactId, phone: "+12125550100" })).toEqual([400, "BAD_REQUEST"])
    expect(await refused({ contact_id: "con_nobody" })).toEqual([404, "NOT_FOUND"])
    expect(await refused({ contact_id: contactId, agent_phone: "x" })).toEqual([400, "BAD_REQUEST"])
    twilio.next.push({ status: 400, body: JSON.stringify({ code: 21_211, message: "Invalid" }) })
    expect(await refused({ contact_id: contactId })).toEqual([502, "PROVIDER_ERROR"])
    twilio.next.push({ status: 429, body: "{}" })
    expect(await refused({ contact_id: contactId })).toEqual([503, "SERVICE_UNAVAILABLE"])
    twilio.next.push({ status: 500, body: "{}" })
    const unknown = await api("POST", "/calls/outbound", { body: { contact_id: contactId } })
    expect([unknown.status, at(unknown.json, "status")]).toEqual([201, "unknown"])
    const body = { phone: "+12125550100" }
    const path = "/api/v1/tenants/acme/sms-filters/blocklist"
    expect((await server.call("POST", path, { as: adminKey, body })).status).toBeLessThan(300)
    const answer = await api("POST", "/calls/outbound", { body: { contact_id: contactId } })
    expect([answer.status, answer.code]).toEqual([422, "CALL_NOT_ALLOWED"])
    expect(at(answer.json, "error", "details", "reasons")).toEqual(["the number is on the blocklist"])
  })
})

describe("an inbound call", () => {
  const form = {
    CallSid: `CA${"d".repeat(32)}`,
    From: "+12125550177",
    To: own,
    CallStatus: "ringing",
    Direction: "inbound"
  }

  it("receives the greeting and is forwarded, even for a repeated event", async () => {
    const answer = await sendReport(voicePath, form)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain("<Say>Hi &lt;you&gt; &amp; all</Say><Dial ")
    expect(answer.text).toContain(`>${agent}</Number></Dial></Response>`)
    expect((await sendReport(voicePath, form)).text).toBe(answer.text)
    const action = /action="([^"]+)"/u.exec(answer.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const { pathname, search } = new URL(action)
    const over = await sendReport(pathname + search, { ...form, DialCallStatus: "no-answer" })
    expect(over.text).toContain("<Hangup/>")
    const list = await api("GET", "/calls?direction=inbound")
    expect(list.json).toMatchObject({
      calls: [{ from: "+12125550177", status: "no_answer", reason: expect.any(String) }]
    })
    const status = await sendReport("/api/v1/webhook/providers/twilio/call-status", {
      ...form,
      CallStatus: "completed"
    })
    expect(status.status).toBe(200)
    expect((await api("GET", "/calls?direction=inbound&status=no_answer")).json).toMatchObject({
      calls: [expect.anything()]
    })
  })

  it("is rejected from a number of the tenant, because forwarded calls would loop", async () => {
    const looped = await sendReport(voicePath, { ...form, CallSid: `CA${"e".repeat(32)}`, From: own })
    expect(looped.text).toContain("<Reject/>")
    expect(JSON.stringify((await api("GET", "/calls?direction=inbound")).json)).not.toContain(`"from":"${own}"`)
  })

  it("is rejected for an unknown number", async () => {
    expect((await sendReport(voicePath, { ...form, To: "+15550109999" })).text).toContain("<Reject/>")
  })

  it("is accepted with a valid signature only", async () => {
    const { body, headers } = signedForm("another token", voicePath, form)
    for (const call of [
      { body, headers },
      { body: "From=1", headers: signedForm(twilio.token, voicePath, form).headers },
      { body, headers: { "content-type": "application/x-www-form-urlencoded" } }
    ]) {
      const answer = await server.call("POST", voicePath, call)
      expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
    }
    const elsewhere = await server.call("POST", `${voicePath}?x=1`, signedForm(twilio.token, voicePath, form))
    expect(elsewhere.status).toBe(401)
    expect((await server.call("GET", voicePath)).status).toBe(405)
  })
})

describe("a server without a voice provider", () => {
  it("reports that no call was placed, and rejects provider events", async () => {
    const plain = startServer()
    const { acme } = await makeWorld(plain)
    await lendNumber(plain)
    const body = { contact_id: await makeJane(plain, acme.apiKey), agent_phone: agent }
    const placed = await plain.call("POST", "/api/v1/tenants/acme/calls/outbound", { as: acme.apiKey, body })
    expect([placed.status, placed.json]).toEqual([
      201,
      expect.objectContaining({ provider: "sandbox", status: "queued" })
    ])
    const webhook = await plain.call("POST", voicePath, signedForm("", voicePath, { To: own }))
    expect([webhook.status, webhook.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    await plain.close()
  })
})
