import { createHash } from "node:crypto"
import { openApiText } from "@leadloom/api/OpenApiText"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, startServer, type TestServer } from "../world/TestServer.ts"

let server: TestServer
let docs: Answer
beforeAll(async () => {
  server = startServer()
  docs = await server.call("GET", "/api/v1/docs")
})
afterAll(() => server.close())

describe("the OpenAPI document", () => {
  it("equals the committed one and is public", async () => {
    const answer = await server.call("GET", "/api/v1/openapi.json")
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(answer.text).toBe(openApiText())
  })
})

describe("the documentation page", () => {
  it("is one HTML page with the contract in it", () => {
    expect([docs.status, docs.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(docs.text).toContain("/api/v1/tenants/{tenant_id}/conversations")
  })

  it("loads nothing from other servers", () => {
    const tags = docs.text.slice(0, docs.text.indexOf("<script>")).match(/<(?:link|script|img|iframe)\b[^>]*>/gu) ?? []
    for (const tag of tags) expect(tag).not.toMatch(/\b(?:src|href)=/u)
    expect(docs.text).not.toMatch(/@import|url\(["']?https?:/u)
  })

  it("may run its own script, but neither load resources nor call other servers", () => {
    const policy = docs.headers.get("content-security-policy") ?? ""
    const [, script = ""] = /<script>([\s\S]*?)<\/script>/u.exec(docs.text) ?? []
    const hash = createHash("sha256").update(script).digest("base64")
    expect(policy).toContain(`script-src 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/u)
  })
})
