/**
 * Runs one server with eight tenants of an ordinary configuration and one tenant with the most expensive permitted
 * configuration. Measures the latency of requests of the ordinary tenants, and the time until their signals run. The
 * first phase has no load of the expensive tenant. In the second phase it sends more than the server can process.
 *
 *   npm run bench -- expensive [seconds of each phase] [events a second of the expensive tenant]
 */
import { setTimeout as sleep } from "node:timers/promises"
import { someConfig } from "../test/world/Endpoints.ts"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey, at, textAt } from "../test/world/TestServer.ts"

const seconds = Number(process.argv[2] ?? 8)
const perSecond = Number(process.argv[3] ?? 40)
/** Events per second of each ordinary tenant. The bench waits for the run of each event and adds one read per event. */
const ordinaryPerSecond = 1

const folder = temporaryFolder()
const server = startProcess({
  LEADLOOM_DATA_DIR: folder.path,
  LEADLOOM_LIMIT_ADMIN: "1000000",
  LEADLOOM_LIMIT_WEBHOOK: "1000000"
})
const url = await server.url

const sendRequest = async (method: string, path: string, as: string, body?: unknown) => {
  const begun = performance.now()
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const json: unknown = await response.json()
  return { status: response.status, json, millis: performance.now() - begun }
}

const indices = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/**
 * 10,000 comparisons, 1,000 actions with templates that loop, and 2,000 phrases: the maximum that `checkLimits`
 * permits.
 */
const expensive = {
  ...someConfig,
  reply_mode: "draft",
  guardrails: indices(10).map((id) => ({
    id: `guard_${id}`,
    kind: "blocked_phrases",
    phrases: indices(200).map((index) => `roof of a house ${id} ${index}`)
  })),
  rules: indices(100).map((id) => ({
    id: `rule_${id}`,
    name: "Expensive",
    priority: id,
    when: {
      any: indices(99).map((index) => ({ fact: "message.text", op: "contains", value: `roof ${id} ${index}` }))
    },
    actions: indices(10).map(() => ({
      type: "notify",
      message: "{% for i in (1..100) %}{{ message.body | upcase | escape }}{% endfor %}"
    }))
  }))
}
const ordinary = {
  ...someConfig,
  classifier: "keywords",
  rules: indices(10).map((id) => ({
    id: `rule_${id}`,
    name: "Ordinary",
    priority: id,
    when: { fact: "message.text", op: "contains", value: id === 0 ? "roof" : `word ${id}` },
    actions: [{ type: "tag", tag: `tag ${id}` }]
  }))
}
const body = "The roof of our house leaks and we would like to know what a new one costs. "
/** A run with the first body uses the whole budget; the other bodies exceed it. */
const expensiveBodies = [body.repeat(24), body.repeat(250), body.repeat(2_500)]

const keys = new Map<string, string>()
const tenants = indices(8).map((index) => `shop${index}`)
for (const tenant of [...tenants, "costly"]) {
  await sendRequest("POST", "/admin/tenants", adminKey, {
    tenant_id: tenant,
    name: tenant,
    domain: `${tenant}.example`
  })
  const source = await sendRequest("POST", `/admin/tenants/${tenant}/sources`, adminKey, { source_id: "form" })
  keys.set(tenant, textAt(source.json, "key"))
  const saved = await sendRequest("PUT", `/config/${tenant}`, adminKey, tenant === "costly" ? expensive : ordinary)
  if (saved.status !== 200) throw new Error(`the server rejected the configuration: ${JSON.stringify(saved.json)}`)
}

let next = 0
const send = (tenant: string, text: string) => {
  const email = `c${next++}@customer.example`
  return sendRequest("POST", `/events/${tenant}/form`, keys.get(tenant) ?? "", {
    entity: { email },
    content: { body: text, channel: "chat" }
  })
}

interface Measured {
  readonly requests: Array<number>
  readonly runs: Array<number>
}

/** Sends an event and a read, and waits until the event has run. */
const visit = async (tenant: string, { requests, runs }: Measured): Promise<void> => {
  const sent = await send(tenant, body)
  const begun = performance.now()
  requests.push(sent.millis, (await sendRequest("GET", `/tenants/${tenant}/conversations?limit=20`, adminKey)).millis)
  const id = textAt(sent.json, "event_id")
  for (;;) {
    const run = await sendRequest("GET", `/tenants/${tenant}/pipeline/runs/${id}`, adminKey)
    requests.push(run.millis)
    if (run.status === 200) break
    await sleep(50)
  }
  runs.push(performance.now() - begun)
}

const phase = async (withCostly: boolean): Promise<Measured & { readonly sent: number }> => {
  const measured: Measured = { requests: [], runs: [] }
  const open: Array<Promise<unknown>> = []
  const end = performance.now() + seconds * 1_000
  let sent = 0
  const every = async (perSecondOfIt: number, act: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      open.push(act().catch((cause: unknown) => console.error(cause)))
      await sleep(1_000 / perSecondOfIt)
    }
  }
  await Promise.all([
    ...tenants.map((tenant) => every(ordinaryPerSecond, () => visit(tenant, measured))),
    ...(withCostly ? [every(perSecond, () => send("costly", expensiveBodies[sent++ % 3] ?? ""))] : [])
  ])
  await Promise.all(open)
  return { ...measured, sent }
}

const shown = (values: ReadonlyArray<number>): string => {
  const sorted = values.toSorted((a, b) => a - b)
  const part = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0).padStart(5)
  return `p50 ${part(0.5)} ms  p99 ${part(0.99)} ms  worst ${(sorted.at(-1) ?? 0).toFixed(0).padStart(5)} ms  (${sorted.length})`
}

await phase(false)
for (const withCostly of [false, true]) {
  const { requests, runs, sent } = await phase(withCostly)
  console.log(withCostly ? `with ${sent} events of the expensive tenant` : "without the expensive tenant")
  console.log(`  requests     ${shown(requests)}`)
  console.log(`  time to run  ${shown(runs)}`)
}
const page = await sendRequest("GET", "/tenants/costly/pipeline/runs?limit=100", adminKey)
const done = at(page.json, "runs")
const runs: ReadonlyArray<unknown> = Array.isArray(done) ? done : []
const review = runs.filter((run) => JSON.stringify(at(run, "steps")).includes("ends for review"))
console.log(`of its newest ${runs.length} runs ${review.length} ended for review`)
server.kill("SIGTERM")
await server.exit
folder.remove()
