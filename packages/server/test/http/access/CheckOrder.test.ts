import { operationOf } from "@leadloom/core/internal/domain/access/Operations"
import { decide, hasOwnAuthorization } from "@leadloom/core/internal/domain/access/Permission"
import { callers } from "@leadloom/core/internal/domain/access/PermissionMatrix"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, type Endpoint, endpoints, pathOf } from "../../world/Endpoints.ts"
import { adminKey, type Answer, type Call, startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../../world/World.ts"

let server: TestServer
let world: World
/** A server whose limiters permit one request. */
let busy: TestServer
let busyWorld: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_BAD_CREDENTIALS: "100000", LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
  busy = startServer({ LEADLOOM_LIMIT_WEBHOOK: "1" })
  busyWorld = await makeWorld(busy)
})
afterAll(async () => {
  await server.close()
  await busy.close()
})

const statusAndCode = ({ code, status }: Answer) => `${status} ${code}`

/** A body and a query that violate every contract. */
const wrongBody = { nonsense: 1 }
const acceptsBody = ({ name }: Endpoint): boolean => name in bodies

const sendRequest = (endpoint: Endpoint, tenant: string, call: Call, on: TestServer = server): Promise<Answer> => {
  const path = pathOf(endpoint, { tenant_id: tenant, source_id: sourceId, action_key: "add_tag" })
  const named = endpoint.gate.tenant === "query" ? `tenant_id=${tenant}&` : ""
  const [before = "", query = ""] = path.split("?")
  const wrong = endpoint.method === "GET" ? "nonsense=1&" : ""
  const body = endpoint.method === "GET" || !acceptsBody(endpoint) ? {} : { body: wrongBody }
  return on.call(endpoint.method, `${before}?${query}${query === "" ? "" : "&"}${named}${wrong}`, { ...body, ...call })
}

/** The endpoints with the tenant in the body, which check the right to it themselves. */
const withOwnCheck = ["sessions.mint", "sessions.createTicket"]

/** Endpoints with the middleware `Authorization`, and those with a tenant in the path. */
const guarded = endpoints.filter(
  ({ gate, name }) =>
    gate.operation !== "public" && !hasOwnAuthorization(gate.operation) && !withOwnCheck.includes(name)
)
const named = guarded.filter(({ gate }) => gate.tenant === "path" || gate.tenant === "query")
const of = (list: ReadonlyArray<Endpoint>) => list.map((endpoint) => [endpoint.name, endpoint] as const)

/** Returns whether a tenant's API key has the right to an endpoint in its tenant. */
const keyMay = ({ name }: Endpoint): boolean => {
  const { access, class: operation } = operationOf(
    endpoints.find((one) => one.name === name)?.gate.name ?? "system.health"
  )
  return decide(callers["API key"], operation, "own", "path", access) === "allow"
}

/** Returns whether the operator's key has the right to an endpoint. */
const operatorMay = ({ gate }: Endpoint): boolean => gate.operation !== "superuse"

/** Returns whether a request of `ask` is invalid apart from its ids. */
const isWrong = (endpoint: Endpoint): boolean => endpoint.method === "GET" || acceptsBody(endpoint)

describe("the order of checks, with all later checks failing too", () => {
  it("route before credential", async () => {
    expect(statusAndCode(await server.call("GET", "/api/v1/tenants/clinic/nothing?nonsense=1"))).toBe("404 NOT_FOUND")
    expect(statusAndCode(await server.call("PUT", "/api/v1/tenants/clinic/contacts", { body: wrongBody }))).toBe(
      "405 METHOD_NOT_ALLOWED"
    )
  })

  it.each(of(guarded))("%s: credential before tenant, HIPAA and payload", async (_, endpoint) => {
    for (const call of [{}, { as: "nonsense" }])
      expect(statusAndCode(await sendRequest(endpoint, "clinic", call))).toBe("401 UNAUTHORIZED")
  })

  it.each(of(named))(
    "%s: another tenant before HIPAA, right and payload, with the same response as an unknown one",
    async (_, endpoint) => {
      const other = await sendRequest(endpoint, "clinic", { as: world.acme.apiKey })
      const missing = await sendRequest(endpoint, "nobody", { as: world.acme.apiKey })
      expect(statusAndCode(other)).toBe("403 FORBIDDEN")
      expect(missing.text).toBe(other.text)
    }
  )

  it.each(of(named.filter(operatorMay)))("%s: an unknown tenant before the payload", async (_, endpoint) => {
    expect(statusAndCode(await sendRequest(endpoint, "nobody", { as: adminKey }))).toBe("404 NOT_FOUND")
  })

  it.each(of(named.filter(({ gate }) => gate.email === true)))(
    "%s: HIPAA before right and payload, whatever the credential",
    async (_, endpoint) => {
      for (const as of [world.clinic.apiKey, world.clinic.session, world.clinic.sourceKey, adminKey])
        expect(statusAndCode(await sendRequest(endpoint, "clinic", { as }))).toBe("403 HIPAA_RESTRICTED")
    }
  )

  it.each(of(named.filter((endpoint) => !keyMay(endpoint) && endpoint.gate.email !== true)))(
    "%s: right before payload, in a HIPAA tenant as elsewhere",
    async (_, endpoint) => {
      for (const { apiKey, id } of [world.acme, world.clinic])
        expect(statusAndCode(await sendRequest(endpoint, id, { as: apiKey }))).toBe("403 FORBIDDEN")
    }
  )

  it.each(of(named.filter((endpoint) => endpoint.gate.limiter === "webhook")))(
    "%s: right before rate limit, rate limit before payload",
    async (_, endpoint) => {
      await sendRequest(endpoint, "acme", { as: busyWorld.acme.apiKey }, busy)
      expect(statusAndCode(await sendRequest(endpoint, "acme", { as: busyWorld.acme.session }, busy))).toBe(
        "403 FORBIDDEN"
      )
      expect(statusAndCode(await sendRequest(endpoint, "acme", { as: busyWorld.acme.apiKey }, busy))).toBe(
        "429 RATE_LIMITED"
      )
    }
  )

  it.each(of(named.filter((endpoint) => isWrong(endpoint) && operatorMay(endpoint))))(
    "%s: payload before existence",
    async (_, endpoint) => {
      const answer = await sendRequest(endpoint, "acme", { as: adminKey })
      // The envelope of standalone actions has no code.
      expect([answer.status, answer.code ?? "BAD_REQUEST"]).toEqual([400, "BAD_REQUEST"])
    }
  )
})

describe("every page that describes the contract", () => {
  it.each(["/api/v1/docs", "/api/v1/openapi.json"])("%s rejects every query parameter", async (path) => {
    expect(statusAndCode(await server.call("GET", `${path}?nonsense=1`))).toBe("400 BAD_REQUEST")
  })
})

describe("every GET", () => {
  const reading = endpoints.filter(({ method }) => method === "GET")

  it.each(of(reading))("%s rejects an unknown query parameter", async (_, endpoint) => {
    const path = pathOf(endpoint, { tenant_id: "acme" })
    const [before = "", query = ""] = path.split("?")
    const tenant = endpoint.gate.tenant === "query" ? "&tenant_id=acme" : ""
    const answer = await server.call("GET", `${before}?${query}${tenant}&nonsense=1`, { as: adminKey })
    expect(statusAndCode(answer)).toBe("400 BAD_REQUEST")
    expect(answer.text).toContain('"path":"nonsense"')
  })
})
