import { bodyLimits } from "@leadloom/api/internal/BodyLimits"
import { maxIssues } from "@leadloom/api/internal/Echo"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, endpoints, pathOf, someConfig } from "../world/Endpoints.ts"
import { adminKey, type Answer, at, type Call, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../world/World.ts"

const unlimited = Object.fromEntries(
  ["ADMIN", "WEBHOOK", "WORKFLOW", "PUBLIC"].map((name) => [`LEADLOOM_LIMIT_${name}`, "1000000"])
)

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer(unlimited)
  world = await makeWorld(server)
  await server.call("PATCH", "/api/v1/admin/tenants/acme", { as: adminKey, body: { plan: "growth" } })
  const form = { public_form: { enabled: true, allowed_origins: ["https://www.acme.com"] } }
  await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: form })
})
afterAll(() => server.close())

/** Maximum size of an error response, in bytes. */
const smallBytes = 8_192

const detailsOf = (answer: Answer): ReadonlyArray<unknown> => {
  const details = at(answer.json, "error", "details")
  return Array.isArray(details) ? details : []
}

const isSmall = (answer: Answer): void => {
  expect(answer.text.length).toBeLessThan(smallBytes)
  expect(detailsOf(answer).length).toBeLessThanOrEqual(maxIssues)
}

const refused = async (method: string, path: string, call: Call): Promise<Answer> => {
  const answer = await server.call(method, path, call)
  expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
  isSmall(answer)
  return answer
}

const many = <A>(count: number, item: A): ReadonlyArray<A> => Array.from({ length: count }, () => item)
const manyKeys = (count: number) => Object.fromEntries(many(count, 1).map((one, index) => [`k${index}`, one]))
const ruleOf = (when: unknown) => ({ id: "a", name: "a", priority: 1, when, actions: [{ type: "stop" }] })
const configOf = (...conditions: ReadonlyArray<unknown>) => ({ ...someConfig, rules: [ruleOf({ all: conditions })] })

describe("a request without a credential", () => {
  it("with 120,000 unknown fields is rejected for its size", async () => {
    const answer = await refused("POST", "/api/v1/sessions", { body: { location_id: "x", ...manyKeys(120_000) } })
    expect([answer.status, answer.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(answer.text).toContain("at most 16 KiB")
  })

  it("within the size limit receives three unknown fields and the number of the others", async () => {
    const answer = await refused("POST", "/api/v1/sessions", { body: { location_id: "x", ...manyKeys(400) } })
    expect(at(answer.json, "error", "details", 0)).toEqual({ path: "", message: "397 more unknown fields." })
    const tenant = { tenant_id: "fresh", name: "Fresh", ...manyKeys(400) }
    const message = "Unknown field. Use one of tenant_id, name, domain, preset, hipaa, plan."
    expect(detailsOf(await refused("POST", "/api/v1/admin/tenants", { as: adminKey, body: tenant }))).toEqual([
      { path: "", message: "397 more unknown fields." },
      ...["k0", "k1", "k2"].map((path) => ({ path, message }))
    ])
  })

  it("with more values than permitted is rejected before decoding", async () => {
    const answer = await refused("POST", "/api/v1/sessions", { body: { location_id: many(5_000, 1) } })
    expect(at(answer.json, "error", "details", 0, "message")).toMatch(/^Expected at most 500 values/u)
  })

  it("with a form has a limited number of fields in every encoding", async () => {
    const path = "/api/v1/public/leads/acme"
    const urlencoded = { "content-type": "application/x-www-form-urlencoded" }
    await refused("POST", path, { body: { name: many(30_000, 1) } })
    await refused("POST", path, { body: "a=&".repeat(20_000), headers: urlencoded })
    await refused("POST", path, { body: manyKeys(5_000) })
    expect((await refused("POST", path, { body: "x".repeat(70_000), headers: urlencoded })).status).toBe(413)
    const page = await refused("POST", path, {
      body: "x".repeat(70_000),
      headers: { ...urlencoded, accept: "text/html" }
    })
    expect([page.status, page.headers.get("content-type")]).toEqual([413, "text/html; charset=utf-8"])
  })
})

describe("a hostile body with a valid credential", () => {
  it("is checked for array lengths before their items are decoded", async () => {
    const send = "/api/v1/tenants/acme/email/send"
    for (const count of [101, 1_500]) {
      const answer = await refused("POST", send, { as: world.acme.apiKey, body: { to: many(count, 1), body: "x" } })
      expect(detailsOf(answer)).toEqual([{ path: "to", message: `Expected at most 100 items, got ${count}.` }])
    }
    const rules = await refused("PUT", "/api/v1/config/acme", { as: adminKey, body: configOf(...many(10_000, {})) })
    expect(detailsOf(rules)).toEqual([{ path: "rules.0.when.all", message: "Expected at most 500 items, got 10000." }])
    const items = await refused("POST", "/api/v1/tenants/acme/pipeline/batch", {
      as: adminKey,
      body: { items: many(5_000, 1) }
    })
    expect(detailsOf(items)).toEqual([{ path: "items", message: "Expected at most 500 items, got 5000." }])
  })

  it("is rejected for the number of its values, whatever they are", async () => {
    const send = "/api/v1/tenants/acme/email/send"
    const ones = await refused("POST", send, { as: world.acme.apiKey, body: { to: many(400_000, 1), body: "x" } })
    expect(at(ones.json, "error", "details", 0, "message")).toMatch(/^Expected at most 2000 values/u)
    const rules = await refused("PUT", "/api/v1/config/acme", {
      as: adminKey,
      body: configOf(...many(60_000, { fact: 1 }))
    })
    expect(at(rules.json, "error", "details", 0, "message")).toMatch(/^Expected at most 50000 values/u)
  })

  it("is rejected for its depth", async () => {
    const deep = `{"message":${"[".repeat(10_000)}${"]".repeat(10_000)}}`
    const answer = await refused("POST", "/api/v1/test/acme", { as: world.acme.apiKey, body: deep })
    expect(at(answer.json, "error", "details", 0, "message")).toBe("Expected at most 64 levels of nesting.")
  })

  it("receives only the first issue if it is large, with the number of unknown fields", async () => {
    const wrong = { fact: "message.text", op: "contains", value: {} }
    const rules = many(150, ruleOf({ all: many(40, wrong) }))
    const answer = await refused("PUT", "/api/v1/config/acme", { as: adminKey, body: { ...someConfig, rules } })
    for (const issue of detailsOf(answer)) expect(at(issue, "path")).toMatch(/^rules\.0\.when\.all(?:\.|$)/u)
    const unknown = { ...configOf(), score_weights: {}, ...manyKeys(10_000) }
    expect(detailsOf(await refused("PUT", "/api/v1/config/acme", { as: adminKey, body: unknown }))).toEqual([
      { path: "", message: "9997 more unknown fields." },
      ...["k0", "k1", "k2"].map((path) => ({ path, message: "Unknown field." }))
    ])
  })

  it("receives at most twenty issues and the number of the others", async () => {
    const answer = await refused("PUT", "/api/v1/config/acme", {
      as: adminKey,
      body: configOf(...many(100, { fact: 1 }))
    })
    expect(detailsOf(answer).length).toBe(maxIssues)
    expect(at(answer.json, "error", "details", maxIssues - 1, "message")).toMatch(
      /^\d+ further issues are not listed\.$/u
    )
    const saved = { as: adminKey, body: configOf(...many(100, { fact: "no.such.fact", op: "eq", value: 1 })) }
    expect(detailsOf(await refused("PUT", "/api/v1/config/acme", saved)).length).toBe(maxIssues)
    const patch = { rules: [ruleOf({ all: many(100, { fact: 1 }) })] }
    expect(detailsOf(await refused("PATCH", "/api/v1/config/acme", { as: adminKey, body: patch })).length).toBe(
      maxIssues
    )
  })

  it("receives a small response in the envelope of actions, too", async () => {
    const path = "/api/v1/actions/automation/acme/score-contact"
    const body = { message: 1, contact: { name: 1, email: {}, ["x".repeat(5_000)]: 1 }, channel: "y".repeat(5_000) }
    const answer = await refused("POST", path, { as: world.acme.apiKey, body })
    expect(at(answer.json, "success")).toBe(false)
  })

  it("receives a short error for each request of a batch", async () => {
    const body = { items: many(500, { message: 1, contact: 1, channel: 1, source: 1, metadata: 1 }) }
    const answer = await server.call("POST", "/api/v1/tenants/acme/pipeline/batch", { as: adminKey, body })
    expect(answer.status).toBe(202)
    const items = at(answer.json, "items")
    expect(Array.isArray(items) && items.every((item) => JSON.stringify(item).length < 1_000)).toBe(true)
  })
})

/** A text that is recognisable in any response. */
const marker = "Z".repeat(3_000)

const marked = (value: unknown): unknown => {
  if (typeof value === "string") return marker
  if (Array.isArray(value)) return value.map(marked)
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner)]))
    : value
}

/** Returns a body with each field replaced by the marker in turn, and with all of them replaced. */
const variantsOf = (body: unknown): ReadonlyArray<unknown> => {
  if (typeof body !== "object" || body === null) return [marked(body)]
  const single = Object.entries(body).map(([name, value]) => ({ ...body, [name]: marked(value) }))
  return [marked(body), { ...body, [marker]: marker }, ...single]
}

describe("an error", () => {
  const writing = endpoints.filter(({ name }) => name in bodies)

  it.each(writing.map((endpoint) => [endpoint.name, endpoint] as const))(
    "of %s repeats at most 100 characters of the body",
    async (name, endpoint) => {
      const path = pathOf(endpoint, { tenant_id: "acme", source_id: sourceId, action_key: "add_tag" })
      const query = endpoint.gate.tenant === "query" ? `?tenant_id=acme` : ""
      const as = name === "events.send" ? world.acme.sourceKey : adminKey
      for (const body of variantsOf(bodies[name])) {
        const answer = await server.call(endpoint.method, `${path}${query}`, { as, body })
        expect(answer.status).not.toBe(500)
        if (answer.status < 400) continue
        isSmall(answer)
        expect([JSON.stringify(body).slice(0, 80), /Z{101}/u.exec(answer.text)?.[0].length ?? 0]).toEqual([
          JSON.stringify(body).slice(0, 80),
          0
        ])
      }
    }
  )

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
    "of %s repeats at most 100 characters of path, query and headers",
    async (name, endpoint) => {
      const long = "Z".repeat(300)
      const tenant = name === "tenants.archive" ? long : "acme"
      const path = endpoint.path.replaceAll(/:(\w+)/gu, (_, param: string) => (param === "tenant_id" ? tenant : long))
      const query = `?${long}=${long}&tenant_id=${long}&cursor=${long}&limit=${long}&limit=2`
      const headers = { "if-match": long, "if-none-match": long, "idempotency-key": long, "x-source-key": long }
      const body = endpoint.method === "GET" ? {} : { body: bodies[name] ?? {} }
      // A stream with a valid query would not end.
      for (const url of name === "eventFeed.stream" ? [`${path}${query}`] : [path, `${path}${query}`]) {
        const answer = await server.call(endpoint.method, url, { as: adminKey, headers, ...body })
        if (answer.status < 400) continue
        isSmall(answer)
        expect(/Z{101}/u.exec(answer.text)).toBeNull()
      }
    }
  )
})

describe("a query", () => {
  it("of 20 KB of repeated parameters receives a short error", async () => {
    const repeated = "limit=1&".repeat(2_500)
    for (const path of ["/health", "/api/v1/tenants/acme/contacts", "/api/v1/tenants/acme/contacts/con_1"]) {
      const answer = await refused("GET", `${path}?${repeated}`, { as: adminKey })
      expect(answer.code).toBe("BAD_REQUEST")
    }
    const unknown = many(2_000, "")
      .map((_, index) => `p${index}=1`)
      .join("&")
    expect(detailsOf(await refused("GET", `/api/v1/tenants/acme/contacts?${unknown}`, { as: adminKey })).length).toBe(4)
  })
})

describe("every route that reads a body", () => {
  // No caller of this test is a superuser.
  const limited = endpoints.filter(({ gate, name }) => name in bodies && gate.operation !== "superuse")

  it.each(limited.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s rejects a body of one byte more than its limit",
    async (name, endpoint) => {
      const { bytes } = Object.entries(bodyLimits).find(([known]) => known === name)?.[1] ?? { bytes: 0 }
      const path = pathOf(endpoint, { tenant_id: "acme", source_id: sourceId, action_key: "add_tag" })
      const query = endpoint.gate.tenant === "query" ? "?tenant_id=acme" : ""
      const as = name === "events.send" ? world.acme.sourceKey : adminKey
      const body = `${JSON.stringify(bodies[name])}${" ".repeat(bytes)}`
      const answer = await refused(endpoint.method, `${path}${query}`, { as, body })
      expect([answer.status, answer.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    }
  )
})
