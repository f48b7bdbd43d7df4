import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const origin = "http://server.test"
const base = `${origin}/api/v1/tenants/acme`

/** The guide's function with its globals as parameters. */
const guide = (): string => {
  const page = readFileSync(
    fileURLToPath(new URL("../../../../../docs/how-to/embedded-inbox.md", import.meta.url)),
    "utf8"
  )
  const [block] = /const openStream = [\s\S]*?(?=\n```)/u.exec(page) ?? []
  if (block === undefined) throw new Error("the guide has no openStream")
  return `${block}; return openStream`
}

type Listener = (event: { readonly data: string; readonly lastEventId: string }) => void

/** The part of `EventSource` (HTML, section 9.2) that the guide uses. It repeats its URL once, after the stream ends. */
class BrowserSource {
  static readonly CLOSED = 2
  readyState = 0
  onerror: () => void = () => undefined
  readonly statuses: Array<number> = []
  readonly #listeners = new Map<string, Listener>()
  constructor(url: string, opened: Array<BrowserSource>) {
    opened.push(this)
    void this.#run(`${url}&follow=false`)
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }
  async #run(url: string): Promise<void> {
    for (;;) {
      const response = await server.fetch(new Request(url))
      this.statuses.push(response.status)
      if (response.status !== 200) break
      for (const block of (await response.text()).split("\n\n")) this.#dispatch(block)
    }
    this.readyState = BrowserSource.CLOSED
    this.onerror()
  }
  #dispatch(block: string): void {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "mu").exec(block)?.[1] ?? ""
    if (field("data") !== "") this.#listeners.get(field("event"))?.({ data: field("data"), lastEventId: field("id") })
  }
}

it("the guide's page follows the stream with tickets, and continues after a lost connection", async () => {
  const create = (name: string) =>
    server.call("POST", "/api/v1/tenants/acme/contacts", { as: adminKey, body: { name } })
  const opened: Array<BrowserSource> = []
  const Source = Object.assign((url: string) => new BrowserSource(url, opened), { CLOSED: BrowserSource.CLOSED })
  // `new` of a function that returns an object returns this object.
  const Constructor = Object.assign(
    function (url: string) {
      return Source(url)
    },
    { CLOSED: BrowserSource.CLOSED }
  )
  const reconnects: Array<() => void> = []
  const later = (run: () => void): void => void reconnects.push(run)
  const fetchHere = (url: string, init: RequestInit) => server.fetch(new Request(url, init))
  const openStream = new Function("fetch", "EventSource", "setTimeout", guide())(fetchHere, Constructor, later)
  const names: Array<unknown> = []
  const onEvent = (event: unknown): void => void names.push(at(event, "data", "name"))
  await create("First")
  await openStream(base, world.acme.session, ["contact.created"], onEvent, "0")
  while (reconnects.length < 1) await new Promise((resolve) => setImmediate(resolve))
  expect(names).toEqual(["First"])
  expect(opened[0]?.statuses).toEqual([200, 401])
  await create("Second")
  reconnects[0]?.()
  while (reconnects.length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(names).toEqual(["First", "Second"])
})
