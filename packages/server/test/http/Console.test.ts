import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { repository } from "@leadloom/testkit/Sources"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildConsole, consoleFolder } from "../../../../.scripts/build.ts"
import { audience, startIssuer } from "../world/Issuer.ts"
import { requestOf, startServer, type TestServer } from "../world/TestServer.ts"

const folder = join(repository, consoleFolder)
let server: TestServer
let assets: ReadonlyArray<string> = []
beforeAll(async () => {
  expect(await buildConsole(repository)).toMatchObject({ ok: true })
  assets = readdirSync(join(folder, "assets"))
  server = startServer()
})
afterAll(() => server.close())

const page = (): string => readFileSync(join(folder, "index.html"), "utf8")

const directivesOf = (headers: Headers): ReadonlyMap<string, string> =>
  new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ")
      return [name, values.join(" ")]
    })
  )

describe("the pages of the console", () => {
  it.each(["/", "/sign-in", "/inbox", "/inbox/con_1?state=open", "/inbox/a/b", "/leads", "/contacts/con_1"])(
    "%s answers the document",
    async (path) => {
      const answer = await server.call("GET", path)
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(answer.text === page()).toBe(true)
    }
  )

  it("have a policy without inline scripts, inline styles and other servers", async () => {
    const { headers } = await server.call("GET", "/")
    const policy = directivesOf(headers)
    expect(policy.get("default-src")).toBe("'none'")
    for (const name of ["script-src", "style-src", "connect-src", "frame-src"]) expect(policy.get(name)).toBe("'self'")
    for (const name of ["frame-ancestors", "base-uri", "form-action"]) expect(policy.get(name)).toBe("'none'")
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe-|https?:|data:|\*/u)
    expect([headers.get("x-content-type-options"), headers.get("x-frame-options")]).toEqual(["nosniff", "DENY"])
    expect(headers.get("referrer-policy")).toBe("no-referrer")
  })

  it("are checked for a new version on every load", async () => {
    const first = await server.call("GET", "/")
    expect(first.headers.get("cache-control")).toBe("no-cache")
    const etag = first.headers.get("etag") ?? ""
    const again = await server.call("GET", "/inbox", { headers: { "if-none-match": etag } })
    expect([again.status, again.text]).toEqual([304, ""])
  })

  it("answer HEAD without a body, and 405 for other methods", async () => {
    const head = await server.call("HEAD", "/")
    expect([head.status, head.text]).toEqual([200, ""])
    const posted = await server.call("POST", "/inbox", { body: {} })
    expect([posted.status, posted.code, posted.headers.get("allow")]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "GET, HEAD, OPTIONS"
    ])
  })
})

describe("the assets of the console", () => {
  it("are compressed and never expire", async () => {
    expect(assets.length).toBeGreaterThan(3)
    for (const name of assets) {
      const response = await server.fetch(
        requestOf("GET", `/assets/${name}`, { headers: { "accept-encoding": "gzip" } })
      )
      expect([response.status, response.headers.get("content-encoding")]).toEqual([200, "gzip"])
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      const bytes = gunzipSync(Buffer.from(await response.arrayBuffer()))
      expect(bytes.equals(readFileSync(join(folder, "assets", name)))).toBe(true)
    }
  })

  it("are sent uncompressed to clients that do not accept gzip", async () => {
    const [name = ""] = assets
    const answer = await server.call("GET", `/assets/${name}`)
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, null])
    expect(answer.text).toBe(readFileSync(join(folder, "assets", name), "utf8"))
  })

  it.each([
    "/assets/missing.js",
    "/assets/..%2findex.html",
    "/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json",
    "/assets/../../../package.json",
    "/assets/",
    "/assets/constructor",
    "/.vite/manifest.json",
    "/index.html"
  ])("%s is unknown", async (path) => {
    const answer = await server.call("GET", path)
    expect([answer.status, answer.code]).toEqual([404, "NOT_FOUND"])
  })
})

describe("the documents that show mails", () => {
  it.each([
    ["blocked", "data:"],
    ["images", "data: 'self'"]
  ])("%s permits inline styles and images from %s, no scripts and no requests", async (name, images) => {
    const { headers, status, text } = await server.call("GET", `/mail-frame/${name}`)
    expect(status).toBe(200)
    expect(text).toContain("<body></body>")
    const policy = directivesOf(headers)
    expect(policy.get("default-src")).toBe("'none'")
    expect(policy.get("img-src")).toBe(images)
    expect(policy.get("style-src")).toBe("'unsafe-inline'")
    expect(policy.get("frame-ancestors")).toBe("'self'")
    expect(policy.get("sandbox")).toBe("allow-same-origin allow-popups allow-popups-to-escape-sandbox")
    expect([headers.get("x-frame-options"), headers.get("referrer-policy")]).toEqual(["SAMEORIGIN", "no-referrer"])
  })
})

describe("other paths", () => {
  it("stay unchanged", async () => {
    for (const path of ["/api/v1/unknown", "/api/unknown", "/unknown"]) {
      expect((await server.call("GET", path)).code).toBe("NOT_FOUND")
    }
    expect((await server.call("GET", "/health")).status).toBe(200)
  })
})

describe("the sign-in with an identity provider", () => {
  it("adds the provider to one document, which alone may send requests to it", async () => {
    const issuer = await startIssuer()
    const other = startServer({ ...issuer.env, LEADLOOM_OIDC_CONSOLE_CLIENT_ID: audience })
    try {
      const { headers, text } = await other.call("GET", "/sign-in")
      const [, content = ""] = /<meta name="identity-provider" content="([^"]+)">/u.exec(text) ?? []
      expect(JSON.parse(content.replaceAll("&quot;", '"'))).toEqual({
        issuer: issuer.url,
        clientId: audience,
        endpoints: { authorization: `${issuer.url}/authorize`, token: `${issuer.url}/token` }
      })
      expect(directivesOf(headers).get("connect-src")).toBe(`'self' ${issuer.url}`)
      const inbox = await other.call("GET", "/inbox")
      expect(inbox.text === page()).toBe(true)
      expect(directivesOf(inbox.headers).get("connect-src")).toBe("'self'")
    } finally {
      await other.close()
      await issuer.stop()
    }
  })

  it("answers the document without endpoints while the provider is down", async () => {
    const issuer = await startIssuer()
    await issuer.stop()
    const alone = startServer({ ...issuer.env, LEADLOOM_OIDC_CONSOLE_CLIENT_ID: audience })
    try {
      const { headers, status, text } = await alone.call("GET", "/sign-in")
      expect([status, text.includes("&quot;endpoints&quot;:null")]).toEqual([200, true])
      expect(directivesOf(headers).get("connect-src")).toBe("'self'")
    } finally {
      await alone.close()
    }
  })
})

describe("a server with LEADLOOM_CONSOLE=off", () => {
  it("answers 404 for the pages, and serves the API", async () => {
    const without = startServer({ LEADLOOM_CONSOLE: "off" })
    try {
      for (const path of ["/", "/inbox", `/assets/${assets[0]}`, "/mail-frame/blocked"]) {
        expect((await without.call("GET", path)).code).toBe("NOT_FOUND")
      }
      expect((await without.call("GET", "/health")).status).toBe(200)
    } finally {
      await without.close()
    }
  })
})
