import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient, type Leadloom } from "@leadloom/client"
import { freePort } from "@leadloom/testkit/FreePort"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  adminKey,
  type RunningServer,
  startServer,
  type Watched,
  watch
} from "../../../packages/cli/test/ServerProcess.ts"

const example = fileURLToPath(new URL("../index.ts", import.meta.url))

let folder = ""
let receiver = ""
let sourceKey = ""
let webhookId = ""
let server: RunningServer
let app: ChildProcess
let watched: Watched
let operator: Leadloom

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  const port = await freePort()
  receiver = `http://127.0.0.1:${port}/`
  server = await startServer(folder, { LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}` })
  operator = createClient({ baseUrl: server.url, credential: adminKey })
  await operator.tenants.create({ tenant_id: "roofs", name: "Roofs", domain: "roofs.example" })
  await operator.email.connect("roofs", { provider: "smtp", email: "hello@roofs.example" })
  sourceKey = (await operator.sources.create("roofs", { source_id: "website" })).key
  const { key } = await operator.apiKeys.create("roofs", { name: "partner" })
  const webhook = await operator.webhooks.create("roofs", { url: receiver, events: ["lead.received"] })
  webhookId = webhook.id
  app = spawn(process.execPath, ["--conditions=leadloom:source", example], {
    env: {
      ...shiftedClock(),
      LEADLOOM_URL: server.url,
      LEADLOOM_API_KEY: key,
      LEADLOOM_SIGNING_SECRET: webhook.secret,
      PORT: `${port}`
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  watched = watch(app)
  await watched.says(/^receiving at/mu)
})
afterAll(async () => {
  app.kill("SIGTERM")
  await watched.ends
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const outgoing = async () => {
  const [conversation] = (await operator.conversations.list("roofs")).conversations
  const { messages } = await operator.conversations.get("roofs", conversation?.contact_id ?? "")
  return messages.filter(({ actor }) => actor === "agent").map(({ subject }) => subject)
}

describe("examples/partner-app", () => {
  it("answers a new lead once, although the event is delivered twice", async () => {
    const event = {
      entity: { name: "Grace Hopper", email: "grace@example.org" },
      content: { body: "How much is a new roof?", subject: "Roof" }
    }
    await operator.events.send("roofs", "website", event, { credential: sourceKey })
    await watched.says(/^answered lead_\w+$/mu)
    expect(await outgoing()).toEqual(["Re: Roof"])
    const { deliveries } = await operator.webhooks.deliveries("roofs", webhookId)
    expect(deliveries).toHaveLength(1)
    await operator.webhooks.redeliver("roofs", webhookId, deliveries[0]?.id ?? "")
    await watched.says(/^known evt_\w+$/mu)
    expect(await outgoing()).toEqual(["Re: Roof"])
  })

  it("rejects forged deliveries and oversized requests", async () => {
    const headers = {
      "x-webhook-timestamp": `${Math.floor(Date.now() / 1_000)}`,
      "x-webhook-signature": "0".repeat(64)
    }
    expect((await fetch(receiver, { method: "POST", headers, body: "{}" })).status).toBe(400)
    expect((await fetch(receiver, { method: "POST", headers, body: "x".repeat(1_048_577) })).status).toBe(413)
  })
})
