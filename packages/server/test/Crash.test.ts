import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "./world/ServerProcess.ts"
import { adminKey, at, textAt } from "./world/TestServer.ts"

let folder: ReturnType<typeof temporaryFolder>
let server: ServerProcess

const start = (): void => {
  server = startProcess({ LEADLOOM_DATA_DIR: join(folder.path, "data"), LEADLOOM_LIMIT_ADMIN: "1000000" })
}

/** Kills the server once, after the given number of accepted requests. */
const killAt = (count: number): ((accepted: number) => void) => {
  let armed = true
  return (accepted) => {
    if (!armed || accepted < count) return
    armed = false
    server.kill("SIGKILL")
  }
}

const crash = async (): Promise<void> => {
  server.kill("SIGKILL")
  await server.exit
}

beforeEach(() => {
  folder = temporaryFolder()
  start()
})
afterEach(async () => {
  await crash()
  folder.remove()
})

const post = async (path: string, as: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${await server.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })
  const json: unknown = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(json)}`)
  return json
}

const read = async (path: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${adminKey}` }
  return (await fetch(`${await server.url}/api/v1/tenants/acme${path}`, { headers })).json()
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns all conversations of the tenant. */
const conversations = async (): Promise<ReadonlyArray<unknown>> => {
  const all: Array<unknown> = []
  for (let cursor: unknown = ""; cursor !== null;) {
    const page = await read(`/conversations${cursor === "" ? "" : `?cursor=${encodeURIComponent(String(cursor))}`}`)
    all.push(...list(at(page, "conversations")))
    cursor = at(page, "next_cursor")
  }
  return all
}

/** Returns the bodies of all messages. */
const bodies = async (): Promise<ReadonlyArray<string>> => {
  const contacts = (await conversations()).map((conversation) => textAt(conversation, "contact_id"))
  const pages = await Promise.all(contacts.map((contact) => read(`/conversations/${contact}`)))
  return pages.flatMap((page) => list(at(page, "messages")).map((message) => textAt(message, "body"))).toSorted()
}

/** Sends numbers 0 to `count - 1` with 16 concurrent requests, until all are sent or the server is killed. */
const sendAll = async (count: number, send: (index: number) => Promise<void>): Promise<void> => {
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < count) await send(next++)
  }
  await Promise.allSettled(Array.from({ length: 16 }, sender))
}

describe("a server that is killed", () => {
  it("loses no accepted event, and stores a repeated event only once", async () => {
    const count = 600
    await post("/admin/tenants", adminKey, { tenant_id: "acme", name: "Acme", domain: "acme.com" })
    const key = textAt(await post("/admin/tenants/acme/sources", adminKey, { source_id: "form" }), "key")
    const accepted = new Map<number, string>()
    const accept = killAt(250)
    const send = async (index: number): Promise<void> => {
      const event = {
        entity: { email: `c${index % 40}@customer.example` },
        content: { body: `event ${index}`, channel: "chat" }
      }
      const answer = await post("/events/acme/form", key, event, { "idempotency-key": `key-${index}` })
      const eventId = textAt(answer, "event_id")
      expect(accepted.get(index) ?? eventId).toBe(eventId)
      accepted.set(index, eventId)
      accept(accepted.size)
    }
    await sendAll(count, send)
    await server.exit
    const before = accepted.size
    expect(before).toBeGreaterThanOrEqual(250)
    expect(before).toBeLessThan(count)
    start()
    await sendAll(count, send)
    expect(accepted.size).toBe(count)
    expect(new Set(accepted.values()).size).toBe(count)
    expect(await bodies()).toEqual(Array.from({ length: count }, (_, index) => `event ${index}`).toSorted())
    const unscored = async () => (await conversations()).filter((each) => at(each, "score_tier") === null)
    await vi.waitFor(async () => expect(await unscored()).toEqual([]), { timeout: 60_000, interval: 100 })
  })

  it("continues an interrupted import when it is repeated, without duplicates", async () => {
    const batches = 40
    const mailsOf = (batch: number) =>
      Array.from({ length: 10 }, (_, index) => {
        const lines = [
          `From: c${index}@customer.example`,
          "To: sales@acme.com",
          "Subject: A long matter",
          `Message-ID: <${batch}.${index}@customer.example>`,
          ...(batch === 0 ? [] : [`In-Reply-To: <${batch - 1}.${index}@customer.example>`]),
          "",
          `mail ${batch} of ${index}`
        ]
        return { name: `${batch}.${index}`, raw: Buffer.from(lines.join("\r\n")).toString("base64") }
      })
    await post("/admin/tenants", adminKey, { tenant_id: "acme", name: "Acme", domain: "acme.com" })
    const threads = new Map<number, ReadonlyArray<unknown>>()
    const accept = killAt(15)
    const send = async (batch: number): Promise<void> => {
      const answer = await post("/import/acme/email", adminKey, { historical: true, mails: mailsOf(batch) })
      threads.set(
        batch,
        list(at(answer, "results")).map((result) => at(result, "thread_id"))
      )
      accept(threads.size)
    }
    await sendAll(batches, send)
    await server.exit
    expect(threads.size).toBeLessThan(batches)
    start()
    await sendAll(batches, send)
    await sendAll(batches, send)
    expect(new Set([...threads.values()].flat()).size).toBe(10)
    expect((await bodies()).length).toBe(batches * 10)
  })
})
