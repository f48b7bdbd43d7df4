import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient, type Leadloom } from "@leadloom/client"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer, watch } from "../../../packages/cli/test/ServerProcess.ts"
import { handle, type Settings } from "../handler.ts"

const secret = "whsec_dHJ5IGl0IHdpdGggYSBzZWNyZXQgb2YgeW91cnM="

let folder = ""
let server: RunningServer
let operator: Leadloom
let settings: Settings & NodeJS.ProcessEnv = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  server = await startServer(folder)
  operator = createClient({ baseUrl: server.url, credential: adminKey })
  await operator.tenants.create({ tenant_id: "roofs", name: "Roofs" })
  const { key } = await operator.apiKeys.create("roofs", { name: "receiver" })
  settings = { LEADLOOM_URL: server.url, LEADLOOM_API_KEY: key, LEADLOOM_SIGNING_SECRET: secret, ON_CALL: "ada" }
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const newLead = async (): Promise<string> =>
  (await operator.leads.create("roofs", { contact: { email: "grace@example.org" }, subject: "Roof" })).id

/** Returns a delivery as Leadloom signs it (`docs/how-to/verify-webhooks.md`). */
const delivery = (leadId: string, tier: string, key = secret): RequestInit & { readonly body: string } => {
  const seconds = Math.floor(Date.now() / 1_000)
  const event = { event_id: "evt_1", event_type: "lead.tier_changed", tenant_id: "roofs", timestamp: seconds * 1_000 }
  const body = JSON.stringify({ ...event, data: { lead_id: leadId, tier, previous_tier: "warm" } })
  const signature = createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")
  return { method: "POST", body, headers: { "X-Webhook-Timestamp": `${seconds}`, "X-Webhook-Signature": signature } }
}

const call = async (init: RequestInit): Promise<number> =>
  (await handle(new Request("https://hooks.example.com/", init), settings)).status

const assigneeOf = async (leadId: string) => (await operator.leads.get("roofs", leadId)).assignee

describe("examples/serverless-webhook", () => {
  it("assigns a lead that became hot, also if the event is delivered twice", async () => {
    const lead = await newLead()
    expect([await call(delivery(lead, "hot")), await call(delivery(lead, "hot"))]).toEqual([204, 204])
    expect(await assigneeOf(lead)).toBe("ada")
  })

  it("ignores other tiers and leads that no longer exist", async () => {
    const lead = await newLead()
    expect(await call(delivery(lead, "cold"))).toBe(204)
    expect(await assigneeOf(lead)).toBeNull()
    expect(await call(delivery("lead_00000000000000000000000000", "hot"))).toBe(204)
  })

  it("rejects forged deliveries and other methods", async () => {
    const lead = await newLead()
    expect(await call(delivery(lead, "hot", "whsec_Z3Vlc3NlZA=="))).toBe(400)
    expect(await call({ method: "GET" })).toBe(405)
    expect(await assigneeOf(lead)).toBeNull()
  })

  it("runs on Node.js without a framework", async () => {
    const lead = await newLead()
    const file = fileURLToPath(new URL("../node.ts", import.meta.url))
    const child = spawn(process.execPath, ["--conditions=leadloom:source", file], {
      env: { ...settings, ...shiftedClock(), PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const watched = watch(child)
    const [, url = ""] = await watched.says(/^receiving at (\S+)$/mu)
    expect((await fetch(url, delivery(lead, "hot", "whsec_Z3Vlc3NlZA=="))).status).toBe(400)
    expect((await fetch(url, { method: "POST", body: "x".repeat(1_048_577) })).status).toBe(413)
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(url, delivery(lead, "hot"))).status).toBe(204)
    expect(await assigneeOf(lead)).toBe("ada")
    child.kill("SIGTERM")
    await watched.ends
  })
})
