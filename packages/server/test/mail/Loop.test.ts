import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { sendTo } from "../world/MailServer.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"

/** A deployment that replies to every mail automatically. */
interface Robot {
  readonly email: string
  readonly process: ServerProcess
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>
  readonly smtpPort: () => Promise<number>
}

let folder: ReturnType<typeof temporaryFolder>
let relay: SmtpSink
let robots: ReadonlyArray<Robot>

const rules = [
  {
    id: "rule_thanks",
    name: "Thanks",
    priority: 1,
    when: { fact: "message.channel", op: "eq", value: "email" },
    actions: [{ type: "reply", template: "Thank you for your message." }]
  }
]

const startRobot = async (name: string): Promise<Robot> => {
  const process = startProcess({
    LEADLOOM_DATA_DIR: `${folder.path}/${name}`,
    LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
    LEADLOOM_SMTP_LISTEN: "127.0.0.1:0",
    LEADLOOM_MAIL_AUTHENTICATION: "off"
  })
  const url = await process.url
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const json: unknown = await response.json()
    expect([path, response.ok, json]).toEqual([path, true, json])
    return json
  }
  const email = `hello@${name}.example`
  await call("POST", "/admin/tenants", { tenant_id: "acme", name, domain: `${name}.example` })
  await call("POST", "/tenants/acme/email/connect", { provider: "smtp", email })
  // A takeover by a person would end the loop before its budget does, so it is off.
  await call("PUT", "/config/acme", { ...someConfig, reply_mode: "auto", takeover_hours: 0, rules })
  const smtpPort = () =>
    vi.waitFor(() => {
      const port = /"listening for mail".*?127\.0\.0\.1:(\d+)/u.exec(process.stdout())?.[1]
      expect(port).toBeDefined()
      return Number(port)
    }, 60_000)
  return { email, process, call, smtpPort }
}

beforeEach(async () => {
  folder = temporaryFolder()
  relay = await startSink()
  robots = await Promise.all(["one", "other"].map(startRobot))
})
afterEach(async () => {
  for (const { process } of robots) {
    process.kill("SIGKILL")
    await process.exit
  }
  await relay.close()
  folder.remove()
})

/** Delivers a mail of the relay to its recipient after `change`, and returns the recipient. */
const deliver = async (index: number, change: (raw: string) => string): Promise<Robot> => {
  await relay.until(index + 1)
  const mail = relay.mails[index]
  const robot = robots.find(({ email }) => mail?.to[0] === email)
  if (mail === undefined || robot === undefined) throw new Error("a mail to somebody else")
  const said = await sendTo(await robot.smtpPort())(mail.to, change(mail.raw), mail.from)
  expect(said).toMatchObject({ code: 250 })
  return robot
}

const begin = (): Promise<unknown> | undefined =>
  robots[1]?.call("POST", "/tenants/acme/email/send", {
    to: [{ email: robots[0]?.email }],
    subject: "Hello",
    body: "Are you there?"
  })

const messagesOf = async ({ call }: Robot): Promise<ReadonlyArray<unknown>> => {
  const contact = textAt(await call("GET", "/tenants/acme/conversations"), "conversations", 0, "contact_id")
  const messages = at(await call("GET", `/tenants/acme/conversations/${contact}`), "messages")
  return Array.isArray(messages) ? messages : []
}

describe("two servers that reply automatically to each other", () => {
  it("stop immediately, because an automatic reply is marked as such", { timeout: 300_000 }, async () => {
    await begin()
    await deliver(0, (raw) => raw)
    const last = await deliver(1, (raw) => raw)
    const messages = await messagesOf(last)
    expect(messages.map((message) => [at(message, "actor"), at(message, "auto")]).toSorted()).toEqual([
      ["agent", null],
      ["contact", "auto_reply"]
    ])
    // Sends are transmitted oldest first. After the reply to a later mail, a reply to the first would have been
    // transmitted.
    const later =
      "From: Jane <jane@customer.example>\r\nSubject: Hello\r\nMessage-ID: <later@customer.example>\r\n\r\nHi"
    await sendTo(await last.smtpPort())([last.email], later)
    await relay.until(3)
    expect(relay.mails.map(({ to }) => to[0])).toEqual([robots[0]?.email, last.email, "jane@customer.example"])
  })

  it("stop within the budget if the mark is removed on the way", { timeout: 300_000 }, async () => {
    const bare = (raw: string): string => raw.replace(/^(?:Auto-Submitted|Precedence|X-Auto[^:]*):.*\r?\n/gimu, "")
    await begin()
    // A question of a person, and three replies of each server.
    const mails = 7
    for (let index = 0; index < mails - 1; index++) await deliver(index, bare)
    const last = await deliver(mails - 1, bare)
    const received = (await messagesOf(last)).filter((message) => at(message, "actor") === "contact")
    const signals = received.map((message) => textAt(message, "message_id").replace(/^msg_/u, "sig_"))
    const runs = await vi.waitFor(
      () => Promise.all(signals.map((signal) => last.call("GET", `/tenants/acme/pipeline/runs/${signal}`))),
      60_000
    )
    const refused = runs.filter((run) => JSON.stringify(run).includes("3 automatic replies were sent in this thread"))
    expect([runs.length, refused.length]).toEqual([4, 1])
    expect(relay.mails).toHaveLength(mails)
  })
})
