/**
 * Runs one server with eight tenants of an ordinary configuration and one tenant with the most expensive permitted
 * configuration. Measures the latency of requests of the ordinary tenants, and the time until their signals run. The
 * first phase has no load of the expensive tenant. In the second phase it sends more than the server can process.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { quantile } from "@leadloom/testkit/bench/Median"
import { someConfig } from "../test/world/Endpoints.ts"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey, at, textAt } from "../test/world/TestServer.ts"

/** Events per second of each ordinary tenant. The bench waits for the run of each event and adds one read per event. */
const ordinaryPerSecond = 1

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

const tenants = indices(8).map((index) => `shop${index}`)

/** The server with its tenants. */
interface World {
  readonly url: string
  /** The keys of the tenants' sources. */
  readonly keys: ReadonlyMap<string, string>
}

const sendRequest = async (url: string, method: string, path: string, as: string, body?: unknown) => {
  const begun = performance.now()
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const json: unknown = await response.json()
  return { status: response.status, json, millis: performance.now() - begun }
}

const prepare = async (url: string): Promise<World> => {
  const keys = new Map<string, string>()
  const admin = (method: string, path: string, body: unknown) => sendRequest(url, method, path, adminKey, body)
  for (const tenant of [...tenants, "costly"]) {
    await admin("POST", "/admin/tenants", { tenant_id: tenant, name: tenant, domain: `${tenant}.example` })
    const source = await admin("POST", `/admin/tenants/${tenant}/sources`, { source_id: "form" })
    keys.set(tenant, textAt(source.json, "key"))
    const saved = await admin("PUT", `/config/${tenant}`, tenant === "costly" ? expensive : ordinary)
    if (saved.status !== 200) throw new Error(`the server rejected the configuration: ${JSON.stringify(saved.json)}`)
  }
  return { url, keys }
}

let next = 0
const send = ({ keys, url }: World, tenant: string, text: string) => {
  const email = `c${next++}@customer.example`
  return sendRequest(url, "POST", `/events/${tenant}/form`, keys.get(tenant) ?? "", {
    entity: { email },
    content: { body: text, channel: "chat" }
  })
}

/** Milliseconds of requests, and from each event to its run. */
interface Measured {
  readonly requests: Array<number>
  readonly runs: Array<number>
}

/** Sends an event and a read, and waits until the event has run. */
const visit = async (world: World, tenant: string, { requests, runs }: Measured): Promise<void> => {
  const sent = await send(world, tenant, body)
  const begun = performance.now()
  const list = `/tenants/${tenant}/conversations?limit=20`
  requests.push(sent.millis, (await sendRequest(world.url, "GET", list, adminKey)).millis)
  const id = textAt(sent.json, "event_id")
  for (;;) {
    const run = await sendRequest(world.url, "GET", `/tenants/${tenant}/pipeline/runs/${id}`, adminKey)
    requests.push(run.millis)
    if (run.status === 200) break
    await sleep(50)
  }
  runs.push(performance.now() - begun)
}

/** Runs one phase. Rejects if a request fails. */
const phase = async (world: World, seconds: number, costlyPerSecond: number) => {
  const measured: Measured = { requests: [], runs: [] }
  const open: Array<Promise<unknown>> = []
  const end = performance.now() + seconds * 1_000
  let sent = 0
  const every = async (perSecond: number, act: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      const acting = act()
      // The rejection is reported by `Promise.all` below.
      acting.catch(() => undefined)
      open.push(acting)
      await sleep(1_000 / perSecond)
    }
  }
  const costly = () => send(world, "costly", expensiveBodies[sent++ % 3] ?? "")
  await Promise.all([
    ...tenants.map((tenant) => every(ordinaryPerSecond, () => visit(world, tenant, measured))),
    ...(costlyPerSecond > 0 ? [every(costlyPerSecond, costly)] : [])
  ])
  await Promise.all(open)
  return { ...measured, sent }
}

const millisOf = (values: ReadonlyArray<number>) => ({
  p50: Math.round(quantile(values, 0.5)),
  p99: Math.round(quantile(values, 0.99)),
  worst: Math.round(Math.max(...values)),
  count: values.length
})

/** Returns the newest runs of the expensive tenant and those that ended for review. Waits a minute for the first one. */
const costlyRuns = async ({ url }: World) => {
  for (const limit = performance.now() + 60_000; ;) {
    const page = await sendRequest(url, "GET", "/tenants/costly/pipeline/runs?limit=100", adminKey)
    const done = at(page.json, "runs")
    const runs: ReadonlyArray<unknown> = Array.isArray(done) ? done : []
    const review = runs.filter((run) => JSON.stringify(at(run, "steps")).includes("ends for review"))
    if (review.length > 0 || performance.now() > limit) return { runs: runs.length, review: review.length }
    await sleep(100)
  }
}

const run = async (seconds: number, perSecond: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const server = startProcess({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  })
  try {
    const world = await prepare(await server.url)
    await phase(world, seconds, 0)
    const alone = await phase(world, seconds, 0)
    const beside = await phase(world, seconds, perSecond)
    const costly = await costlyRuns(world)
    return {
      figures: {
        secondsOfAPhase: seconds,
        expensiveEvents: beside.sent,
        expensiveRuns: costly.runs,
        endedForReview: costly.review,
        latencies: [
          { phase: "without the expensive tenant", what: "requests", ...millisOf(alone.requests) },
          { phase: "without the expensive tenant", what: "time to run", ...millisOf(alone.runs) },
          { phase: "with the expensive tenant", what: "requests", ...millisOf(beside.requests) },
          { phase: "with the expensive tenant", what: "time to run", ...millisOf(beside.runs) }
        ]
      },
      checks: {
        "events of ordinary tenants run": alone.runs.length > 0 && beside.runs.length > 0,
        "runs over their budget end for review": costly.review > 0
      }
    }
  } finally {
    server.kill("SIGTERM")
    await server.exit
    folder.remove()
  }
}

export const bench: Bench = {
  name: "expensive",
  purpose: "Latency of ordinary tenants beside one with the most expensive permitted configuration.",
  usage: "[seconds of each phase] [events a second of the expensive tenant]",
  sizes: { smallest: [0.3, 10], small: [3, 20], full: [8, 40] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
