import { Authorization, Gate, type GateDeclaration } from "@leadloom/api/Access"
import { Api } from "@leadloom/api/Api"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { gateFaults } from "../../src/http/Gates.ts"

describe("the gates of a contract", () => {
  it("are all there and watched in ours", () => {
    expect(gateFaults(Api)).toEqual([])
  })

  it("are missed where an endpoint has none", () => {
    const open = HttpApiGroup.make("g").add(HttpApiEndpoint.get("a", "/a"))
    expect(gateFaults(HttpApi.make("test").add(open))).toEqual(["GET /a has no Gate"])
  })

  it("are missed where no middleware watches them", () => {
    const endpoint = HttpApiEndpoint.get("a", "/a").annotate(Gate, { operation: "agent", limiter: "admin" })
    expect(gateFaults(HttpApi.make("test").add(HttpApiGroup.make("g").add(endpoint)))).toEqual([
      "GET /a has a Gate that no middleware watches"
    ])
    const watched = HttpApiGroup.make("g").add(endpoint).middleware(Authorization)
    expect(gateFaults(HttpApi.make("test").add(watched))).toEqual([])
  })

  it("say of every POST what an Idempotency-Key does", () => {
    const post = (idempotency: Pick<GateDeclaration, "idempotency">) => {
      const gate = { operation: "agent", limiter: "admin", ...idempotency } as const
      const endpoint = HttpApiEndpoint.post("a", "/a").annotate(Gate, gate)
      return gateFaults(HttpApi.make("test").add(HttpApiGroup.make("g").add(endpoint).middleware(Authorization)))
    }
    expect(post({})).toEqual(["POST /a does not say what an Idempotency-Key does"])
    expect(post({ idempotency: "harmless" })).toEqual([])
  })

  it("may be open without a watcher", () => {
    const endpoint = HttpApiEndpoint.get("a", "/a").annotate(Gate, { operation: "public", limiter: "none" })
    expect(gateFaults(HttpApi.make("test").add(HttpApiGroup.make("g").add(endpoint)))).toEqual([])
  })
})
