import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "./world/ServerProcess.ts"
import { adminKey, at } from "./world/TestServer.ts"

const folder = temporaryFolder()
const got: Array<{ readonly path: string; readonly sequence: number; readonly delivery: string }> = []
let receiver: Server
let process: ServerProcess
let onRequest: () => void = () => undefined

/** Completes when enough has arrived. */
const until = (enough: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    onRequest = () => {
      if (enough()) resolve()
    }
    onRequest()
  })

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume()
    request.on("end", () => {
      const { headers, url: path = "" } = request
      got.push({
        path,
        sequence: Number(headers["x-webhook-sequence"]),
        delivery: String(headers["x-webhook-delivery"])
      })
      response.writeHead(200).end()
      onRequest()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
})
afterAll(() => {
  process.kill("SIGKILL")
  receiver.close()
  receiver.closeAllConnections()
  folder.remove()
})

const port = (): number => (receiver.address() as AddressInfo).port
const start = (): ServerProcess =>
  startProcess({ LEADLOOM_DATA_DIR: folder.path, LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port()}` })

const post = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(`${await process.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

const firstSeen = (path: string): ReadonlyArray<number> => [
  ...new Set(got.filter((one) => one.path === path).map(({ sequence }) => sequence))
]
const to = (last: number): ReadonlyArray<number> => Array.from({ length: last }, (_, index) => index + 1)
const contacts = (from: number, to: number): Promise<ReadonlyArray<unknown>> =>
  Promise.all(
    Array.from({ length: to - from }, (_, index) =>
      post("/tenants/acme/contacts", { email: `jo${from + index}@customer.example` })
    )
  )

describe("a server that is killed during deliveries", () => {
  it("delivers every event to live receivers, in order, and repeats with the same ids", async () => {
    process = start()
    await post("/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
    await post("/tenants/acme/webhooks", { url: `http://127.0.0.1:${port()}/steady` })
    await post("/tenants/acme/webhooks", { url: `http://127.0.0.1:${port()}/wide`, max_in_flight: 8 })
    await contacts(0, 150)
    await until(() => got.length > 60)
    process.kill("SIGKILL")
    await process.exit
    process = start()
    await process.url
    await contacts(150, 200)
    await until(() => firstSeen("/steady").length === 200 && firstSeen("/wide").length === 200)
    expect(firstSeen("/steady")).toEqual(to(200))
    expect(firstSeen("/wide").toSorted((one, other) => one - other)).toEqual(to(200))
    const ids = new Map<string, Set<string>>()
    for (const { delivery, path, sequence } of got) {
      const key = `${path} ${sequence}`
      ids.set(key, (ids.get(key) ?? new Set()).add(delivery))
    }
    expect([...ids.values()].every((one) => one.size === 1)).toBe(true)
    expect(at(await post("/tenants/acme/contacts", { name: "One more" }), "name")).toBe("One more")
    const stream = await fetch(`${await process.url}/api/v1/tenants/acme/events/stream?after=200`, {
      headers: { authorization: `Bearer ${adminKey}` }
    })
    process.kill("SIGTERM")
    // The stream ends completely and does not delay the shutdown.
    expect(await stream.text()).toContain("id: 201\n")
    expect((await process.exit).code).toBe(0)
  }, 300_000)
})
