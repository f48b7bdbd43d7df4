import { afterEach, describe, expect, it } from "vitest"
import type { LlmConfig } from "../../src/llm/LlmConfig.ts"
import {
  classification,
  completion,
  configOf,
  failureOf,
  type Scripted,
  startRequest,
  startScripted
} from "./LlmWorld.ts"
import { checkCompletionRequest, specificationNote } from "./OpenAiSpecification.ts"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a scripted server and a client for it. */
const begin = async (changes: Partial<LlmConfig>, ...script: ReadonlyArray<Scripted>) => {
  const server = await startScripted(script)
  const requesting = startRequest(configOf(server.url, changes))
  closing.push(requesting.close, server.close)
  return { server, requesting }
}

const good = completion({ content: JSON.stringify(classification) })
const at = (headers: Readonly<Record<string, string>>, status = 503) => ({
  status,
  headers,
  body: { error: { message: "busy", type: "server_error" } }
})
const complaint = (message: string, param: string | null = null) => ({
  status: 400,
  body: { error: { message, type: "invalid_request_error", param, code: null } }
})

describe("a server with partial support", () => {
  it("receives JSON mode when it rejects a schema, and in all later requests", async () => {
    const { requesting, server } = await begin({}, complaint("'json_schema' is not supported", "response_format"), good)
    expect(await requesting.classify()).toMatchObject({ success: { classification, use: { calls: 2 } } })
    expect(await requesting.classify()).toMatchObject({ success: { use: { calls: 1 } } })
    expect(server.bodies.map((body) => Object(body["response_format"]).type)).toEqual([
      "json_schema",
      "json_object",
      "json_object"
    ])
  })

  it("receives a plain-text request as the last resort, and its JSON is extracted", async () => {
    const words = `<think>{"no": 1}</think>Sure: ${JSON.stringify(classification)} Anything else?`
    const { requesting, server } = await begin(
      {},
      { status: 400, body: "Bad Request" },
      { status: 400, body: { detail: "unknown" } },
      completion({ content: words })
    )
    expect(await requesting.classify()).toMatchObject({ success: { classification, use: { calls: 3 } } })
    expect(server.bodies[2]).not.toHaveProperty("response_format")
    expect(JSON.stringify(server.bodies[2])).toContain("The JSON schema of the answer")
  })

  it("receives no temperature, and the token limit in another field", async () => {
    const { requesting, server } = await begin(
      {},
      complaint("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"),
      complaint("Unsupported value: 'temperature' does not support 0", "temperature"),
      good
    )
    expect(await requesting.classify()).toMatchObject({ success: { use: { calls: 3 } } })
    await requesting.write()
    expect(server.bodies[3]).toMatchObject({ max_completion_tokens: 4_000 })
    expect(server.bodies[3]).not.toHaveProperty("temperature")
    expect(server.bodies[3]).not.toHaveProperty("max_tokens")
  })

  it("keeps its capabilities when one message is too long", async () => {
    const tooLong = {
      status: 400,
      body: { error: { message: "maximum context length", code: "context_length_exceeded" } }
    }
    const { requesting, server } = await begin({}, tooLong, good)
    expect(failureOf(await requesting.classify())).toMatchObject({ later: false, use: { calls: 1 } })
    expect(await requesting.classify()).toMatchObject({ success: { use: { calls: 1 } } })
    expect(Object(server.bodies[1]?.["response_format"]).type).toBe("json_schema")
  })

  it("fails with the first error when it rejects every form, and no form is remembered", async () => {
    const { requesting, server } = await begin({}, complaint("the first"), complaint("the second"))
    expect(failureOf(await requesting.classify()).reason).toContain("the first")
    expect(server.bodies).toHaveLength(3)
    await requesting.classify()
    expect(Object(server.bodies[3]?.["response_format"]).type).toBe("json_schema")
  })
})

describe("a failing server", () => {
  it("receives no retry when the model refuses", async () => {
    const { requesting, server } = await begin({}, completion({ content: null, refusal: "I cannot help with that." }))
    const failure = failureOf(await requesting.write())
    expect(failure).toMatchObject({ later: false, use: { calls: 1, inputTokens: 100 } })
    expect(failure.reason).toMatch(/refused to answer/u)
    expect(failure.reason).not.toContain("cannot help")
    expect(server.bodies).toHaveLength(1)
  })

  it("fails at the timeout, and the call is counted", async () => {
    const { requesting, server } = await begin({ timeoutMillis: 1_000 }, { fault: "silent" })
    expect(failureOf(await requesting.classify())).toMatchObject({
      later: true,
      use: { calls: 1, inputTokens: 0 },
      reason: expect.stringContaining("did not respond within 1 s")
    })
    expect(server.bodies).toHaveLength(1)
  })

  it("receives a retry when the connection breaks during the response", async () => {
    const { requesting } = await begin({}, { ...good, fault: "cut" }, good)
    expect(await requesting.classify()).toMatchObject({ success: { classification, use: { calls: 2 } } })
  })

  it("receives a retry exactly when it permits one", async () => {
    const { requesting } = await begin({}, at({ "retry-after-ms": "1" }), at({ "retry-after": "0" }, 409), good)
    expect(await requesting.classify()).toMatchObject({ success: { use: { calls: 3 } } })
    const strict = await begin({}, at({ "x-should-retry": "false", "retry-after": "3" }), good)
    expect(failureOf(await strict.requesting.classify())).toMatchObject({
      later: true,
      retryAfterMillis: 3_000,
      use: { calls: 1 }
    })
  })

  it("cannot request an implausible wait", async () => {
    for (const headers of [{ "retry-after": "99999999" }, { "retry-after-ms": "-5" }, { "retry-after": "soon" }]) {
      const { requesting } = await begin({}, at({ ...headers, "x-should-retry": "false" }, 429))
      expect(failureOf(await requesting.classify())).toMatchObject({ later: true, retryAfterMillis: null })
    }
  })

  it("receives no request after five consecutive failures, even for replies", async () => {
    const { requesting, server } = await begin({}, at({ "retry-after-ms": "0" }))
    await requesting.classify()
    await requesting.classify()
    expect(failureOf(await requesting.write())).toMatchObject({
      later: true,
      retryAfterMillis: expect.any(Number),
      use: null
    })
    expect(server.bodies).toHaveLength(5)
  })

  it.each([
    ["an answer without end", { body: JSON.stringify({ pad: "x".repeat(1_100_000) }) }, /exceeds the size limit/u],
    ["something else", { body: "<html>Welcome</html>" }, /unknown format/u],
    ["somewhere else", { status: 302, headers: { location: "http://127.0.0.1:9/" } }, /correct LEADLOOM_LLM_BASE_URL/u],
    ["no such model", { status: 404, body: { error: { message: "no model" } } }, /correct LEADLOOM_LLM_MODEL/u]
  ])("fails permanently after %s", async (_, scripted, reason) => {
    const { requesting } = await begin({}, scripted)
    expect(failureOf(await requesting.classify())).toMatchObject({
      later: false,
      reason: expect.stringMatching(reason)
    })
  })

  it("costs nothing while it is unreachable", async () => {
    const server = await startScripted([])
    await server.close()
    const requesting = startRequest(configOf(server.url))
    expect(failureOf(await requesting.classify())).toMatchObject({
      later: true,
      use: null,
      reason: expect.stringContaining("cannot be reached (ECONNREFUSED)")
    })
    await requesting.close()
  })

  it("receives at most the configured number of concurrent requests", async () => {
    const gate = Promise.withResolvers<void>()
    const { requesting, server } = await begin({ concurrency: 2 }, { ...good, after: gate.promise })
    const all = Promise.all(Array.from({ length: 6 }, () => requesting.classify()))
    await expect.poll(() => server.bodies.length).toBe(2)
    // After the round trip of an unlimited request, all permitted requests have arrived.
    await fetch(server.url, { method: "POST", body: "{}", signal: AbortSignal.timeout(200) }).catch(() => null)
    expect(server.open.max).toBe(3)
    gate.resolve()
    await all
    expect(server.bodies).toHaveLength(7)
  })

  it("receives no key if it needs none", async () => {
    const { requesting } = await begin({ apiKey: null }, good)
    expect(await requesting.classify()).toMatchObject({ success: { classification } })
  })
})

describe("a request to OpenAI", () => {
  it.skipIf(checkCompletionRequest === null)(
    `matches the description in every variant${specificationNote}`,
    async () => {
      const { requesting, server } = await begin(
        {},
        complaint("response_format"),
        completion({ content: "no JSON" }),
        good
      )
      await requesting.classify()
      await requesting.write()
      expect(server.bodies.length).toBeGreaterThan(3)
      for (const body of server.bodies) expect(checkCompletionRequest?.(body)).toEqual([])
      const broken = { ...server.bodies[0], temperature: 9, messages: [{ role: "nobody", content: "x" }] }
      expect(checkCompletionRequest?.(broken)).toHaveLength(2)
    }
  )
})
