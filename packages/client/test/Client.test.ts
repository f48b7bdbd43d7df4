import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createClient, isLeadloomError, LeadloomError } from "../src/index.ts"
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

  it("names the acting user of the client, or that of a call", async () => {
    const { fetch, sent } = stubFetch([() => answer(200, { contacts: [], next_cursor: null })])
    const client = createClient({ baseUrl, actingUser: "usr_ann", fetch })
    await client.contacts.list("acme")
    await client.contacts.list("acme", { actingUser: "usr_bob" })
    await createClient({ baseUrl, fetch }).contacts.list("acme")
    expect(sent.map(({ headers }) => headers["x-acting-user"])).toEqual(["usr_ann", "usr_bob", undefined])
  })

  it("resolves to undefined for a response without a body", async () => {
    const { fetch } = stubFetch([() => answer(204, null)])
    expect(await createClient({ baseUrl, fetch }).tenants.archive("acme")).toBeUndefined()
  })

  it("returns the data together with status, headers and request id", async () => {
    const headers = { "x-request-id": "req_1", "idempotent-replayed": "true" }
    const { fetch, sent } = stubFetch([() => answer(201, { id: "con_1" }, headers)])
    const client = createClient({ baseUrl, fetch })
    const response = await client.contacts.create("acme", {}).withResponse()
    expect(response).toMatchObject({ data: { id: "con_1" }, status: 201, requestId: "req_1" })
    expect(response.headers.get("idempotent-replayed")).toBe("true")
    expect(sent).toHaveLength(1)
  })

  it("reports a failed call once, to the caller of withResponse", async () => {
    const unhandled: Array<unknown> = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on("unhandledRejection", note)
    const { fetch } = stubFetch([() => failure(404, "NOT_FOUND")])
    const call = createClient({ baseUrl, fetch }).contacts.get("acme", "con_1").withResponse()
    await expect(call).rejects.toMatchObject({ code: "NOT_FOUND" })
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", note)
    expect(unhandled).toEqual([])
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

describe("a credential function", () => {
  const unauthorized = () => failure(401, "UNAUTHORIZED")
  const done = () => answer(201, { id: "con_1" })
  const credentialsOf = (sent: ReadonlyArray<{ readonly headers: Record<string, string> }>) =>
    sent.map(({ headers }) => headers["authorization"])

  it("is called once for many requests", async () => {
    const { fetch, sent } = stubFetch([done])
    let calls = 0
    const credential = async () => `token-${++calls}`
    const client = createClient({ baseUrl, credential, fetch })
    await Promise.all([client.contacts.create("acme", {}), client.contacts.create("acme", {})])
    await client.contacts.create("acme", {})
    expect(credentialsOf(sent)).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-1"])
  })

  it("renews a rejected credential once for concurrent calls and repeats them, whatever their method", async () => {
    const rejected: Array<string | undefined> = []
    const credential = (old: string | undefined) => {
      rejected.push(old)
      return old === undefined ? "old" : "new"
    }
    const seen: Array<string> = []
    const client = createClient({
      baseUrl,
      credential,
      maxRetries: 0,
      fetch: async (_url, { headers }) => {
        seen.push(headers["authorization"] ?? "")
        return headers["authorization"] === "Bearer old" ? unauthorized() : done()
      }
    })
    await Promise.all([
      client.contacts.create("acme", {}, { idempotencyKey: false }),
      client.contacts.update("acme", "con_1", {})
    ])
    await client.contacts.get("acme", "con_1")
    expect(rejected).toEqual([undefined, "old"])
    expect(seen).toEqual(["Bearer old", "Bearer old", "Bearer new", "Bearer new", "Bearer new"])
  })

  it("repeats a call once only, and not with the same credential", async () => {
    const twice = stubFetch([unauthorized])
    let calls = 0
    const changing = createClient({ baseUrl, credential: () => `token-${++calls}`, fetch: twice.fetch })
    await expect(changing.contacts.list("acme")).rejects.toMatchObject({ code: "UNAUTHORIZED" })
    expect(credentialsOf(twice.sent)).toEqual(["Bearer token-1", "Bearer token-2"])
    const once = stubFetch([unauthorized])
    for (const credential of ["fixed", () => "fixed"]) {
      const client = createClient({ baseUrl, credential, fetch: once.fetch })
      await expect(client.contacts.list("acme")).rejects.toMatchObject({ code: "UNAUTHORIZED" })
    }
    expect(credentialsOf(once.sent)).toEqual(["Bearer fixed", "Bearer fixed"])
  })

  it("passes its own failure on, and is called again by the next call", async () => {
    const { fetch, sent } = stubFetch([done])
    let calls = 0
    const credential = async () => {
      if (++calls === 1) throw new Error("no identity provider")
      return "token"
    }
    const client = createClient({ baseUrl, credential, fetch })
    await expect(client.contacts.create("acme", {})).rejects.toThrow("no identity provider")
    await client.contacts.create("acme", {})
    expect(credentialsOf(sent)).toEqual(["Bearer token"])
  })

  it("does not replace the credential of a call", async () => {
    const { fetch, sent } = stubFetch([unauthorized])
    const client = createClient({ baseUrl, credential: () => "own", fetch })
    await expect(client.contacts.list("acme", { credential: "given" })).rejects.toMatchObject({ status: 401 })
    expect(credentialsOf(sent)).toEqual(["Bearer given"])
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

  it("is identified by its code, which types the details", async () => {
    const error = await caught(() => failure(409, "CONFLICT") as Response)
    expect(isLeadloomError(error)).toBe(true)
    expect(isLeadloomError(error, "CONFLICT")).toBe(true)
    expect(isLeadloomError(error, "RATE_LIMITED", "CONFLICT")).toBe(true)
    expect(isLeadloomError(error, "RATE_LIMITED")).toBe(false)
    expect(isLeadloomError(new Error("CONFLICT"), "CONFLICT")).toBe(false)
    expect(isLeadloomError("CONFLICT")).toBe(false)
    const issues = [{ path: "name", message: "Missing key" }]
    const body = { error: { code: "BAD_REQUEST", message: "Not valid", details: issues } }
    const refused: unknown = await caught(() => Response.json(body, { status: 400 }))
    if (!isLeadloomError(refused, "BAD_REQUEST")) throw new Error("another error")
    const paths: ReadonlyArray<string> = (refused.details ?? []).map(({ path }) => path)
    expect(paths).toEqual(["name"])
  })

  it("recognises the error of another copy of the package", () => {
    const foreign = Object.assign(new Error("Not found"), { name: "LeadloomError", code: "NOT_FOUND" })
    expect(isLeadloomError(foreign, "NOT_FOUND")).toBe(true)
    expect(isLeadloomError(Object.assign(new Error("x"), { code: "NOT_FOUND" }), "NOT_FOUND")).toBe(false)
  })

  it.each([
    ["90", 90],
    ["0", 0],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
    ["soon", null],
    [" ", null]
  ])("states Retry-After %j in seconds", async (header, seconds) => {
    const error = await caught(() => failure(429, "USAGE_LIMIT_REACHED", { "retry-after": header }) as Response)
    if (seconds === null) expect(error.retryAfter).toBeNull()
    // The header has a resolution of one second, and the test takes some time.
    else expect(Math.abs((error.retryAfter ?? -1_000) - seconds)).toBeLessThan(seconds === 3_600 ? 300 : 1)
  })
})
