import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, requestOf, startServer, type TestServer } from "../world/TestServer.ts"

let server: TestServer
let docs: Answer
beforeAll(async () => {
  server = startServer()
  docs = await server.call("GET", "/api/v1/docs")
})
afterAll(() => server.close())

const committed = readFileSync(new URL("../../../api/openapi.json", import.meta.url), "utf8")

describe("the OpenAPI document", () => {
  it.each(["/api/v1/openapi.json", "/openapi.json"])("at %s equals the committed one and is public", async (path) => {
    const answer = await server.call("GET", path)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(answer.text === committed).toBe(true)
  })

  it("is compressed for clients that accept it, and the compressed content is the same", async () => {
    const request = requestOf("GET", "/openapi.json", { headers: { "accept-encoding": "br, gzip" } })
    const response = await server.fetch(request)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get("content-encoding")).toBe("gzip")
    expect(gunzipSync(bytes).toString("utf8") === committed).toBe(true)
    expect(bytes.length).toBeLessThan(committed.length / 5)
  })

  it("answers 304 for the current version, and 400 for query parameters", async () => {
    const first = await server.call("GET", "/openapi.json")
    const etag = first.headers.get("etag") ?? ""
    const again = await server.call("GET", "/openapi.json", { headers: { "if-none-match": etag } })
    expect([again.status, again.text]).toEqual([304, ""])
    expect((await server.call("GET", "/openapi.json?x=1")).code).toBe("BAD_REQUEST")
  })
})

describe("the reference page", () => {
  it("is one small HTML page", () => {
    expect([docs.status, docs.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(docs.text.length).toBeLessThan(40_000)
  })

  it("loads nothing from other servers", () => {
    const tags = docs.text.match(/<(?:link|script|img|iframe)\b[^>]*>/gu) ?? []
    for (const tag of tags) expect(tag).not.toMatch(/\b(?:src|href)=(?!"data:,")/u)
    expect(docs.text).not.toMatch(/https?:\/\/|@import|url\(/u)
  })

  it.each(["script", "style"])("may run its own %s by hash, without inline exceptions", (element) => {
    const policy = docs.headers.get("content-security-policy") ?? ""
    const [, content = ""] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, "u").exec(docs.text) ?? []
    const hash = createHash("sha256").update(content).digest("base64")
    expect(policy).toContain(`${element}-src 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/unsafe-|https?:|\*/u)
  })

  it("has no attributes that the policy would block", () => {
    expect(docs.text).not.toMatch(/\sstyle=|\son[a-z]+=/u)
  })
})
