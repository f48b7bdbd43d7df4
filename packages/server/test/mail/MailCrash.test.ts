import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { sendTo } from "../world/MailServer.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"
import { mail } from "../world/World.ts"

let folder: ReturnType<typeof temporaryFolder>
let server: ServerProcess

const start = (): void => {
  server = startProcess({
    LEADLOOM_DATA_DIR: join(folder.path, "data"),
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_SMTP_LISTEN: "127.0.0.1:0",
    LEADLOOM_MAIL_AUTHENTICATION: "off"
  })
}

beforeEach(() => {
  folder = temporaryFolder()
  start()
})
afterEach(async () => {
  server.kill("SIGKILL")
  await server.exit
  folder.remove()
})

const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return (await fetch(`${await server.url}/api/v1${path}`, { method, headers, ...sent })).json()
}

/** Returns the port from the log. */
const mailPort = async (): Promise<number> => {
  await server.url
  const address = /"address":"127\.0\.0\.1:(\d+)"/u.exec(server.stdout())?.[1]
  return Number(address)
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const subjects = async (): Promise<ReadonlyArray<string>> => {
  const conversations = list(at(await call("GET", "/tenants/acme/conversations"), "conversations"))
  const pages = await Promise.all(
    conversations.map((each) => call("GET", `/tenants/acme/conversations/${textAt(each, "contact_id")}`))
  )
  return pages.flatMap((page) => list(at(page, "messages")).map((each) => textAt(each, "subject"))).toSorted()
}

/** Returns messages without raw mail. */
const withoutSource = async (): Promise<ReadonlyArray<string>> => {
  const conversations = list(at(await call("GET", "/tenants/acme/conversations"), "conversations"))
  const pages = await Promise.all(
    conversations.map((each) => call("GET", `/tenants/acme/conversations/${textAt(each, "contact_id")}`))
  )
  const ids = pages.flatMap((page) => list(at(page, "messages")).map((each) => textAt(each, "message_id")))
  const missing = await Promise.all(
    ids.map(async (id) => {
      const headers = { authorization: `Bearer ${adminKey}` }
      const answer = await fetch(`${await server.url}/api/v1/tenants/acme/messages/${id}/raw`, { headers })
      return (await answer.text()).includes("Message-ID: <") ? [] : [id]
    })
  )
  return missing.flat()
}

it("a server that is killed during reception keeps accepted mail and receives the rest once", async () => {
  const count = 200
  await call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  const taken = new Set<number>()
  const answers = new Map<number, number>()
  const sendAll = async (killAt: number): Promise<void> => {
    const send = sendTo(await mailPort())
    let next = 0
    const sender = async (): Promise<void> => {
      while (next < count) {
        const index = next++
        const from = `c${index % 20}@customer.example`
        const headers = { From: from, Subject: `mail ${index}`, "Message-ID": `<${index}@customer.example>` }
        const { code } = await send(["sales@acme.com"], mail(headers, `Body ${index}`), from)
        answers.set(index, code)
        if (code === 250) taken.add(index)
        if (taken.size === killAt) server.kill("SIGKILL")
      }
    }
    await Promise.all(Array.from({ length: 16 }, sender))
  }
  await sendAll(60)
  await server.exit
  const before = new Set(taken)
  expect(before.size).toBeGreaterThanOrEqual(60)
  expect(before.size).toBeLessThan(count)
  start()
  const survived = await subjects()
  expect([...before].filter((index) => !survived.includes(`mail ${index}`))).toEqual([])
  expect(await withoutSource()).toEqual([])
  await sendAll(-1)
  expect([...answers.values()].filter((code) => code !== 250)).toEqual([])
  expect(await subjects()).toEqual(Array.from({ length: count }, (_, index) => `mail ${index}`).toSorted())
}, 300_000)

it("a server that stops accepts no more mail", async () => {
  await call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  const send = sendTo(await mailPort())
  expect((await send(["sales@acme.com"], mail({}, "x"))).code).toBe(250)
  server.kill("SIGTERM")
  expect((await server.exit).code).toBe(0)
  expect((await send(["sales@acme.com"], mail({}, "x"))).code).toBe(0)
})
