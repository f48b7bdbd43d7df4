import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createClient } from "@leadloom/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer } from "../../../packages/cli/test/ServerProcess.ts"

const run = promisify(execFile)
const example = fileURLToPath(new URL("../index.ts", import.meta.url))

let folder = ""
let server: RunningServer | null = null
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  server = await startServer(folder)
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe("examples/work-a-lead", () => {
  it("takes one lead from the first message to won", async () => {
    const url = server?.url ?? ""
    const operator = createClient({ baseUrl: url, credential: adminKey })
    await operator.tenants.create({ tenant_id: "roofs", name: "Roofs", domain: "roofs.example" })
    await operator.email.connect("roofs", { provider: "smtp", email: "hello@roofs.example" })
    const source = await operator.sources.create("roofs", { source_id: "website" })
    const apiKey = await operator.apiKeys.create("roofs", { name: "example" })
    const env = {
      LEADLOOM_URL: url,
      LEADLOOM_TENANT: "roofs",
      LEADLOOM_SOURCE_KEY: source.key,
      LEADLOOM_API_KEY: apiKey.key
    }
    const { stdout } = await run(process.execPath, ["--conditions=leadloom:source", example], { env })
    const lines = stdout.trimEnd().split("\n")
    expect(lines[0]).toMatch(/^scored by \S/u)
    expect(lines[1]).toBe("contact: How much is a new roof? We need a quote this week, it is urgent.")
    expect(lines.slice(2, 5).map((line) => line.split(",")[0])).toEqual(["engaged", "qualified", "won"])
    expect(lines[5]).toMatch(/^tasks closed: \d+$/u)
    const { leads } = await operator.leads.list("roofs", { state: "won" })
    expect(leads.map(({ assignee }) => assignee)).toEqual(["ada@demo.example"])
    const contact = leads[0]?.contact_id ?? ""
    const { messages } = await operator.conversations.get("roofs", contact)
    expect(messages.map(({ actor, channel }) => `${actor} ${channel}`)).toEqual([
      "contact webhook",
      "agent email",
      "contact webhook",
      "agent voice"
    ])
  })
})
