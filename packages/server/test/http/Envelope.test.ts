import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import {
  contactsDefect,
  conversationsWatched,
  sourcesOut,
  type Switch,
  tenantsOut,
  writesOut
} from "../world/Broken.ts"
import { type Answer, adminKey, at, requestOf, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, sourceId } from "../world/World.ts"

let server: TestServer
beforeAll(() => {
  server = startServer()
})
afterAll(() => server.close())

let broken: TestServer | null = null
afterEach(async () => {
  vi.useRealTimers()
  await broken?.close()
  broken = null
})

const tenants = "/api/v1/admin/tenants"
const whole = (answer: Answer) => [answer.status, answer.code, answer.headers.get("content-type")]

describe("every response", () => {
  it("carries the request id of the caller, or a new one", async () => {
    const paths = ["/health", "/nothing", tenants, "/api/v1/docs", "/api/v1/openapi.json"]
    for (const path of paths) {
      const given = await server.call("GET", path, { headers: { "x-request-id": "order-66:a.b_C" } })
      expect([path, given.headers.get("x-request-id")]).toEqual([path, "order-66:a.b_C"])
      const fresh = [await server.call("GET", path), await server.call("GET", path)].map(({ headers }) =>
        headers.get("x-request-id")
      )
      expect(fresh[0]).toMatch(/^req_[0-9a-f]{24}$/u)
      expect(fresh[0]).not.toBe(fresh[1])
    }
  })

  it("does not repeat an unsafe request id", async () => {
    for (const id of ["a b", "<script>", "x".repeat(200), "é", '"', ""]) {
      const answer = await server.call("GET", "/health", { headers: { "x-request-id": id } })
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/u)
    }
  })

  it("forbids type sniffing, framing and caching", async () => {
    for (const path of ["/health", "/nothing", tenants]) {
      const { headers } = await server.call("GET", path)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("x-frame-options")).toBe("DENY")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    }
  })
})

describe("a route", () => {
  it("that does not exist answers 404", async () => {
    for (const path of [
      "/api",
      "/api/v1",
      "/api/v1/nothing",
      "/api/v1/tenants//x",
      "/health/x",
      "/%zz",
      "/API/V1/docs"
    ]) {
      const answer = await server.call("GET", path, { as: adminKey })
      expect([path, ...whole(answer)]).toEqual([path, 404, "NOT_FOUND", "application/json"])
    }
  })

  it("with a parameter beyond the length limit answers 404", async () => {
    expect((await server.call("GET", `/api/v1/tenants/${"a".repeat(5000)}/contacts`, { as: adminKey })).status).toBe(
      404
    )
  })

  it("with the wrong method answers 405 and lists the supported methods", async () => {
    const wrong = await server.call("PUT", tenants, { as: adminKey, body: {} })
    expect(whole(wrong)).toEqual([405, "METHOD_NOT_ALLOWED", "application/json"])
    expect(wrong.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS")
    expect((await server.call("GET", "/api/v1/sessions")).headers.get("allow")).toBe("POST, OPTIONS")
    expect((await server.call("POST", "/health")).headers.get("allow")).toBe("GET, HEAD, OPTIONS")
    expect((await server.call("DELETE", "/api/v1/docs")).headers.get("allow")).toBe("GET, HEAD, OPTIONS")
  })

  it("answers OPTIONS with its methods and without a body", async () => {
    const options = await server.call("OPTIONS", tenants)
    expect([options.status, options.text, options.headers.get("allow")]).toEqual([204, "", "GET, POST, HEAD, OPTIONS"])
    expect((await server.call("OPTIONS", "/nothing")).status).toBe(404)
  })

  it("answers HEAD like GET, without a body", async () => {
    const head = await server.call("HEAD", "/health")
    expect([head.status, head.text]).toEqual([200, ""])
    expect((await server.call("HEAD", tenants)).status).toBe(401)
    expect((await server.call("HEAD", "/nothing")).status).toBe(404)
    expect((await server.call("HEAD", "/api/v1/sessions")).status).toBe(405)
  })
})

describe("a body", () => {
  const create = (body: string, contentType: string | null) => {
    const request = requestOf("POST", tenants, { as: adminKey, body })
    if (contentType === null) request.headers.delete("content-type")
    else request.headers.set("content-type", contentType)
    return server.fetch(request)
  }
  const tenant = (id: string) => JSON.stringify({ tenant_id: id, name: "A" })

  it("is accepted as JSON without a content type, with a charset and with JSON's other names", async () => {
    const types = [null, "application/json; charset=utf-8", "APPLICATION/JSON", "text/json", "application/hal+json", ""]
    for (const [index, type] of types.entries()) {
      expect([type, (await create(tenant(`json${index}`), type)).status]).toEqual([type, 201])
    }
  })

  it("of another media type answers 415", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "image/png"
    ]) {
      const response = await create(tenant("refused"), type)
      expect([type, response.status, at(await response.json(), "error", "code")]).toEqual([
        type,
        415,
        "UNSUPPORTED_MEDIA_TYPE"
      ])
    }
  })

  it("of malformed JSON answers 400 in the envelope", async () => {
    for (const body of ["{", "", "nonsense", '{"a":1}}', "\u0000", "'single'", "NaN"]) {
      const answer = await server.call("POST", tenants, { as: adminKey, body })
      expect([body, ...whole(answer)]).toEqual([body, 400, "BAD_REQUEST", "application/json"])
    }
  })

  it("has the limits of its route, regardless of characters after the path", async () => {
    const body = `{"location_id":"${"x".repeat(2 ** 20)}"}`
    for (const behind of ["", ";/conversation/import", "#/conversation/import"]) {
      const answer = await server.call("POST", `/api/v1/sessions${behind}`, { body })
      expect([behind, answer.status]).toEqual([behind, behind === "" ? 413 : 404])
    }
  })

  it("that is too large answers 413; the import route has a larger limit", async () => {
    const large = JSON.stringify({ historical: true, mails: [], padding: "x".repeat(1024 * 1024) })
    const answer = await server.call("POST", tenants, { as: adminKey, body: large })
    expect(whole(answer)).toEqual([413, "PAYLOAD_TOO_LARGE", "application/json"])
    await server.call("POST", tenants, { as: adminKey, body: { tenant_id: "acme", name: "A" } })
    const imported = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: large })
    expect(imported.status).toBe(400)
    const huge = `{"padding":"${"x".repeat(50 * 1024 * 1024)}"}`
    const refused = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: huge })
    expect(whole(refused)).toEqual([413, "PAYLOAD_TOO_LARGE", "application/json"])
  })
})

describe("an unexpected failure", () => {
  it("answers 500 with the request id and without its cause", async () => {
    broken = startServer({}, contactsDefect)
    await makeWorld(broken)
    const answer = await broken.call("GET", "/api/v1/tenants/acme/contacts", { as: adminKey })
    expect(whole(answer)).toEqual([500, "INTERNAL", "application/json"])
    expect(at(answer.json, "error", "details", "request_id")).toBe(answer.headers.get("x-request-id"))
    expect(answer.text).not.toContain("hunter2")
    expect(answer.headers.get("x-ratelimit-limit")).toBe("600")
  })

  it("answers 503 after the timeout", async () => {
    const { change, interrupted, started } = conversationsWatched()
    broken = startServer({}, change)
    await makeWorld(broken)
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const pending = broken.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
    await started
    vi.advanceTimersByTime(30_000)
    const answer = await pending
    await interrupted
    expect(whole(answer)).toEqual([503, "SERVICE_UNAVAILABLE", "application/json"])
    expect(answer.headers.get("retry-after")).toBe("1")
  })
})

describe("a client that disconnects", () => {
  it("interrupts the work of its request", async () => {
    const { change, interrupted, started } = conversationsWatched()
    broken = startServer({}, change)
    await makeWorld(broken)
    const hangUp = new AbortController()
    const request = requestOf("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
    const answer = broken.fetch(new Request(request, { signal: hangUp.signal }))
    await started
    hangUp.abort()
    await interrupted
    expect((await answer).status).toBe(499)
  })
})

describe("a store that does not answer", () => {
  const out: Switch = { on: false }
  const event = { entity: { id: "1" }, content: { body: "Hello" } }

  it("makes every route answer 503 without the reason", async () => {
    broken = startServer({}, tenantsOut(out))
    const { acme } = await makeWorld(broken)
    out.on = true
    for (const [method, path] of [
      ["GET", "/health"],
      ["GET", "/api/v1/tenants/acme/contacts"],
      ["GET", `${tenants}/acme`],
      ["POST", `/api/v1/events/acme/${sourceId}?mode=sync`]
    ] as const) {
      const as = path.includes("/events/") ? acme.sourceKey : adminKey
      const answer = await broken.call(method, path, { as, ...(method === "POST" ? { body: event } : {}) })
      expect([path, ...whole(answer)]).toEqual([path, 503, "SERVICE_UNAVAILABLE", "application/json"])
      expect(answer.text).not.toContain("hunter2")
    }
    out.on = false
    expect((await broken.call("GET", "/health")).status).toBe(200)
  })

  it.each([
    ["tenants", tenantsOut],
    ["writes", writesOut],
    ["source keys", sourcesOut]
  ])("skips custom events in default mode (%s)", async (_, change) => {
    broken = startServer({}, change(out))
    const { acme } = await makeWorld(broken)
    out.on = true
    const answer = await broken.call("POST", `/api/v1/events/acme/${sourceId}`, { as: acme.sourceKey, body: event })
    out.on = false
    expect([answer.status, answer.json]).toEqual([200, { status: "skipped", reason: "state_store_unavailable" }])
  })
})
