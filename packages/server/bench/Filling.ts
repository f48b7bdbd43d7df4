/** Fills a server through its API. */
import { setTimeout } from "node:timers/promises"
import { Layer } from "effect"
import { signalQueue } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { workersOf } from "../src/worker/Workers.ts"
import type { Requested } from "../test/world/SameAnswers.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../test/world/TestServer.ts"
import { attachedMail, eventOf, mailOf } from "./Arrivals.ts"

/** The secret key of both servers, so that cursors and credentials are equal. */
export const secretKey = "a-secret-key-for-measurements-only"

/** Starts a server on a database, with or without workers. `objects` is a folder that several servers share. */
export const serverOn = (url: string, withWorkers: boolean, objects = ""): TestServer => {
  const env = {
    LEADLOOM_DATABASE_URL: url,
    LEADLOOM_SECRET_KEY: secretKey,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_OBJECTS_DIR: objects
  }
  return withWorkers
    ? startServer(env, (services) => Layer.provideMerge(workersOf(signalQueue), services))
    : startServer(env)
}

const mailsPerRequest = 100
/**
 * One in `liveEvery` batches of mail counts as new, the others as history. `eventEvery` is the number of mails per
 * event.
 */
const liveEvery = 20
const eventEvery = 100

const must = async (server: TestServer, path: string, body: unknown, as = adminKey): Promise<unknown> => {
  const answer = await server.call("POST", path, { as, body })
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.json
}

const signalsIn = (json: unknown): ReadonlyArray<string> => {
  const results = at(json, "results")
  const all = Array.isArray(results) ? results.map((one: unknown) => at(one, "signal_id")) : []
  return all.filter((id) => typeof id === "string")
}

/** Waits until every signal has a run. The workers run in this process and need its timers. */
const settled = async (server: TestServer, tenant: string, ids: ReadonlyArray<string>): Promise<void> => {
  const isWorked = async (id: string): Promise<boolean> =>
    (await server.call("GET", `/api/v1/tenants/${tenant}/pipeline/runs/${id}`, { as: adminKey })).status === 200
  for (const id of ids) while (!(await isWorked(id))) await setTimeout(10)
}

/** Creates a tenant with the given number of messages. Returns the requests that read its data. */
export const fillTenant = async (server: TestServer, tenantId: string, messages: number): Promise<Requested> => {
  await must(server, "/api/v1/admin/tenants", {
    tenant_id: tenantId,
    name: tenantId,
    domain: `${tenantId}.com`,
    preset: "home_services",
    plan: "growth"
  })
  // Creates a second version, with an entry in the audit trail.
  const patch = { as: adminKey, body: { takeover_hours: 12 } }
  const patched = await server.call("PATCH", `/api/v1/config/${tenantId}`, patch)
  if (patched.status !== 200) throw new Error(patched.text)
  await must(server, `/api/v1/tenants/${tenantId}/api-keys`, { name: "crm" })
  await must(server, `/api/v1/tenants/${tenantId}/webhooks`, { url: "https://receiver.example/hooks" })
  const email = `/api/v1/tenants/${tenantId}/email`
  await must(server, `${email}/connect`, { provider: "smtp", email: `sales@${tenantId}.com`, name: "Zoë 👋" })
  // Without a relay the mail stays queued.
  await must(server, `${email}/send`, { to: [{ email: "jo@customer.example" }], subject: "Öffnung", body: "Ab vier." })
  const source = await must(server, `/api/v1/admin/tenants/${tenantId}/sources`, { source_id: "crm" })
  const sourceKey = textAt(source, "key")
  const signalIds: Array<string> = []
  for (let from = 0; from < messages; from += mailsPerRequest) {
    const count = Math.min(mailsPerRequest, messages - from)
    const mails = Array.from({ length: count }, (_, index) => {
      return { name: String(from + index), raw: Buffer.from(mailOf(tenantId, from + index)).toString("base64") }
    })
    const historical = (from / mailsPerRequest) % liveEvery !== 0
    signalIds.push(...signalsIn(await must(server, `/api/v1/import/${tenantId}/email`, { historical, mails })))
    for (let index = from; index < from + count; index += eventEvery) {
      const event = await must(server, `/api/v1/events/${tenantId}/crm`, eventOf(index), sourceKey)
      signalIds.push(textAt(event, "event_id"))
    }
  }
  const mails = [{ name: "attached", raw: Buffer.from(attachedMail(tenantId)).toString("base64") }]
  await must(server, `/api/v1/import/${tenantId}/email`, { historical: true, mails })
  const items = [{ message: "Öffnet ihr am Samstag?", contact: { phone: "+49 30 901820" } }, { message: 7 }]
  const batch = await must(server, `/api/v1/tenants/${tenantId}/pipeline/batch`, { items })
  signalIds.push(textAt(batch, "items", 0, "signal_id"))
  await settled(server, tenantId, signalIds)
  return { tenantId, signalIds, alias: `sales@${tenantId}.com` }
}
