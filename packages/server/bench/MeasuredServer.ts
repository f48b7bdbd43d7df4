/** A server with one tenant in a separate process, as in production, and the requests of the published figures. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type ServerProcess, startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey, textAt } from "../test/world/TestServer.ts"
import { requestText } from "./RawLoad.ts"

const source = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const words =
  "quote roof please call back tomorrow price invoice meeting urgent thanks regards team project estimate visit".split(
    " "
  )

/** A message of 90 words, about 600 bytes. */
const bodyOf = (index: number): string =>
  Array.from({ length: 90 }, (_, place) => words[(index * 7 + place * place) % words.length]).join(" ")

/** The body of a pipeline request, and of the echo. */
export const pipelineBody = (index: number) => ({
  message: `Hi, I saw your ad for roof repair and would like a quote for a ${index} m2 roof before next Friday. Can someone call me back in the afternoon? My number is below.`,
  contact: { first_name: "Dana", last_name: "Reyes", email: `dana.${index % 2_000}@customer.example` },
  channel: "webhook",
  source: "landing-page",
  metadata: { utm_source: "ads", utm_campaign: "spring", page: "/roof", score: 12 }
})

const eventBody = (index: number) => ({
  entity: { id: `x${index}`, name: `Lead ${index % 2_000}`, email: `lead${index % 2_000}@customer.example` },
  content: { subject: `Hello ${index % 97}`, body: `${index} ${bodyOf(index)}`, channel: "chat" }
})

/** The stored rows of the tenant that checks compare, and the queued signals of all tenants. */
interface Stored {
  readonly messages: number
  readonly queued: number
  readonly runs: number
}

/** A running server. */
export interface MeasuredServer {
  readonly process: ServerProcess
  readonly pid: number
  readonly port: number
  readonly stored: () => Stored
  /** Opens another tenant with a few conversations. */
  readonly openSmall: () => Promise<void>
  /** Waits until no signal is queued. */
  readonly drain: () => Promise<void>
  /** The text of the measured requests, by number. */
  readonly requests: Readonly<
    Record<
      "health" | "config" | "list" | "shortList" | "dryRun" | "event" | "sync" | "pipeline",
      (index: number) => string
    >
  >
  readonly stop: () => Promise<void>
}

/** The variables of a measured server on a data folder. */
export const measuredEnvironment = (folder: string) => ({
  LEADLOOM_DATA_DIR: folder,
  LEADLOOM_SECRET_KEY: "a-secret-key-for-measurements-only",
  LEADLOOM_LIMIT_ADMIN: "1000000",
  LEADLOOM_LIMIT_WEBHOOK: "1000000"
})

const tenantId = "acme"

const smallTenantId = "small"

/** The number of conversations of the small tenant. */
const fewConversations = 5

/** Creates a tenant with a source, and returns the key of the source. */
const openTenant = async (url: string, tenantId: string): Promise<string> => {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (response.status >= 300 && response.status !== 409) throw new Error(`${path}: ${await response.text()}`)
    return await response.json()
  }
  await post("/admin/tenants", { tenant_id: tenantId, name: "Acme", domain: `${tenantId}.com` })
  return textAt(await post(`/admin/tenants/${tenantId}/sources`, { source_id: "form" }), "key")
}

/** Options of a measured server. */
interface MeasuredOptions {
  /** A data folder, which may hold a database with the tenant. Default: an empty one. */
  readonly folder?: ReturnType<typeof temporaryFolder>
  /** Whether the server runs from its sources with an inspector, whose address it prints to standard error. */
  readonly isInspected?: boolean
}

/** Starts a server with a tenant on SQLite. */
export const startMeasured = async ({
  folder = temporaryFolder(),
  isInspected = false
}: MeasuredOptions = {}): Promise<MeasuredServer> => {
  const inspected = ["--inspect=127.0.0.1:0", "--conditions=leadloom:source", source]
  const server = startProcess(measuredEnvironment(folder.path), isInspected ? inspected : undefined)
  const url = await server.url
  const key = await openTenant(url, tenantId)
  const api = `/api/v1`
  const stored = (): Stored => {
    const database = new DatabaseSync(join(folder.path, "leadloom.db"), { readOnly: true })
    const count = (text: string): number => Number(database.prepare(text).get()?.["count"])
    const rows = {
      messages: count(`SELECT count(*) AS count FROM messages WHERE tenant_id = '${tenantId}'`),
      queued: count("SELECT count(*) AS count FROM signals WHERE state = 'queued'"),
      runs: count(`SELECT count(*) AS count FROM runs WHERE tenant_id = '${tenantId}'`)
    }
    database.close()
    return rows
  }
  return {
    process: server,
    pid: server.pid ?? 0,
    port: Number(new URL(url).port),
    stored,
    openSmall: async () => {
      const smallKey = await openTenant(url, smallTenantId)
      for (let index = 0; index < fewConversations; index++) {
        const headers = { authorization: `Bearer ${smallKey}`, "content-type": "application/json" }
        const body = JSON.stringify(eventBody(index))
        const response = await fetch(`${url}${api}/events/${smallTenantId}/form`, { method: "POST", headers, body })
        if (!response.ok) throw new Error(await response.text())
      }
    },
    drain: async () => {
      while (stored().queued > 0) await sleep(20)
    },
    requests: {
      health: () => requestText("GET", "/health", null),
      config: () => requestText("GET", `${api}/config/${tenantId}`, adminKey),
      list: () => requestText("GET", `${api}/tenants/${tenantId}/conversations`, adminKey),
      shortList: () => requestText("GET", `${api}/tenants/${smallTenantId}/conversations`, adminKey),
      dryRun: (index) => requestText("POST", `${api}/test/${tenantId}`, adminKey, pipelineBody(index)),
      event: (index) => requestText("POST", `${api}/events/${tenantId}/form`, key, eventBody(index)),
      sync: (index) => requestText("POST", `${api}/events/${tenantId}/form?mode=sync`, key, eventBody(index)),
      pipeline: (index) => requestText("POST", `${api}/webhook/automation/${tenantId}`, adminKey, pipelineBody(index))
    },
    stop: async () => {
      server.kill("SIGTERM")
      await server.exit
      folder.remove()
    }
  }
}
