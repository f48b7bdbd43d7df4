import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient, type Leadloom } from "@leadloom/client"
import { startSink } from "@leadloom/testkit/mail/SmtpSink"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { programArguments } from "@leadloom/testkit/Program"
import { repository } from "@leadloom/testkit/Sources"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { expect, vi } from "vitest"

const adminKey = "the-operators-admin-key-of-the-tests"
const tenantId = "acme"
const sourceId = "website"
/** Only a message that is never stored exceeds this time. */
const waiting = { timeout: 60_000, interval: 50 }

/** A receiver of webhooks that refuses every connection (RFC 863, the discard port). */
export const closedReceiver = "127.0.0.1:9"

/** A server with one tenant and a few conversations. */
export interface World {
  readonly url: string
  readonly tenantId: string
  readonly apiKey: string
  /** The key of the operator, which may do everything. */
  readonly adminKey: string
  readonly client: Leadloom
  /** Returns a one-time link to the console: for the agent Ann, or for a session without a user. */
  readonly link: (role?: "manager" | "admin") => Promise<string>
  /** The log that the server has written. */
  readonly log: () => string
  /** The mails that the server has sent. */
  readonly sent: () => ReadonlyArray<unknown>
  /** Lets a person write a text, and waits until it is stored. */
  readonly receiveText: (name: string | undefined, phone: string, body: string) => Promise<void>
  /** Lets a person write a mail with an HTML body. */
  readonly receiveMail: (name: string, html: string) => Promise<void>
  /** Lets a person write a mail that is given as it is transmitted. */
  readonly receiveRaw: (mail: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Records the log of a server, and returns a function that reads it. */
const recordLog = (server: ChildProcess): (() => string) => {
  let log = ""
  server.stdout?.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8")
  })
  return () => log
}

const urlOf = (server: ChildProcess, log: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    server.stdout?.on("data", () => {
      const [, url] = /"message":"listening","url":"([^"]+)"/u.exec(log()) ?? []
      if (url !== undefined) resolve(url)
    })
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${log()}`)))
  })

const mailOf = (name: string, html: string): string =>
  `From: ${name} <${name.toLowerCase()}@customer.example>\r\nTo: office@acme.example\r\nSubject: Roof of ${name}\r\n` +
  `Message-ID: <${name}@customer.example>\r\nDate: ${new Date().toUTCString()}\r\n` +
  `Content-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`

/** Returns the arguments that run the server, or another program of its package from the sources. */
const argumentsOf = (program: string | null): ReadonlyArray<string> => {
  const server = join(repository, "packages", "server")
  return program === null
    ? programArguments("server", join(server, "src", "main.ts"))
    : ["--conditions=leadloom:source", join(server, program)]
}

const spawnServer = (folder: string, env: Readonly<Record<string, string>>, program: string | null) => {
  return spawn(process.execPath, argumentsOf(program), {
    env: {
      PATH: process.env["PATH"],
      ...shiftedClock(),
      LEADLOOM_PORT: "0",
      LEADLOOM_ADMIN_KEY: adminKey,
      LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
      LEADLOOM_DATA_DIR: folder,
      LEADLOOM_WEBHOOK_ALLOW_HOSTS: closedReceiver,
      ...env
    },
    stdio: ["ignore", "pipe", "ignore"]
  })
}

/** Starts a server in a separate process, on a separate database. `program` replaces it by another file of its package. */
export const startWorld = async (
  env: Readonly<Record<string, string>> = {},
  program: string | null = null
): Promise<World> => {
  const sink = await startSink()
  const folder = mkdtempSync(join(tmpdir(), "leadloom-console-"))
  placeMigratedFile(join(folder, "leadloom.db"))
  const server = spawnServer(folder, { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, ...env }, program)
  const ended = new Promise((resolve) => server.once("exit", resolve))
  const log = recordLog(server)
  const url = await urlOf(server, log)
  const client = createClient({ baseUrl: url, credential: adminKey })
  await client.tenants.create({ tenant_id: tenantId, name: "Acme", domain: "acme.example" })
  await client.email.connect(tenantId, { provider: "smtp", email: "office@acme.example", name: "Acme" })
  const { key: apiKey } = await client.apiKeys.create(tenantId, { name: "console" })
  const { key: sourceKey } = await client.sources.create(tenantId, { source_id: sourceId })
  const receiveRaw = async (mail: string): Promise<void> => {
    const raw = Buffer.from(mail).toString("base64")
    await client.import.email(tenantId, { historical: false, mails: [{ name: "mail", raw }] })
  }
  return {
    url,
    tenantId,
    apiKey,
    adminKey,
    client,
    log,
    sent: () => sink.mails,
    link: async (role) => {
      const user = { name: "Ann Agent", email: "ann@acme.example" }
      const request = role === undefined ? { user } : { role }
      const { ticket } = await client.sessions.createTicket({ tenant_id: tenantId, ...request })
      return `${url}/sign-in#ticket=${ticket}`
    },
    receiveText: async (name, phone, body) => {
      const event = {
        entity: name === undefined ? { phone } : { name, phone },
        content: { body, channel: "sms" as const }
      }
      await client.events.send(tenantId, sourceId, event, { credential: sourceKey })
      // The server accepts an event before it stores the message.
      await vi.waitFor(async () => {
        const { conversations } = await client.conversations.list(tenantId)
        expect(conversations.map((row) => row.last_message)).toContain(body)
      }, waiting)
    },
    receiveMail: (name, html) => receiveRaw(mailOf(name, html)),
    receiveRaw,
    close: async () => {
      server.kill("SIGTERM")
      await ended
      await sink.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Lets Maria write a mail and Priya a text. */
export const twoConversations = async (world: World): Promise<void> => {
  await world.receiveMail("Maria", "<p>How much is a <b>new roof</b>?</p>")
  await world.receiveText("Priya", "+12025550143", "Is the inspection still free?")
}
