import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

let web: Server
let server: TestServer
let world: World
let origin: string
let contactId: string
let images: string
const requests: Array<Pick<IncomingMessage, "url" | "headers" | "method">> = []

/** The files of the web server of the sender. */
const files: Readonly<Record<string, { readonly status?: number; readonly type: string; readonly body: Buffer; readonly location?: string }>> =
  {
    "/logo.png": { type: "text/html", body: png },
    "/vector.svg": { type: "image/svg+xml", body: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") },
    "/page.png": { type: "image/png", body: Buffer.from("<script>alert(1)</script>") },
    "/moved.png": { status: 302, type: "text/plain", body: Buffer.from(""), location: "/logo.png" },
    "/inward.png": { status: 302, type: "text/plain", body: Buffer.from(""), location: "http://169.254.169.254/latest" },
    "/loop.png": { status: 302, type: "text/plain", body: Buffer.from(""), location: "/loop.png" },
    "/huge.png": { type: "image/png", body: Buffer.concat([png, Buffer.alloc(10 * 1_048_576)]) }
  }

const listen = async (): Promise<string> => {
  web = createServer(({ headers, method, url }, response) => {
    requests.push({ url, headers, method })
    const file = files[url ?? ""]
    response.writeHead(file?.status ?? (file === undefined ? 404 : 200), {
      "content-type": file?.type ?? "text/plain",
      "set-cookie": "tracker=1",
      ...(file?.location === undefined ? {} : { location: file.location })
    })
    response.end(file?.body ?? "")
  })
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}`
}

const names = [...Object.keys(files), "/missing.png"]

beforeAll(async () => {
  origin = await listen()
  server = startServer({ LEADLOOM_WEBHOOK_ALLOW_HOSTS: new URL(origin).host })
  world = await makeWorld(server)
  const tags = [...names.map((name) => `${origin}${name}`), "https://10.0.0.1/internal.png"].map((src) => `<img src="${src}">`)
  const headers = { "Message-ID": "<html@customer.example>", "Content-Type": "text/html; charset=utf-8" }
  const imported = await server.call("POST", "/api/v1/import/acme/email", {
    as: adminKey,
    body: importOf(mail(headers, `<p>A kitchen?${tags.join("")}<img src="cid:one"></p>`))
  })
  contactId = textAt(imported.json, "results", 0, "contact_id")
  images = `/api/v1/tenants/acme/messages/${textAt(imported.json, "results", 0, "message_id")}/images`
})
afterAll(async () => {
  await server.close()
  web.close()
})

const call = (method: string, path: string, as = world.acme.apiKey) => server.call(method, path, { as })

const load = async (path: string): Promise<Response> => server.fetch(new Request(`http://leadloom.test${path}`))

const linkTo = async (name: string): Promise<string> => {
  const { json } = await call("GET", `${images}?show=once`)
  return textAt(json, "images", name === "internal" ? names.length : names.indexOf(name), "proxy_url")
}

describe("the remote images of a mail", () => {
  it("have links only if the sender is allowed, or once on request", async () => {
    const hidden = await call("GET", images)
    expect(hidden.json).toMatchObject({ allowed: false, images: [{ url: `${origin}/logo.png`, proxy_url: null }, {}, {}, {}, {}, {}, {}, {}, {}] })
    const setting = `/api/v1/tenants/acme/contacts/${contactId}/remote-images`
    expect((await call("POST", setting)).json).toEqual({ allowed: true })
    const shown = await call("GET", images)
    expect([at(shown.json, "allowed"), textAt(shown.json, "images", 0, "proxy_url")]).toEqual([
      true,
      expect.stringMatching(/^\/api\/v1\/public\/images\//u)
    ])
    expect((await call("DELETE", setting)).json).toEqual({ allowed: false })
    expect(at((await call("GET", images)).json, "images", 0, "proxy_url")).toBeNull()
    expect(requests).toEqual([])
  })

  it("are hidden from other tenants, and unknown for a message that does not exist", async () => {
    expect((await call("GET", images.replace("acme", "other"), world.other.apiKey)).status).toBe(404)
    expect((await call("GET", "/api/v1/tenants/acme/messages/msg_nothing/images")).status).toBe(404)
    expect((await call("POST", "/api/v1/tenants/acme/contacts/con_nothing/remote-images")).status).toBe(404)
  })
})

describe("the image proxy", () => {
  it("returns a raster image by its content, without cookies and referrer", async () => {
    const response = await load(await linkTo("/logo.png"))
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff"
    })
    expect(response.headers.get("set-cookie")).toBeNull()
    const [request] = requests
    expect([request?.method, request?.headers.cookie, request?.headers.referer]).toEqual(["GET", undefined, undefined])
  })

  it("follows a redirect to a permitted address only", async () => {
    expect((await load(await linkTo("/moved.png"))).status).toBe(200)
    expect((await load(await linkTo("/inward.png"))).status).toBe(404)
    expect((await load(await linkTo("/loop.png"))).status).toBe(404)
  })

  it.each(["/vector.svg", "/page.png", "/huge.png", "/missing.png", "internal"])("refuses %s", async (name) => {
    expect((await load(await linkTo(name))).status).toBe(404)
  })

  it("rejects a changed link and a link to an attachment", async () => {
    const link = await linkTo("/logo.png")
    expect((await load(link.slice(0, -1))).status).toBe(404)
    expect((await load(link.replace("/images/", "/attachments/"))).status).toBe(404)
  })
})
