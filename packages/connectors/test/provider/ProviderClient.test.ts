import { assert, describe, it } from "@effect/vitest"
import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Fiber, Redacted, Result } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { urlOf } from "../../src/provider/Exchange.ts"
import type { Provider, ProviderRequest } from "../../src/provider/Provider.ts"
import { send } from "../../src/provider/ProviderClient.ts"

const key = "sk-0123456789abcdef"

/** A response is made anew for each request, because a body is read once. */
type Scripted = (() => Response) | "lost" | "unsent" | "silent"

/** A provider that gives scripted responses, the last one repeatedly, and counts the requests. */
const scripted = (script: ReadonlyArray<Scripted>, changes: Partial<Provider> = {}) => {
  const seen: Array<HttpClientRequest.HttpClientRequest> = []
  const http = HttpClient.make((request) => {
    seen.push(request)
    const next = script[Math.min(seen.length, script.length) - 1] ?? "silent"
    if (next === "silent") return Effect.never
    if (typeof next === "function") return Effect.succeed(HttpClientResponse.fromWeb(request, next()))
    const cause = Object.assign(new Error("broken"), { code: next === "unsent" ? "ECONNREFUSED" : "ECONNRESET" })
    return Effect.fail(
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
    )
  })
  const provider: Provider = {
    service: "payments",
    name: "Acme",
    http,
    baseUrl: "https://api.acme.example/v1",
    authorize: HttpClientRequest.bearerToken(key),
    secrets: [Redacted.make(key)],
    timeoutMillis: 10_000,
    maxBytes: 1_048_576,
    problemOf: (json, { status }) => ({ code: null, text: `${status} ${String(Object(json).message ?? "")}` }),
    retries: { attempts: 3, pauseMillis: 100, maxPauseMillis: 5_000 },
    ...changes
  }
  return { provider, seen }
}

const read: ProviderRequest = { method: "GET", path: ["things"], what: "thing" }
const idempotent: ProviderRequest = { method: "POST", path: ["things"], what: "thing", effect: "idempotent" }
const once: ProviderRequest = { method: "POST", path: ["things"], what: "thing" }

const status =
  (code: number, headers: Record<string, string> = {}, message = "no") =>
  () =>
    Response.json({ message }, { status: code, headers })

/** Sends a request with as much time as it needs. */
const outcome = (provider: Provider, request: ProviderRequest) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(send(provider, request)), { startImmediately: true })
    yield* TestClock.adjust(60_000)
    return yield* Fiber.join(fiber)
  })

const failureOf = <A>(result: Result.Result<A, ProviderFailure>): ProviderFailure["reason"] => {
  if (Result.isSuccess(result)) throw new Error("it did not fail")
  return result.failure.reason
}

describe("a request to a provider", () => {
  const rows: ReadonlyArray<readonly [ProviderRequest, ReadonlyArray<Scripted>, string, number]> = [
    [once, ["lost"], "OutcomeUnknown", 1],
    [once, ["silent"], "OutcomeUnknown", 1],
    [once, ["unsent"], "Unavailable", 1],
    [once, [status(500)], "OutcomeUnknown", 1],
    [once, [status(503)], "Unavailable", 1],
    [once, [status(429, { "x-should-retry": "true" })], "Unavailable", 1],
    [once, [status(200)], "Success", 1],
    [idempotent, ["lost", status(200)], "Success", 2],
    [idempotent, ["lost"], "OutcomeUnknown", 3],
    [idempotent, ["lost", status(429)], "OutcomeUnknown", 3],
    [idempotent, ["lost", status(400)], "Refused", 2],
    [idempotent, [status(429)], "Unavailable", 3],
    [idempotent, [status(429, { "stripe-should-retry": "false" })], "Unavailable", 1],
    [idempotent, [status(429, { "retry-after": "60" })], "Unavailable", 1],
    [read, ["lost"], "Unavailable", 3],
    [read, ["silent"], "Unavailable", 1],
    [read, [status(500), status(200)], "Success", 2],
    [read, [status(401)], "SignedOut", 1],
    [read, [status(404)], "Gone", 1],
    [read, [status(302)], "Refused", 1]
  ]
  for (const [request, script, expected, requests] of rows) {
    const name = script.map((each) => (typeof each === "function" ? each().status : each)).join(", then ")
    it.effect(`${request.effect ?? request.method} ends as ${expected} after ${requests} requests: ${name}`, () =>
      Effect.gen(function* () {
        const { provider, seen } = scripted(script)
        const result = yield* outcome(provider, request)
        assert.strictEqual(Result.isSuccess(result) ? "Success" : failureOf(result)._tag, expected)
        assert.lengthOf(seen, requests)
      })
    )
  }

  it.effect("reads the refusal of a 2xx response like an error status", () =>
    Effect.gen(function* () {
      const readRefusal: Provider["readRefusal"] = (json) =>
        Object(json).message === "no"
          ? { code: `busy ${key}`, text: `wait ${key} ${"x".repeat(5_000)}`, verdict: "Unavailable" }
          : null
      const busy = status(200, { "retry-after": "7" })
      const waiting = scripted([busy], { readRefusal })
      const reason = failureOf(yield* outcome(waiting.provider, once))
      assert.deepInclude(reason, { _tag: "Unavailable", code: "busy [secret]", retryAfterMillis: 7_000 })
      assert.notInclude(JSON.stringify(reason), key)
      assert.isBelow(JSON.stringify(reason).length, 2_000)
      assert.lengthOf(waiting.seen, 1)
      const repeated = scripted([status(200), status(200, {}, "yes")], { readRefusal })
      assert.isTrue(Result.isSuccess(yield* outcome(repeated.provider, idempotent)))
      assert.lengthOf(repeated.seen, 2)
    })
  )

  it.effect("reports the requested wait, unless it is longer than a day", () =>
    Effect.gen(function* () {
      for (const [header, wait] of [
        ["7", 7_000],
        ["99999999", null],
        ["soon", null]
      ] as const) {
        const { provider } = scripted([status(429, { "retry-after": header })])
        assert.deepInclude(failureOf(yield* outcome(provider, once)), { retryAfterMillis: wait })
      }
    })
  )

  it.effect("never repeats a secret, even where its error message is cut", () =>
    Effect.gen(function* () {
      for (const length of [0, 480, 490, 495]) {
        const { provider } = scripted([status(400, {}, `${"x".repeat(length)}${key} ${btoa(key)}`)])
        assert.notInclude(JSON.stringify(failureOf(yield* outcome(provider, once))), key.slice(0, 8))
      }
      const { provider } = scripted([status(400, {}, "the code abcdefgh\u202Eis wrong")])
      const reason = failureOf(yield* outcome(provider, { ...once, secrets: ["abcdefgh"] }))
      assert.deepInclude(reason, { detail: "400 the code [secret]is wrong" })
    })
  )

  it.effect("bounds the response", () =>
    Effect.gen(function* () {
      const long = () => new Response("x".repeat(2_000))
      const reading = scripted([long], { maxBytes: 1_000 })
      assert.strictEqual(failureOf(yield* outcome(reading.provider, read))._tag, "Refused")
      const writing = scripted([long], { maxBytes: 1_000 })
      assert.strictEqual(failureOf(yield* outcome(writing.provider, once))._tag, "OutcomeUnknown")
    })
  )

  it.effect("is not sent when an id would change the path", () =>
    Effect.gen(function* () {
      for (const id of ["", ".", ".."]) {
        const { provider, seen } = scripted([status(200)])
        assert.strictEqual(failureOf(yield* outcome(provider, { ...read, path: ["things", id] }))._tag, "Gone")
        assert.lengthOf(seen, 0)
      }
      assert.strictEqual(urlOf("https://a.example/v1/", ["x/../y"], ".json"), "https://a.example/v1/x%2F..%2Fy.json")
    })
  )

  it.effect("carries no credentials of the provider when it has others", () =>
    Effect.gen(function* () {
      const { provider, seen } = scripted([status(200)])
      yield* outcome(provider, { ...read, token: null })
      yield* outcome(provider, { ...read, token: Redacted.make("another") })
      assert.deepStrictEqual(
        seen.map(({ headers }) => headers["authorization"]),
        [undefined, "Bearer another"]
      )
    })
  )
})
