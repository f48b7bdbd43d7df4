import { Authorization, Gate, gate } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { keyErrors } from "@leadloom/api/internal/errors"
import { IdempotencyKey } from "@leadloom/api/internal/schema/Field"
import type { ContractOperation } from "@leadloom/core/internal/domain/access/Operations"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, expect, expectTypeOf, it } from "vitest"
import { gateFaults } from "../../../src/http/middleware/Gates.ts"
import { unservedRows, outsideRoutes } from "../../../src/http/OutsideRoutes.ts"

const list = HttpApiEndpoint.get("list", "/:tenant_id/contacts").annotate(
  Gate,
  gate("contacts.list", { limiter: "admin" })
)
const faultsOf = (...groups: ReadonlyArray<HttpApiGroup.Constraint>) =>
  groups.flatMap((group) => gateFaults(HttpApi.make("test").add(group)))

describe("the gates of a contract", () => {
  it("are complete and checked in the contract", () => {
    expect(gateFaults(Api)).toEqual([])
  })

  it("exist only for operations with a row", () => {
    expectTypeOf(gate).parameter(0).toEqualTypeOf<ContractOperation>()
    expectTypeOf<"contacts.fly">().not.toExtend<ContractOperation>()
    expect(gate("leads.find", { limiter: "admin" })).toEqual({
      name: "leads.find",
      operation: "agent",
      tenant: "resource",
      access: "read",
      limiter: "admin"
    })
  })

  it("are reported if an endpoint has none", () => {
    const open = HttpApiGroup.make("g").add(HttpApiEndpoint.get("a", "/a"))
    expect(faultsOf(open)).toEqual(["GET /a has no Gate"])
  })

  it("are reported if no middleware checks them", () => {
    const unwatched = HttpApiGroup.make("contacts").add(list)
    expect(faultsOf(unwatched)).toEqual(["GET /:tenant_id/contacts has a Gate that no middleware checks"])
    expect(faultsOf(unwatched.middleware(Authorization))).toEqual([])
  })

  it("are reported if they belong to another endpoint or path", () => {
    const foreign = HttpApiGroup.make("leads").add(list).middleware(Authorization)
    expect(faultsOf(foreign)).toEqual(["GET /:tenant_id/contacts has the Gate of contacts.list"])
    const listed = HttpApiEndpoint.get("list", "/contacts").annotate(Gate, gate("contacts.list", { limiter: "admin" }))
    expect(faultsOf(HttpApiGroup.make("contacts").add(listed).middleware(Authorization))).toEqual([
      'GET /contacts lacks :tenant_id in its path, but its Gate declares the tenant "path"'
    ])
    const created = HttpApiEndpoint.get("create", "/:tenant_id").annotate(
      Gate,
      gate("contacts.create", { limiter: "admin" })
    )
    expect(faultsOf(HttpApiGroup.make("contacts").add(created).middleware(Authorization))).toEqual([
      "GET /:tenant_id is a GET that writes"
    ])
  })

  it("must declare storage, header and errors of the Idempotency-Key on every POST, including public ones", () => {
    const post = <Endpoint extends HttpApiEndpoint.Constraint>(endpoint: Endpoint) =>
      faultsOf(HttpApiGroup.make("contacts").add(endpoint).middleware(Authorization))
    const undeclared = gate("contacts.create", { limiter: "admin" })
    const declared = gate("contacts.create", { limiter: "admin", idempotency: "unit" })
    const unkept = "POST /:tenant_id does not declare how it stores its Idempotency-Key"
    const errors = "POST /:tenant_id does not declare the errors of an Idempotency-Key"
    const create = HttpApiEndpoint.post("create", "/:tenant_id")
    expect(post(create.annotate(Gate, undeclared))).toEqual([
      unkept,
      "POST /:tenant_id does not declare the header Idempotency-Key",
      errors
    ])
    const half = HttpApiEndpoint.post("create", "/:tenant_id", { headers: IdempotencyKey, error: keyErrors[0] })
    expect(post(half.annotate(Gate, undeclared))).toEqual([unkept, errors])
    const whole = HttpApiEndpoint.post("create", "/:tenant_id", { headers: IdempotencyKey, error: keyErrors })
    expect(post(whole.annotate(Gate, declared))).toEqual([])
    const open = HttpApiEndpoint.post("submit", "/:tenant_id").annotate(
      Gate,
      gate("publicLeads.submit", { limiter: "public" })
    )
    expect(faultsOf(HttpApiGroup.make("publicLeads").add(open))).toHaveLength(3)
  })

  it("may be public without a middleware", () => {
    const endpoint = HttpApiEndpoint.get("health", "/a").annotate(Gate, gate("system.health", { limiter: "none" }))
    expect(faultsOf(HttpApiGroup.make("system").add(endpoint))).toEqual([])
  })
})

describe("the rows of the permission matrix", () => {
  it("are all served by one endpoint or route", () => {
    expect(unservedRows()).toEqual([])
    const names = outsideRoutes.map(([, , name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it("are reported as unused if the route is gone", () => {
    expect(unservedRows(outsideRoutes.filter(([, , name]) => name !== "stripe.notice"))).toEqual(["stripe.notice"])
  })
})
