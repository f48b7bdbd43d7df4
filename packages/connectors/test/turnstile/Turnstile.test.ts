import { once } from "node:events"
import { createServer } from "node:http"
import { HumanCheck } from "@leadloom/core/internal/port/provider/HumanCheck"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { layer } from "../../src/turnstile/Turnstile.ts"

const secret = "the-secret-of-the-widget"
/** The received requests and the scripted response. */
let requests: Array<{ readonly method: string | undefined; readonly body: URLSearchParams }> = []
let answer: { readonly status: number; readonly body: string }

const server = createServer((request, response) => {
  void (async () => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    requests.push({ method: request.method, body: new URLSearchParams(Buffer.concat(chunks).toString()) })
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body)
  })()
})
let port = 0
beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  port = typeof address === "object" && address !== null ? address.port : 0
})
beforeEach(() => void (requests = []))
afterAll(() => server.close())

const verify = (token: string, address: string | null = null, at = port) =>
  HumanCheck.pipe(
    Effect.flatMap((check) => check.verify(token, address)),
    Effect.match({
      onSuccess: ({ proofId }) => proofId,
      onFailure: (error) => (error._tag === "HumanCheckFailed" ? "HumanCheckFailed" : error.reason)
    }),
    Effect.provide(layer({ url: `http://127.0.0.1:${at}/siteverify`, secret: Redacted.make(secret) })),
    Effect.runPromise
  )

const says = (body: unknown, status = 200): void => void (answer = { status, body: JSON.stringify(body) })

describe("siteverify", () => {
  it("receives secret, token, address and an idempotency key", async () => {
    says({ success: true, challenge_ts: "2026-03-02T09:00:00Z", hostname: "www.acme.com", "error-codes": [], new: 1 })
    const proofs = [await verify("a token", "203.0.113.7"), await verify("a token"), await verify("another")]
    expect(proofs[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/u)
    expect([proofs[1] === proofs[0], proofs[2] === proofs[0]]).toEqual([true, false])
    expect(requests.map(({ body, method }) => [method, Object.fromEntries(body)])).toEqual([
      ["POST", { secret, response: "a token", remoteip: "203.0.113.7", idempotency_key: proofs[0] }],
      ["POST", { secret, response: "a token", idempotency_key: proofs[0] }],
      ["POST", { secret, response: "another", idempotency_key: proofs[2] }]
    ])
  })

  it.each([["invalid-input-response"], ["timeout-or-duplicate"], ["missing-input-response"], ["something-new"]])(
    "with the error %s rejects the visitor",
    async (code) => {
      says({ success: false, "error-codes": [code] })
      expect(await verify("a token")).toBe("HumanCheckFailed")
    }
  )

  it("is unavailable after a refusal, a failure or an unreadable response, without leaking the secret", async () => {
    says({ success: false, "error-codes": ["invalid-input-secret"] })
    const refused = await verify("a token")
    says({ success: false, "error-codes": ["internal-error"] }, 500)
    const broken = await verify("a token")
    says(["nonsense"])
    const nonsense = await verify("a token")
    answer = { status: 200, body: "x".repeat(100_000) }
    const long = await verify("a token")
    const nobody = await verify("a token", null, 1)
    expect([refused, broken, nonsense, long, nobody]).toEqual([
      "siteverify rejected the request: invalid-input-secret",
      "siteverify rejected the request: internal-error",
      "siteverify sent an invalid response",
      expect.stringContaining("exceeds the size limit"),
      expect.stringMatching(/^the connection was lost|cannot be reached/u)
    ])
  })
})
