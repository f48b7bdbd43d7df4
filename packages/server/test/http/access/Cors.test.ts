import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tenantsOut, writesOut } from "../../world/Broken.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../../world/ServerProcess.ts"
import { type Answer, adminKey, at, type Call, readResponse, requestOf, startServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

const app = "https://app.acme.com"
const local = "http://localhost:5173"
const otherApp = "https://inbox.other.com"
const contacts = "/api/v1/tenants/acme/contacts"

const folder = temporaryFolder()
let server: ServerProcess
let url = ""
let world: World

const call = async (method: string, path: string, options?: Call): Promise<Answer> =>
  readResponse(await fetch(requestOf(method, path, options, url)))

/** Sends a request as a page of an origin does. */
const from = (origin: string, method: string, path: string, { headers, ...options }: Call = {}): Promise<Answer> =>
  call(method, path, { ...options, headers: { ...headers, origin } })

const preflight = (origin: string, path = contacts, method = "GET"): Promise<Answer> =>
  from(origin, "OPTIONS", path, {
    headers: { "access-control-request-method": method, "access-control-request-headers": "authorization" }
  })

const readers = ({ headers }: Answer): string | null => headers.get("access-control-allow-origin")

const permit = async (tenant: string, origins: ReadonlyArray<unknown>): Promise<Answer> =>
  call("PATCH", `/api/v1/config/${tenant}`, { as: adminKey, body: { session_origins: origins } })

beforeAll(async () => {
  server = startProcess({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-pages",
    LEADLOOM_LIMIT_BAD_CREDENTIALS: "5"
  })
  url = await server.url
  world = await makeWorld({ call })
  await permit("acme", [app, local])
  await permit("other", [otherApp])
})
afterAll(async () => {
  server.kill("SIGTERM")
  await server.exit
  folder.remove()
})

describe("a page that its tenant permits", () => {
  it("may send and read requests with a session token", async () => {
    for (const origin of [app, local]) {
      const asked = await preflight(origin, contacts, "POST")
      expect([asked.status, readers(asked)]).toEqual([204, origin])
      expect(asked.headers.get("access-control-allow-methods")).toBe("POST")
      expect(asked.headers.get("access-control-max-age")).toBe("600")
      for (const name of ["authorization", "content-type", "idempotency-key", "if-match", "last-event-id"]) {
        expect(asked.headers.get("access-control-allow-headers")?.split(", ")).toContain(name)
      }
      const created = await from(origin, "POST", contacts, { as: world.acme.session, body: { name: origin } })
      expect([created.status, readers(created)]).toEqual([201, origin])
      const listed = await from(origin, "GET", contacts, { as: world.acme.session })
      expect([listed.status, readers(listed), listed.headers.get("vary")]).toEqual([200, origin, "origin"])
      const exposed = listed.headers.get("access-control-expose-headers")?.split(", ") ?? []
      for (const name of ["x-request-id", "retry-after", "idempotent-replayed", "x-ratelimit-remaining"]) {
        expect(exposed).toContain(name)
      }
    }
  })

  it("never sends cookies", async () => {
    for (const answer of [await preflight(app), await from(app, "GET", contacts, { as: world.acme.session })]) {
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
      expect(answer.headers.get("set-cookie")).toBeNull()
    }
  })

  it("reads the error of every rejected request", async () => {
    const { session } = world.acme
    const large = JSON.stringify({ name: "x".repeat(2_000_000) })
    const errors = {
      400: await from(app, "POST", contacts, { as: session, body: { nonsense: true } }),
      401: await from(app, "GET", contacts, { as: "expired.token" }),
      403: await from(app, "GET", "/api/v1/config/acme", { as: session }),
      404: await from(app, "GET", `${contacts}/con_unknown`, { as: session }),
      413: await from(app, "POST", contacts, { as: session, body: large }),
      415: await from(app, "POST", contacts, { as: session, body: "name", headers: { "content-type": "text/plain" } })
    }
    for (const [status, answer] of Object.entries(errors)) {
      expect([answer.status, readers(answer)], answer.text).toEqual([Number(status), app])
    }
    for (let attempts = 0; attempts < 6; attempts++) await from(app, "GET", contacts, { as: "guessed.token" })
    const limited = await from(app, "GET", contacts, { as: "guessed.token" })
    expect([limited.status, readers(limited)]).toEqual([429, app])
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0)
  })

  it("reads the error when the database is unavailable", async () => {
    for (const change of [tenantsOut, writesOut]) {
      const outage = { on: false }
      const broken = startServer({}, change(outage))
      try {
        const { acme } = await makeWorld(broken)
        await broken.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { session_origins: [app] } })
        outage.on = true
        const sent = { as: acme.session, body: { name: "Jane" }, headers: { origin: app } }
        const failed = await broken.call("POST", contacts, sent)
        expect([failed.status, readers(failed)]).toEqual([503, app])
      } finally {
        await broken.close()
      }
    }
  })

  it("follows the event stream", async () => {
    const path = "/api/v1/tenants/acme/events/stream?after=0&follow=false"
    const answer = await from(app, "GET", path, { as: world.acme.session })
    expect([answer.status, readers(answer)]).toEqual([200, app])
    expect(answer.headers.get("content-type")).toContain("text/event-stream")
    expect(answer.text).toContain("event: contact.created")
  })
})

describe("a page that the tenant of the token does not permit", () => {
  const strangers = [
    otherApp,
    "https://evil.test",
    "null",
    "",
    "*",
    "http://app.acme.com",
    "https://app.acme.com:8443",
    "https://app.acme.com:443",
    "https://app.acme.com/",
    "https://app.acme.com.",
    "https://APP.acme.com",
    "HTTPS://app.acme.com",
    "https://app.acme.com.evil.test",
    "https://evil.test/?https://app.acme.com",
    "https://evil.test#https://app.acme.com",
    "https://app.acme.com@evil.test",
    "https://acme.com",
    "https://a.app.acme.com",
    "https://appXacme.com",
    "https://xn--pp-cia.acme.com",
    `${app}, https://evil.test`,
    `${app} https://evil.test`,
    "http://localhost",
    "http://localhost:51730",
    `https://${"a".repeat(5_000)}.test`
  ]

  it("may neither run an operation nor read a response", async () => {
    const before = (await call("GET", contacts, { as: world.acme.apiKey })).text
    for (const origin of strangers) {
      const refused = await from(origin, "POST", contacts, { as: world.acme.session, body: { name: "Mallory" } })
      expect([refused.status, refused.code, readers(refused)], origin).toEqual([403, "FORBIDDEN", null])
      expect(refused.headers.get("vary")).toBe("origin")
    }
    expect((await call("GET", contacts, { as: world.acme.apiKey })).text).toBe(before)
  })

  it("learns nothing about tenants from a preflight request", async () => {
    for (const origin of strangers.filter((one) => one !== otherApp)) {
      const asked = await preflight(origin)
      expect([asked.status, readers(asked)], origin).toEqual([204, null])
    }
    const lasting = ({ headers, status, text }: Answer) => [
      status,
      text,
      ["origin", "methods", "headers"].map((name) => headers.get(`access-control-allow-${name}`))
    ]
    const [own = [], ...others] = await Promise.all(
      ["acme", "other", "nobody"].map(async (tenant) =>
        lasting(await preflight(app, `/api/v1/tenants/${tenant}/contacts`))
      )
    )
    expect(others).toEqual([own, own])
  })

  it("does not reach another tenant with its own origin", async () => {
    const foreignToken = await from(app, "GET", contacts, { as: world.other.session })
    expect([foreignToken.status, readers(foreignToken)]).toEqual([403, null])
    const foreignTenant = await from(otherApp, "GET", contacts, { as: world.other.session })
    expect([foreignTenant.status, foreignTenant.text.includes("acme")]).toEqual([403, false])
    const own = await from(otherApp, "GET", "/api/v1/tenants/other/contacts", { as: world.other.session })
    expect([own.status, readers(own)]).toEqual([200, otherApp])
  })
})

describe("other requests with an origin", () => {
  it("are not readable with an API key or the admin key", async () => {
    for (const as of [world.acme.apiKey, adminKey]) {
      const answer = await from(app, "GET", contacts, { as })
      expect([answer.status, readers(answer)]).toEqual([200, null])
      const missing = await from(app, "GET", `${contacts}/con_unknown`, { as })
      expect([missing.status, readers(missing)]).toEqual([404, null])
    }
  })

  it("have no permission for operations without session tokens", async () => {
    for (const [method, path] of [
      ["GET", "/api/v1/admin/tenants"],
      ["GET", "/api/v1/config/acme"],
      ["POST", "/api/v1/sessions"],
      ["POST", "/api/v1/test/acme"],
      ["POST", "/api/v1/public/leads/acme"],
      ["GET", "/api/v1/openapi.json"],
      ["GET", "/health"],
      ["GET", "/api/v1/unknown"],
      ["TRACE", contacts]
    ] as const) {
      expect(readers(await preflight(app, path, method)), path).toBeNull()
    }
    const denied = await from(app, "GET", "/api/v1/admin/tenants")
    expect([denied.status, readers(denied)]).toEqual([401, null])
  })

  it("work from the server's own pages", async () => {
    const own = await from(url, "GET", contacts, { as: world.acme.session })
    expect([own.status, readers(own)]).toEqual([200, null])
    const proxied = await from("https://leads.example", "GET", contacts, {
      as: world.acme.session,
      headers: { "sec-fetch-site": "same-origin" }
    })
    expect(proxied.status).toBe(200)
  })
})

describe("the permitted origins of a tenant", () => {
  it("are none by default", async () => {
    const config = await call("GET", "/api/v1/config/clinic", { as: adminKey })
    expect(at(config.json, "config", "session_origins")).toEqual([])
    const refused = await from(app, "GET", "/api/v1/tenants/clinic/contacts", { as: world.clinic.session })
    expect([refused.status, readers(refused)]).toEqual([403, null])
  })

  it("take effect at once, also when they are removed", async () => {
    const added = "https://new.other.com"
    const ask = async () => {
      const sent = await from(added, "GET", "/api/v1/tenants/other/contacts", { as: world.other.session })
      return [readers(await preflight(added)), sent.status]
    }
    expect(await ask()).toEqual([null, 403])
    await permit("other", [otherApp, added])
    expect(await ask()).toEqual([added, 200])
    await permit("other", [otherApp])
    expect(await ask()).toEqual([null, 403])
  })

  it("are exact origins of secure pages, at most 50", async () => {
    const wrong = [
      "*",
      "null",
      "https://*.acme.com",
      "http://app.acme.com",
      "https://app.acme.com/",
      "https://App.acme.com",
      "https://app.acme.com:443",
      "https://büro.example",
      "app.acme.com",
      "chrome-extension://abc"
    ]
    const refused = await permit("clinic", wrong)
    const issues = at(refused.json, "error", "details")
    expect([refused.status, Array.isArray(issues) ? issues.map((issue) => at(issue, "path")) : issues]).toEqual([
      400,
      wrong.map((_, index) => `session_origins.${index}`)
    ])
    const many = Array.from({ length: 51 }, (_, index) => `https://app${index}.acme.com`)
    expect((await permit("clinic", many)).status).toBe(400)
    expect((await permit("clinic", [`https://${"a".repeat(300)}.test`])).status).toBe(400)
    expect((await permit("clinic", [...many.slice(0, 49), "https://xn--bro-hoa.example:8443"])).status).toBe(200)
    const last = await from("https://app48.acme.com", "GET", "/api/v1/tenants/clinic/contacts", {
      as: world.clinic.session
    })
    expect(last.status).toBe(200)
  })
})

describe("preflight requests", () => {
  it("are limited per network", async () => {
    const place = temporaryFolder()
    const small = startProcess({ LEADLOOM_DATA_DIR: place.path, LEADLOOM_LIMIT_ADMIN: "3" })
    try {
      const headers = { origin: app, "access-control-request-method": "GET" }
      const ask = async () => fetch(`${await small.url}${contacts}`, { method: "OPTIONS", headers })
      const answers = [await ask(), await ask(), await ask(), await ask()]
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 429])
      expect(Number(answers[3]?.headers.get("retry-after"))).toBeGreaterThan(0)
      expect((await fetch(`${await small.url}${contacts}`, { method: "OPTIONS" })).status).toBe(204)
    } finally {
      small.kill("SIGTERM")
      await small.exit
      place.remove()
    }
  })
})
