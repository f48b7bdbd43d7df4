import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { isLeadloomError } from "../src/index.ts"
import { Leadloom, make } from "../src/effect.ts"
import { operationIds } from "./EveryOperation.ts"
import { answer, failure, stubFetch } from "./StubFetch.ts"

const baseUrl = "http://leads.example.com"

describe("@leadloom/client/effect", () => {
  it("has every operation of the contract", () => {
    const client = Object.entries(make({ baseUrl }))
    const ids = client.flatMap(([group, methods]) =>
      typeof methods === "function" ? [] : Object.keys(methods).map((name) => `${group}.${name}`)
    )
    assert.deepStrictEqual(ids.toSorted(), operationIds().toSorted())
  })

  it.effect("sends a request when the effect runs, not before", () =>
    Effect.gen(function* () {
      const { fetch, sent } = stubFetch([() => answer(200, { id: "lead_1" }, { "x-request-id": "req_1" })])
      const lead = make({ baseUrl, fetch }).leads.get("acme", "lead_1")
      assert.lengthOf(sent, 0)
      assert.strictEqual((yield* lead).id, "lead_1")
      const { data, requestId } = yield* lead.withResponse
      assert.deepStrictEqual([data.id, requestId], ["lead_1", "req_1"])
      assert.lengthOf(sent, 2)
    })
  )

  it.effect("fails with an error that is typed and caught by its code", () =>
    Effect.gen(function* () {
      const { fetch } = stubFetch([() => failure(404, "NOT_FOUND")])
      const client = make({ baseUrl, fetch })
      const caught = yield* client.leads.get("acme", "lead_1").pipe(
        Effect.as("found"),
        Effect.catchTag("NOT_FOUND", (error) => Effect.succeed(`${error.status} ${error.details?.length ?? 0}`))
      )
      assert.strictEqual(caught, "404 0")
      const error = yield* Effect.flip(client.leads.get("acme", "lead_1"))
      assert.isTrue(isLeadloomError(error, "NOT_FOUND"))
      // @ts-expect-error reading a lead cannot fail with this code
      Effect.catchTag(client.leads.get("acme", "lead_1"), "GUARDRAIL_BLOCKED", () => Effect.succeed(null))
    })
  )

  it.effect("streams the items and the pages of a list", () =>
    Effect.gen(function* () {
      const pages = [
        { leads: [{ id: "lead_1" }, { id: "lead_2" }], next_cursor: "c1" },
        { leads: [{ id: "lead_3" }], next_cursor: null }
      ]
      const answers = pages.map((page) => () => answer(200, page))
      const list = () => make({ baseUrl, fetch: stubFetch(answers).fetch }).leads.list("acme")
      const ids = yield* list().stream.pipe(
        Stream.map(({ id }) => id),
        Stream.runCollect
      )
      assert.deepStrictEqual(ids, ["lead_1", "lead_2", "lead_3"])
      const sizes = yield* list().pages.pipe(
        Stream.map(({ leads }) => leads.length),
        Stream.runCollect
      )
      assert.deepStrictEqual(sizes, [2, 1])
      assert.strictEqual((yield* list()).next_cursor, "c1")
    })
  )

  it.effect("streams a file and events", () =>
    Effect.gen(function* () {
      const event = { event_type: "lead.received", data: { lead_id: "lead_1" } }
      const { fetch } = stubFetch([
        () => new Response("abc"),
        () => new Response(`id: 4\nevent: lead.received\ndata: ${JSON.stringify(event)}\n\n`)
      ])
      const client = make({ baseUrl, fetch })
      const parts = yield* Stream.runCollect(client.dataRights.exportTenant("acme").stream)
      assert.strictEqual(parts.map((part) => new TextDecoder().decode(part)).join(""), "abc")
      const events = yield* client.eventFeed.stream("acme", { follow: false }).pipe(Stream.runCollect)
      assert.deepStrictEqual(
        events.map(({ event: { event_type: type }, id }) => [id, type]),
        [["4", "lead.received"]]
      )
    })
  )

  it.effect("aborts the request when the fiber is interrupted", () =>
    Effect.gen(function* () {
      const asked: Array<AbortSignal> = []
      const fetch = (_url: string, { signal }: { readonly signal: AbortSignal }) => {
        asked.push(signal)
        return new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      }
      const client = make({ baseUrl, fetch, maxRetries: 0 })
      for (const effect of [client.system.health(), Stream.runDrain(client.eventFeed.stream("acme"))]) {
        const fiber = yield* Effect.forkChild(effect)
        const before = asked.length
        while (asked.length === before) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(fiber)
        assert.isTrue(asked.at(-1)?.aborted)
      }
      assert.lengthOf(asked, 2)
    })
  )

  it.effect("treats an error of the program as a defect", () =>
    Effect.gen(function* () {
      const mine = new Error("no identity provider")
      const client = make({ baseUrl, credential: () => Promise.reject(mine) })
      const exit = yield* Effect.exit(client.tenants.list())
      assert.deepStrictEqual(exit, yield* Effect.exit(Effect.die(mine)))
    })
  )

  it.effect("is a service", () =>
    Effect.gen(function* () {
      const { fetch } = stubFetch([() => answer(200, { status: "ok", version: "0.1.0" })])
      const status = Effect.flatMap(Leadloom, (client) => client.system.health()).pipe(
        Effect.map((health) => health.status),
        Effect.provide(Leadloom.layer({ baseUrl, fetch }))
      )
      assert.strictEqual(yield* status, "ok")
    })
  )
})
