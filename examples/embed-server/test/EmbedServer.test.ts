import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { createClient, type Leadloom } from "@leadloom/client"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type Watched, watch } from "../../../packages/cli/test/ServerProcess.ts"

const example = fileURLToPath(new URL("../main.ts", import.meta.url))
const token = "a-token-of-the-mail-api"

/** A request that the stand-in of the mail API received. */
interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

const received: Array<Received> = []
let answer = { status: 200, json: { id: "mail-1" } as Record<string, string> }
let folder = ""
let api: Server
let server: ChildProcess
let watched: Watched
let client: Leadloom

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  api = createServer(async (request, response) => {
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(await text(request)) })
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.json))
  })
  await once(api.listen(0, "127.0.0.1"), "listening")
  const address = api.address()
  const port = typeof address === "object" ? address?.port : null
  server = spawn(process.execPath, ["--conditions=leadloom:source", example], {
    env: {
      ...shiftedClock(),
      PATH: process.env["PATH"],
      LEADLOOM_ADMIN_KEY: adminKey,
      LEADLOOM_DATA_DIR: folder,
      LEADLOOM_PORT: "0",
      MAIL_API_URL: `http://127.0.0.1:${port}/v1`,
      MAIL_API_TOKEN: token
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  watched = watch(server)
  const [, baseUrl = ""] = await watched.says(/^ready at (.+)$/mu)
  client = createClient({ baseUrl, credential: adminKey, maxRetries: 0 })
  await client.tenants.create({ tenant_id: "roofs", name: "Roofs", domain: "roofs.example" })
  await client.email.connect("roofs", { provider: "smtp", email: "hello@roofs.example" })
})
afterAll(async () => {
  server.kill("SIGTERM")
  await watched.ends
  api.close()
  await rm(folder, { recursive: true, force: true })
})

const send = (subject: string) =>
  client.email.send("roofs", { to: [{ email: "grace@example.org", name: "Grace" }], subject, body: "On Monday." })

/** Returns the state of a sent mail, from the only conversation. */
const deliveryOf = async (messageId: string) => {
  const [conversation] = (await client.conversations.list("roofs")).conversations
  const { messages } = await client.conversations.get("roofs", conversation?.contact_id ?? "")
  return messages.find(({ id }) => id === messageId)?.delivery
}

describe("examples/embed-server", () => {
  it("sends mail through the transport of the program", async () => {
    answer = { status: 200, json: { id: "mail-1" } }
    const { message_id } = await send("Your roof")
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      url: "/v1/emails",
      headers: { authorization: `Bearer ${token}` },
      body: {
        from: "hello@roofs.example",
        to: ['"Grace" <grace@example.org>'],
        subject: "Your roof",
        text: "On Monday.",
        headers: { "Message-ID": expect.stringMatching(/^<[^<>@]+@roofs\.example>$/u) }
      }
    })
    expect(await deliveryOf(message_id)).toBe("sent")
  })

  it("reports why the API refused a mail, without the token", async () => {
    answer = { status: 422, json: { message: `The address is invalid (${token}).` } }
    const failure = await send("Refused").catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringContaining("The address is invalid ([secret]).") })
  })

  it("lets a mail wait while the token is wrong, and keeps the account connected", async () => {
    answer = { status: 401, json: { message: "Unknown token." } }
    const { message_id } = await send("Waits")
    expect(await deliveryOf(message_id)).toBe("queued")
    const { grants } = await client.email.listGrants("roofs")
    expect(grants.map(({ status }) => status)).toEqual(["active"])
  })
})
