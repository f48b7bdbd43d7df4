import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openRaw, type ServerProcess, startProcess, temporaryFolder } from "./world/ServerProcess.ts"
import { adminKey, type Answer, type Call, readResponse, requestOf } from "./world/TestServer.ts"

const folder = temporaryFolder()
let server: ServerProcess
let url: string

const call = async (method: string, path: string, more: Call = {}): Promise<Answer> =>
  readResponse(await fetch(requestOf(method, path, more, url)))

beforeAll(async () => {
  server = startProcess({
    LEADLOOM_DATA_DIR: join(folder.path, "data"),
    LEADLOOM_PUBLIC_URL: "https://leads.example.com",
    LEADLOOM_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
    LEADLOOM_TWILIO_AUTH_TOKEN: "a-token-of-twilio",
    LEADLOOM_TWILIO_API_URL: "http://127.0.0.1:9"
  })
  url = await server.url
  const body = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
  await call("POST", "/api/v1/admin/tenants", { as: adminKey, body })
})
afterAll(async () => {
  server.kill("SIGKILL")
  await server.exit
  folder.remove()
})

const many = (count: number, item: string): string => Array.from({ length: count }, () => item).join(",")

describe("a server with hostile clients", () => {
  it("answers each with a few hundred bytes and stays available", async () => {
    const unknown = Array.from({ length: 120_000 }, (_, index) => `"${index.toString(36)}":1`).join(",")
    const conditions = `{"rules":[{"id":"a","name":"a","priority":1,"when":{"all":[${many(60_000, '{"fact":1}')}]},"actions":[{"type":"stop"}]}]}`
    const requested: ReadonlyArray<readonly [string, string, string, string, number]> = [
      ["POST", "/api/v1/sessions", `{"location_id":"x",${unknown}}`, "", 413],
      ["POST", "/api/v1/tenants/acme/email/send", `{"to":[${many(500_000, "1")}],"body":"x"}`, adminKey, 400],
      ["PATCH", "/api/v1/config/acme", conditions, adminKey, 400],
      ["POST", "/api/v1/webhook/providers/stripe", unknown, "", 503],
      ["POST", "/api/v1/voice/assistant/acme/tools", unknown, "nonsense", 503]
    ]
    for (const [method, path, body, as, status] of requested) {
      const answer = await call(method, path, { body, ...(as === "" ? {} : { as }) })
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.text.length).toBeLessThan(500)
      expect((await call("GET", "/health")).status).toBe(200)
    }
  })

  it("reads no more of a request than its limits of header and body", async () => {
    const long = await openRaw(url, `GET /health?${"limit=1&".repeat(2_500)} HTTP/1.1\r\nHost: x\r\n\r\n`).end
    expect(long).toMatch(/^HTTP\/1\.1 431 /u)
    expect(long.length).toBeLessThan(1_000)
    const query = await call("GET", `/api/v1/tenants/acme/contacts?${"limit=1&".repeat(1_500)}`, { as: adminKey })
    expect([query.status, query.text.length < 500]).toEqual([400, true])
    const cookies = await call("GET", "/health", { headers: { cookie: "a=b; ".repeat(2_000) } })
    expect(cookies.status).toBe(200)
  })

  it("does not parse the rest of a body in tiny chunks on any route", async () => {
    const chunks = "1\r\n \r\n".repeat(200_000)
    const next = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    const send = async (path: string, type: string): Promise<ReadonlyArray<string>> => {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
      return (await openRaw(url, `${head}${chunks}0\r\n\r\n${next}`).end).match(/^HTTP\/1\.1 \d{3}/gmu) ?? []
    }
    expect(await send("/api/v1/tenants/acme/import", "application/x-tar")).toEqual(["HTTP/1.1 400"])
    expect(await send("/api/v1/admin/tenants", "application/json")).toEqual(["HTTP/1.1 400"])
    // This route answers before the body arrives. The server then closes the connection without a second answer, and
    // the client may lose the first.
    const unknown = await send("/api/v1/no/such/route", "application/json")
    expect(unknown.filter((line) => line !== "HTTP/1.1 404")).toEqual([])
    expect(unknown.length).toBeLessThanOrEqual(1)
    expect((await call("GET", "/health")).status).toBe(200)
  })

  it("rejects a webhook without a signature before its body arrives, and counts those with an invalid one", async () => {
    const path = "/api/v1/webhook/providers/twilio/sms"
    for (let count = 0; count < 20; count += 1) {
      const waiting = openRaw(url, `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n`)
      expect(await waiting.until("}")).toMatch(/^HTTP\/1\.1 401 /u)
      waiting.socket.destroy()
    }
    const forged = { headers: { "x-twilio-signature": "forged" }, body: "Body=Hi" }
    const statuses: Array<number> = []
    for (let count = 0; count < 40; count += 1) statuses.push((await call("POST", path, forged)).status)
    expect([statuses.at(0), statuses.at(-1)]).toEqual([401, 429])
  })
})
