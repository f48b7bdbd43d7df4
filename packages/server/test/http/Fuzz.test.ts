import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, type Endpoint, endpoints, pathOf } from "../world/Endpoints.ts"
import { adminKey, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  const limits = {
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000",
    LEADLOOM_LIMIT_PUBLIC: "1000000"
  }
  server = startServer(limits)
  world = await makeWorld(server)
  const form = { public_form: { enabled: true, allowed_origins: [] } }
  await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: form })
})
afterAll(() => server.close())

const writing = endpoints.filter(({ method }) => method === "POST" || method === "PUT" || method === "PATCH")
const runs = 60

const send = async (endpoint: Endpoint, body: unknown): Promise<number> => {
  const path = pathOf(endpoint, { tenant_id: "acme", source_id: sourceId })
  const as = endpoint.gate.operation === "sendEvent" ? world.acme.sourceKey : adminKey
  return (await server.call(endpoint.method, path, { as, body })).status
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns every path in a JSON value. */
const places = (value: unknown): ReadonlyArray<ReadonlyArray<string>> => [
  [],
  ...(isRecord(value) || Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => places(inner).map((place) => [key].concat(place)))
    : [])
]

const replace = (value: unknown, [key, ...rest]: ReadonlyArray<string>, by: unknown): unknown => {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? replace(item, rest, by) : item))
  return isRecord(value) ? { ...value, [key]: replace(value[key], rest, by) } : value
}

/** Replaces one place of a valid body by any value. */
const nearMiss = (body: unknown) =>
  fc
    .tuple(fc.constantFrom(...places(body)), fc.jsonValue({ maxDepth: 3 }))
    .map(([place, by]) => replace(body, place, by))

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`

/** Characters with a meaning in search engines and SQL, and lone surrogates. */
const searchSyntax: ReadonlyArray<string> = Array.from(`"'*()^:-+&|!<>~,.;@#{}[]$%/ \\\0\t\n\u202e·¤¶`).concat(
  ["\ud83d", "\udc00", "\u0301", "AND ", "OR ", "NOT ", "NEAR(", "words:", "<->", ":*"],
  ["a", "acme", "roof", "屋根", "ส", "12 34", "0049"]
)

/** Operations that answer 503 by contract if no provider is configured. */
const hosted = [
  "email.connect",
  "email.authUrl",
  "email.callback",
  "agencies.authUrl",
  "agencies.callback",
  "crm.authUrl",
  "crm.callback",
  "billing.checkout",
  "billing.portal"
]
const breaks = (name: string, status: number): boolean => status >= 500 && !(status === 503 && hosted.includes(name))

describe("no body causes a failure", () => {
  it.each(writing.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (name, endpoint) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.string(), nearMiss(bodies[name] ?? {})), async (body) => {
        const status = await send(endpoint, body)
        expect([status, breaks(name, status)]).toEqual([status, false])
      }),
      { numRuns: runs }
    )
  })

  it.each([
    ["events.send", (json: string) => `{"entity":{"id":"1"},"content":{"body":"Hi","metadata":${json}}}`],
    ["pipeline.run", (json: string) => `{"message":"Hi","metadata":${json}}`],
    ["pipeline.dryRun", (json: string) => `{"message":"Hi","unknown":${json}}`],
    ["leads.append", (json) => `{"entries":[{"channel":"sms","body":"Hi","actor":"agent","metadata":${json}}]}`],
    ["publicLeads.submit", (json: string) => `{"email":"jane@customer.example","more":${json}}`],
    ["contacts.create", (json: string) => `{"name":${json}}`],
    ["config.replace", (json: string) => `{"rules":[{"when":${json}}]}`]
  ])("%s with deeply nested JSON", async (name, wrap) => {
    const endpoint = endpoints.find((known) => known.name === name)
    if (endpoint === undefined) throw new Error(name)
    for (const depth of [100, 5_000, 100_000])
      expect([depth, (await send(endpoint, wrap(deep(depth)))) < 500]).toEqual([depth, true])
    const negations = `${'{"not":'.repeat(20_000)}{}${"}".repeat(20_000)}`
    expect(await send(endpoint, wrap(negations))).toBeLessThan(500)
  })

  it("no search text causes a failure", async () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(fc.constantFrom(...searchSyntax), { maxLength: 40 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", minLength: 10_000, maxLength: 10_000 })
    )
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (query, deep) => {
        const options = { as: world.acme.apiKey, body: { query, deep } }
        const { status } = await server.call("POST", "/api/v1/tenants/acme/search", options)
        expect([query, status]).toEqual([query, 200])
      }),
      { numRuns: 300 }
    )
  })

  it("no path causes a failure", async () => {
    // A source that is not configured answers 503 by contract. The last tenant must not archive itself.
    const tested = endpoints.filter(({ name }) => name !== "events.send" && name !== "tenants.archive")
    const word = fc.string({ unit: "grapheme" }).map(encodeURIComponent)
    const tenant = fc.oneof(fc.constant("acme"), word)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tested), tenant, word, async (endpoint, tenantId, id) => {
        const ids = {
          merge_id: id,
          batch_id: id,
          contact_id: id,
          key_id: id,
          signal_id: id,
          source_id: id,
          grant_id: id,
          lead_id: id,
          task_id: id
        }
        const params = { tenant_id: tenantId, ...ids }
        const answer = await server.call(endpoint.method, pathOf(endpoint, params), { as: adminKey })
        expect([answer.status, breaks(endpoint.name, answer.status)]).toEqual([answer.status, false])
      }),
      { numRuns: 300 }
    )
  })
})
