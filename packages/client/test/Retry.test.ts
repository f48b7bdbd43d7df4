import { type ContractOperation, contractOperations } from "@leadloom/core/internal/domain/access/Operations"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createClient, LeadloomError } from "../src/index.ts"
import type { FetchResponse } from "../src/index.ts"
import { argumentsOf, described, operationsOf } from "./EveryOperation.ts"
import { answer, failure, stubFetch } from "./StubFetch.ts"

const baseUrl = "http://leads.example.com"
const health = () => answer(200, { status: "ok", version: "0.1.0" })
const limited = (headers: Record<string, string> = {}) => failure(429, "RATE_LIMITED", headers)
const hour = 3_600_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.UTC(2026, 2, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Runs a call to its end with a fake clock. Returns the error of a failed call. */
const settle = async <A>(call: Promise<A>): Promise<A | LeadloomError> => {
  const settled = call.catch((error: unknown) => {
    if (error instanceof LeadloomError) return error
    throw error
  })
  await vi.advanceTimersByTimeAsync(hour)
  return settled
}

const clientOf = (answers: ReadonlyArray<() => FetchResponse>) => {
  const { fetch, sent } = stubFetch(answers)
  return { client: createClient({ baseUrl, fetch }), sent }
}

describe("a retry", () => {
  it("waits exactly for the time in Retry-After", async () => {
    const { client, sent } = clientOf([() => limited({ "retry-after": "7" }), health])
    const call = client.system.health()
    await vi.advanceTimersByTimeAsync(6_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(2)
    expect(await call).toMatchObject({ status: "ok" })
  })

  it("parses Retry-After as a date", async () => {
    const { client, sent } = clientOf([
      () => failure(503, "SERVICE_UNAVAILABLE", { "retry-after": "Sun, 01 Mar 2026 00:00:05 GMT" }),
      health
    ])
    const call = client.system.health()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await call).toMatchObject({ status: "ok" })
  })

  it("doubles the wait without Retry-After and subtracts up to half of it", async () => {
    const random = vi.spyOn(Math, "random")
    for (const [drawn, waits] of [
      [0, [125, 250, 500]],
      [1, [250, 500, 1_000]]
    ] as const) {
      random.mockReturnValue(drawn)
      const { fetch, sent } = stubFetch([() => limited()])
      const outcome = createClient({ baseUrl, fetch, maxRetries: 3 })
        .system.health()
        .catch((error: unknown) => error)
      for (const [index, milliseconds] of waits.entries()) {
        await vi.advanceTimersByTimeAsync(milliseconds - 1)
        expect(sent).toHaveLength(index + 1)
        await vi.advanceTimersByTimeAsync(1)
        expect(sent).toHaveLength(index + 2)
      }
      expect(await outcome).toBeInstanceOf(LeadloomError)
    }
    random.mockRestore()
  })

  it("fails immediately when the wait exceeds one minute", async () => {
    const { client, sent } = clientOf([() => limited({ "retry-after": "61" })])
    await expect(client.system.health()).rejects.toMatchObject({ code: "RATE_LIMITED" })
    expect(sent).toHaveLength(1)
  })

  it.each([408, 429, 502, 503, 504])("repeats a GET after %i", async (status) => {
    const { client, sent } = clientOf([() => failure(status, "RATE_LIMITED"), health])
    expect(await settle(client.system.health())).toMatchObject({ status: "ok" })
    expect(sent).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 409, 500])("does not repeat after %i", async (status) => {
    const { client, sent } = clientOf([() => failure(status, "INTERNAL")])
    expect(await settle(client.system.health())).toMatchObject({ status })
    expect(sent).toHaveLength(1)
  })

  it("does not wait for the next monthly allowance", async () => {
    const { client, sent } = clientOf([() => failure(429, "USAGE_LIMIT_REACHED")])
    expect(await settle(client.contacts.list("acme"))).toMatchObject({ code: "USAGE_LIMIT_REACHED" })
    expect(sent).toHaveLength(1)
  })

  it("gives up after two retries", async () => {
    const { client, sent } = clientOf([() => limited()])
    expect(await settle(client.system.health())).toMatchObject({ status: 429 })
    expect(sent).toHaveLength(3)
  })

  it("uses the number of retries of the client or of the call", async () => {
    const { fetch, sent } = stubFetch([() => limited()])
    const client = createClient({ baseUrl, fetch, maxRetries: 4 })
    await settle(client.system.health())
    expect(sent).toHaveLength(5)
    await settle(client.system.health({ maxRetries: 0 }))
    expect(sent).toHaveLength(6)
  })

  it("repeats PUT and DELETE, but not PATCH", async () => {
    const { client, sent } = clientOf([() => limited({ "retry-after": "1" })])
    const counts: Array<number> = []
    for (const call of [
      () => client.tenants.archive("acme"),
      () => client.locations.put({ location_id: "loc_1", tenant_id: "acme", sessions: "off" }),
      () => client.contacts.update("acme", "con_1", {})
    ]) {
      const before = sent.length
      await settle<unknown>(call())
      counts.push(sent.length - before)
    }
    expect(counts).toEqual([3, 3, 1])
  })

  it("repeats a POST that has the caller's idempotency key, with the same key", async () => {
    const { client, sent } = clientOf([() => limited(), () => answer(200, { event_id: "evt_1", status: "accepted" })])
    const call = client.events.send("acme", "forms", { entity: { id: 1 } }, { idempotencyKey: "order-1" })
    expect(await settle(call)).toMatchObject({ status: "accepted" })
    expect(sent.map((request) => request.headers["idempotency-key"])).toEqual(["order-1", "order-1"])
    expect(sent[1]?.body).toEqual({ entity: { id: 1 } })
  })

  it("adds a random idempotency key to a POST, the same for all attempts and another for each call", async () => {
    const { client, sent } = clientOf([() => limited(), () => answer(201, { id: "con_1" })])
    await settle(client.contacts.create("acme", {}))
    await settle(client.contacts.create("acme", {}))
    const [first, second, third] = sent.map(({ headers }) => headers["idempotency-key"])
    expect(first).toMatch(/^\d+(?:-\d+){3}$/u)
    expect([second, third === first]).toEqual([first, false])
  })

  it("sends no key when the caller switches it off, and then does not repeat the POST", async () => {
    const { client, sent } = clientOf([() => limited({ "retry-after": "1" })])
    await settle(client.contacts.create("acme", {}, { idempotencyKey: false }))
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined])
  })

  it("waits while the server still processes an earlier attempt", async () => {
    const { client, sent } = clientOf([
      () => failure(409, "IDEMPOTENCY_IN_PROGRESS"),
      () => answer(201, { id: "con_1" })
    ])
    expect(await settle(client.contacts.create("acme", {}))).toEqual({ id: "con_1" })
    expect(sent).toHaveLength(2)
  })

  it("follows the contract for every POST: reads have no key, and messages with their own id get none", async () => {
    const observed: Record<string, Array<string>> = { key: [], "no key, repeated": [], "no key, not repeated": [] }
    const posts = described().filter(({ verb }) => verb === "post")
    for (const one of posts) {
      const { fetch, sent } = stubFetch([() => limited({ "retry-after": "0" })])
      const result = operationsOf(fetch).get(one.id)?.(...argumentsOf(one, {}))
      await settle(Promise.resolve(result))
      const keyed = sent[0]?.headers["idempotency-key"] !== undefined
      observed[keyed ? "key" : sent.length > 1 ? "no key, repeated" : "no key, not repeated"]?.push(one.id)
      if (keyed) expect(sent).toHaveLength(2)
    }
    const reads = posts.filter(({ id }) => contractOperations[id as ContractOperation].access === "read")
    expect(observed["no key, repeated"]).toEqual(reads.map(({ id }) => id))
    expect(observed["no key, repeated"]).toEqual(expect.arrayContaining(["search.search", "contactViews.enriched"]))
    // A key would replace the id of the message (`content.metadata.message_id`, `submission_id`).
    expect(observed["no key, not repeated"]).toEqual(["events.send", "publicLeads.submit"])
    expect(observed["key"]).toHaveLength(posts.length - reads.length - 2)
  })

  it("repeats a GET when the connection breaks", async () => {
    const broken = () => {
      throw new TypeError("fetch failed")
    }
    const { client, sent } = clientOf([broken, health])
    expect(await settle(client.system.health())).toMatchObject({ status: "ok" })
    expect(sent).toHaveLength(2)
  })

  it("retries after the connection breaks within the body", async () => {
    const broken = () => Promise.reject(new TypeError("terminated"))
    const half = { status: 200, headers: new Headers(), text: () => broken(), arrayBuffer: () => broken() }
    const { client } = clientOf([() => half, health])
    expect(await settle(client.system.health())).toMatchObject({ status: "ok" })
  })
})

describe("cancellation", () => {
  it("turns a timeout into TIMEOUT", async () => {
    const fetch = (_url: string, init: { readonly signal: AbortSignal }) =>
      new Promise<FetchResponse>((_, reject) => {
        init.signal.addEventListener("abort", () => reject(init.signal.reason))
      })
    const client = createClient({ baseUrl, fetch, timeoutMs: 1, maxRetries: 0 })
    const outcome = client.system.health().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toMatchObject({ status: 0, code: "TIMEOUT" })
  })

  it("rejects with the caller's abort reason, including during a wait", async () => {
    const { client, sent } = clientOf([() => limited({ "retry-after": "30" })])
    const controller = new AbortController()
    const outcome = client.system.health({ signal: controller.signal }).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(1_000)
    const mine = new Error("changed my mind")
    controller.abort(mine)
    expect(await outcome).toBe(mine)
    await vi.advanceTimersByTimeAsync(hour)
    expect(sent).toHaveLength(1)
  })

  it("sends nothing after the signal has aborted", async () => {
    const { client, sent } = clientOf([health])
    await expect(client.system.health({ signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late")
    expect(sent).toHaveLength(0)
  })
})
