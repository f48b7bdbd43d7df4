import { join } from "node:path"
import { type SinkFate, type SmtpSink, startSink, type ReceivedMail } from "@leadloom/testkit/mail/SmtpSink"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"
import { importOf, mail } from "../world/World.ts"
import { someConfig } from "../world/Endpoints.ts"

let folder: ReturnType<typeof temporaryFolder>
let server: ServerProcess
let sink: SmtpSink

const start = (): void => {
  server = startProcess({
    LEADLOOM_DATA_DIR: join(folder.path, "data"),
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`
  })
}

const call = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${await server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const json: unknown = await response.json()
  return { status: response.status, json }
}

const begin = async (...fates: ReadonlyArray<SinkFate>): Promise<void> => {
  folder = temporaryFolder()
  sink = await startSink(...fates)
  start()
  await call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  await call("POST", "/tenants/acme/email/connect", { provider: "smtp", email: "sales@acme.com" })
}

const kill = async (): Promise<void> => {
  server.kill("SIGKILL")
  await server.exit
}

afterEach(async () => {
  await kill()
  await sink.close()
  folder.remove()
})

const send = (index: number) =>
  call(
    "POST",
    "/tenants/acme/email/send",
    { to: [{ email: "jane@customer.example" }], subject: `mail ${index}`, body: "Hello" },
    { "idempotency-key": `key-${index}` }
  )

/** Returns subject and delivery state of every sent message. */
const deliveries = async (): Promise<ReadonlyMap<string, string>> => {
  const { json } = await call("GET", "/tenants/acme/conversations")
  const contact = textAt(json, "conversations", 0, "contact_id")
  const page = await call("GET", `/tenants/acme/conversations/${contact}`)
  const messages = at(page.json, "messages")
  const ours = (Array.isArray(messages) ? messages : []).filter((each) => at(each, "actor") !== "contact")
  return new Map(ours.map((each) => [textAt(each, "subject"), textAt(each, "delivery")]))
}

const until = (state: (all: ReadonlyMap<string, string>) => boolean) =>
  vi.waitFor(async () => expect(state(await deliveries())).toBe(true), { timeout: 60_000, interval: 200 })

const subjectsOf = (mails: ReadonlyArray<ReceivedMail>): ReadonlyArray<string> =>
  mails.map(({ raw }) => /^Subject: (.*?)\r?$/mu.exec(raw)?.[1] ?? "").toSorted()

describe("a server that sends", () => {
  it("transmits a deferred mail again, even after it was killed", async () => {
    await begin(451)
    expect((await send(1)).status).toBe(201)
    await kill()
    start()
    await until((all) => all.get("mail 1") === "sent")
    expect(sink.mails.map(({ accepted }) => accepted)).toEqual([false, true])
  })

  it("replies to a mail automatically, once, in its thread", async () => {
    await begin()
    const rules = [
      {
        id: "rule_thanks",
        name: "Thanks",
        priority: 1,
        when: { fact: "message.text", op: "contains", value: "kitchen" },
        actions: [{ type: "reply", template: "Thank you, {{contact.first_name}}." }]
      }
    ]
    expect((await call("PUT", "/config/acme", { ...someConfig, reply_mode: "auto", rules })).status).toBe(200)
    await call("POST", "/import/acme/email", { ...importOf(mail({}, "A kitchen, please.")), historical: false })
    await sink.until(1)
    await until((all) => all.get("Re: Kitchen") === "sent")
    const [reply, ...more] = sink.mails
    expect(more).toEqual([])
    expect(reply?.to).toEqual(["jane@customer.example"])
    expect(reply?.raw).toContain("Thank you, Jane.")
    expect(reply?.raw).toContain("Auto-Submitted: auto-replied")
    expect(reply?.raw).toContain("In-Reply-To: <one@customer.example>")
  })

  it("loses no accepted mail and sends none twice when it is killed under load, and reports unknown results", async () => {
    const count = 40
    // The first mail hangs: the relay has received it and does not answer until the server is killed.
    await begin("silent")
    const hanging = send(0).catch(() => null)
    await sink.until(1)
    const accepted = new Set<number>()
    let armed = true
    const sendAll = async (): Promise<void> => {
      let next = 1
      const sender = async (): Promise<void> => {
        while (next <= count) {
          const index = next++
          if (accepted.has(index)) continue
          if ((await send(index)).status === 201) accepted.add(index)
          if (!armed || accepted.size < 15) continue
          armed = false
          server.kill("SIGKILL")
        }
      }
      await Promise.allSettled(Array.from({ length: 8 }, sender))
    }
    await sendAll()
    await server.exit
    await hanging
    const before = accepted.size
    expect(before).toBeGreaterThanOrEqual(15)
    expect(before).toBeLessThan(count)
    start()
    expect((await deliveries()).get("mail 0")).toBe("queued")
    expect((await send(0)).status).toBe(409)
    await vi.waitFor(
      async () => {
        await sendAll()
        expect(accepted.size).toBe(count)
      },
      { timeout: 60_000, interval: 500 }
    )
    await until(
      (all) => all.size === count + 1 && [...all.values()].every((state) => state === "sent" || state === "unknown")
    )
    const all = await deliveries()
    const arrived = subjectsOf(sink.mails)
    expect([all.get("mail 0"), (await send(0)).status]).toEqual(["unknown", 201])
    expect(new Set(arrived).size).toBe(arrived.length)
    const sent = [...all].flatMap(([subject, state]) => (state === "sent" ? [subject] : []))
    expect(sent.filter((subject) => !arrived.includes(subject))).toEqual([])
  })
})
