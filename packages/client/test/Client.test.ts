import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createClient, LeadloomError } from "../src/index.ts"
import { answer, failure, stubFetch } from "./StubFetch.ts"

const baseUrl = "http://leads.example.com"
const health = { status: "ok", version: "0.1.0" }

describe("createClient", () => {
  it("sends the credential, the query and the body of an operation", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, { contacts: [], next_cursor: null })])
    const client = createClient({ baseUrl, credential: "llk_key", fetch })
    await client.contacts.list("acme", { limit: 7, cursor: "a b" })
    expect(sent[0]?.url.href).toBe("http://leads.example.com/api/v1/tenants/acme/contacts?cursor=a+b&limit=7")
    expect(sent[0]?.headers["authorization"]).toBe("Bearer llk_key")
    await client.contacts.create("acme", { email: "ada@example.com" })
    expect(sent[1]).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: { email: "ada@example.com" }
    })
  })

  it("omits absent parameters", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, health)])
    await createClient({ baseUrl, fetch }).contacts.list("acme", { cursor: undefined })
    expect(sent[0]?.url.search).toBe("")
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(["accept"])
    expect(sent[0]?.body).toBeUndefined()
  })

  it("accepts a base URL with or without the version and trailing slashes", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, health)])
    for (const end of ["", "/", "/api/v1", "/api/v1/"]) {
      await createClient({ baseUrl: baseUrl + end, fetch }).tenants.list()
    }
    expect(new Set(sent.map((request) => request.url.href))).toEqual(new Set([`${baseUrl}/api/v1/admin/tenants`]))
  })

  it("keeps a path below a proxy's prefix", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, health)])
    await createClient({ baseUrl: "https://example.com/leads", fetch }).system.health()
    expect(sent[0]?.url.href).toBe("https://example.com/leads/health")
  })

  it("prefers the credential of a call", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, { event_id: "evt_1", status: "accepted" })])
    const client = createClient({ baseUrl, credential: "llk_key", fetch })
    await client.events.send("acme", "forms", { entity: {} }, { credential: "lls_source", mode: "sync" })
    expect(sent[0]?.headers["authorization"]).toBe("Bearer lls_source")
    expect(sent[0]?.url.search).toBe("?mode=sync")
  })

  it("resolves to undefined for a response without a body", async () => {
    const { fetch } = stubFetch([() => answer(204, null)])
    expect(await createClient({ baseUrl, fetch }).tenants.archive("acme")).toBeUndefined()
  })

  it("rejects an invalid base URL", () => {
    expect(() => createClient({ baseUrl: "leads" })).toThrow(TypeError)
  })

  it("keeps every identifier within its own path segment", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, {})])
    const client = createClient({ baseUrl, fetch })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (id) => {
        fc.pre(id !== "." && id !== "..")
        await client.contacts.get("acme", id)
        const segments = sent.at(-1)?.url.pathname.split("/") ?? []
        expect(segments).toHaveLength(7)
        expect(decodeURIComponent(segments[6] ?? "")).toBe(id)
      })
    )
  })

  it.each(["", ".", ".."])("refuses %j as an identifier", (id) => {
    const { fetch } = stubFetch([() => answer(200, {})])
    expect(() => createClient({ baseUrl, fetch }).contacts.get("acme", id)).toThrow(TypeError)
  })
})

describe("LeadloomError", () => {
  const caught = async (response: () => Response): Promise<LeadloomError> => {
    const { fetch } = stubFetch([response])
    const client = createClient({ baseUrl, fetch, maxRetries: 0 })
    const error: unknown = await client.tenants.get("acme").catch((reason: unknown) => reason)
    if (!(error instanceof LeadloomError)) throw new Error("rejects with something else")
    return error
  }

  it("carries status, code, message, details and request id", async () => {
    const details = [{ path: "name", message: "Missing key" }]
    const body = { error: { code: "BAD_REQUEST", message: "Not valid", details } }
    const error = await caught(() => Response.json(body, { status: 400, headers: { "x-request-id": "req_7" } }))
    expect(error).toMatchObject({
      name: "LeadloomError",
      status: 400,
      code: "BAD_REQUEST",
      message: "Not valid",
      details,
      requestId: "req_7"
    })
    expect(error).toBeInstanceOf(Error)
  })

  it("reads the envelope of the standalone actions", async () => {
    const error = await caught(() =>
      Response.json({ success: false, error: "LLM provider not configured" }, { status: 400 })
    )
    expect(error).toMatchObject({ status: 400, code: "ACTION_FAILED", message: "LLM provider not configured" })
  })

  it("recognises a response of another program", async () => {
    const error = await caught(() => new Response("<html>Bad gateway</html>", { status: 502 }))
    expect(error).toMatchObject({ status: 502, code: "UNEXPECTED_RESPONSE", requestId: null })
    const page = await caught(() => new Response("<html>Welcome</html>", { status: 200 }))
    expect(page).toMatchObject({ status: 200, code: "UNEXPECTED_RESPONSE" })
  })

  it("names the address of a redirect instead of following it", async () => {
    const headers = { location: "https://leads.example.com/" }
    const error = await caught(() => new Response(null, { status: 301, headers }))
    expect(error.message).toContain("https://leads.example.com/")
  })

  it("wraps network errors and names the server", async () => {
    const cause = new TypeError("fetch failed")
    const error = await caught(() => {
      throw cause
    })
    expect(error).toMatchObject({ status: 0, code: "NETWORK_ERROR", cause })
    expect(error.message).toBe("http://leads.example.com cannot be reached.")
  })

  it("is identified by its code", async () => {
    const error = await caught(() => failure(409, "CONFLICT") as Response)
    expect(error.code).toBe("CONFLICT")
  })
})
