import { maxRemoteImagesInFlight } from "@leadloom/core/internal/domain/email/RemoteImage"
import { EgressFailed } from "@leadloom/core/internal/port/system/Egress"
import { inMemoryEgress } from "@leadloom/testkit/memory/Egress"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

const origin = "https://pictures.example"
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

let server: TestServer
let world: World
let contactId: string
let images: string
const requests: Array<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }> = []

interface File {
  readonly type: string
  readonly body: Buffer
  readonly location?: string
}

const moved = (location: string): File => ({ type: "text/plain", body: Buffer.from(""), location })

/** The files on the web server of the sender. */
const files: Readonly<Record<string, File>> = {
  "/logo.png": { type: "text/html", body: png },
  "/vector.svg": { type: "image/svg+xml", body: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") },
  "/page.png": { type: "image/png", body: Buffer.from("<script>alert(1)</script>") },
  "/moved.png": moved("/logo.png"),
  "/inward.png": moved("https://169.254.169.254/latest"),
  "/loop.png": moved("/loop.png"),
  "/huge.png": { type: "image/png", body: Buffer.concat([png, Buffer.alloc(10 * 1_048_576)]) }
}

/** Ends the requests for `/slow.png`, which wait. */
const waiting: Array<() => void> = []

const egress = inMemoryEgress(({ headers, url }) => {
  requests.push({ url, headers })
  if (url.endsWith("/slow.png")) {
    return Effect.callback((resume) => {
      waiting.push(() => resume(Effect.succeed({ status: 200, headers: {}, body: png, millis: 1 })))
    })
  }
  const file = files[url.slice(origin.length)]
  if (file === undefined) return Effect.fail(new EgressFailed({ kind: "connection", reason: "It is down.", millis: 1 }))
  const { body, location, type } = file
  const sent = { "content-type": type, "set-cookie": "tracker=1", ...(location === undefined ? {} : { location }) }
  return Effect.succeed({ status: location === undefined ? 200 : 302, headers: sent, body, millis: 1 })
})

const names = [...Object.keys(files), "/slow.png", "/missing.png"]
const sources = [...names.map((name) => `${origin}${name}`), "https://10.0.0.1/internal.png"]

beforeAll(async () => {
  server = startServer({}, (services) => Layer.provideMerge(egress, services))
  world = await makeWorld(server)
  const tags = sources.map((src) => `<img src="${src}">`)
  const headers = { "Message-ID": "<html@customer.example>", "Content-Type": "text/html; charset=utf-8" }
  const imported = await server.call("POST", "/api/v1/import/acme/email", {
    as: adminKey,
    body: importOf(mail(headers, `<p>A kitchen?${tags.join("")}<img src="cid:one"></p>`))
  })
  contactId = textAt(imported.json, "results", 0, "contact_id")
  images = `/api/v1/tenants/acme/messages/${textAt(imported.json, "results", 0, "message_id")}/images`
})
afterAll(() => server.close())

const call = (method: string, path: string, as = world.acme.apiKey) => server.call(method, path, { as })

const load = async (path: string): Promise<Response> => server.fetch(new Request(`http://leadloom.test${path}`))

const linkTo = async (name: string): Promise<string> => {
  const { json } = await call("GET", `${images}?show=once`)
  return textAt(json, "images", name === "internal" ? names.length : names.indexOf(name), "proxy_url")
}

describe("the remote images of a mail", () => {
  it("have links only if the sender is allowed, or once on request", async () => {
    const hidden = await call("GET", images)
    expect(hidden.json).toEqual({
      allowed: false,
      images: sources.map((url) => ({ url, proxy_url: null }))
    })
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
    expect(requests.map(({ headers, url }) => [url, Object.keys(headers)])).toEqual([
      [`${origin}/logo.png`, ["accept"]]
    ])
  })

  it("follows a redirect to a permitted address only", async () => {
    expect((await load(await linkTo("/moved.png"))).status).toBe(200)
    expect((await load(await linkTo("/inward.png"))).status).toBe(404)
    expect((await load(await linkTo("/loop.png"))).status).toBe(404)
  })

  it.each(["/vector.svg", "/page.png", "/huge.png", "/missing.png", "internal"])("refuses %s", async (name) => {
    expect((await load(await linkTo(name))).status).toBe(404)
  })

  it("requests a limited number of images concurrently", async () => {
    const link = await linkTo("/slow.png")
    const loads = Array.from({ length: maxRemoteImagesInFlight + 1 }, () => load(link))
    await vi.waitFor(() => expect(waiting).toHaveLength(maxRemoteImagesInFlight))
    // By the time of a later response, the last request would have started too.
    await linkTo("/slow.png")
    expect(waiting).toHaveLength(maxRemoteImagesInFlight)
    waiting[0]?.()
    await vi.waitFor(() => expect(waiting).toHaveLength(maxRemoteImagesInFlight + 1))
    for (const end of waiting) end()
    expect((await Promise.all(loads)).map(({ status }) => status)).toEqual(loads.map(() => 200))
  })

  it("rejects a changed link and a link to an attachment", async () => {
    const link = await linkTo("/logo.png")
    expect((await load(link.slice(0, -1))).status).toBe(404)
    expect((await load(link.replace("/images/", "/attachments/"))).status).toBe(404)
  })
})
