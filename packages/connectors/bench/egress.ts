/**
 * Measures POST requests per second to a local receiver through `Egress`, compared with plain `node:http` with
 * keep-alive. The receiver runs in a separate process.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as http from "node:http"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { parseAllowHosts } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { Effect } from "effect"
import { layer } from "../src/egress/NodeEgress.ts"

const body = JSON.stringify({ event_id: "evt_1", event_type: "lead.received", data: { text: "x".repeat(700) } })
const headers = { "content-type": "application/json", "x-webhook-event": "lead.received", "x-webhook-timestamp": "1" }

const program = `
  let count = 0
  const server = require("node:http").createServer((request, response) => {
    if (request.url === "/count") return response.end(String(count))
    count += 1
    request.resume().on("end", () => response.writeHead(200, { "content-length": 2 }).end("{}"))
  })
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))`
/** The load of a round. */
interface Load {
  readonly requests: number
  readonly atOnce: number
}

/** Returns the requests per second. */
const rate = async ({ atOnce, requests }: Load, send: () => Promise<unknown>): Promise<number> => {
  let left = requests
  const began = performance.now()
  const worker = async (): Promise<void> => {
    while (left-- > 0) await send()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return requests / ((performance.now() - began) / 1000)
}

const sendBare = (url: string, agent: http.Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0))
    })
    request.on("error", reject).end(body)
  })

const measure = Effect.fnUntraced(function* (url: string, load: Load, rounds: number) {
  const egress = yield* Egress
  const post = egress.post({ url, headers, body, timeoutMillis: 15_000, maxResponseBytes: 4_096 })
  const agent = new http.Agent({ keepAlive: true, maxSockets: load.atOnce })
  const rates: Array<{ readonly plain: number; readonly guarded: number }> = []
  for (let round = 0; round < rounds; round++) {
    const plain = yield* Effect.promise(() => rate(load, () => sendBare(url, agent)))
    const guarded = yield* Effect.promise(() => rate(load, () => Effect.runPromise(post)))
    rates.push({ plain, guarded })
  }
  agent.destroy()
  return rates
})

const run = async (load: Load, rounds: number): Promise<BenchResult> => {
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    const [line] = await once(child.stdout, "data")
    const base = `http://127.0.0.1:${Number(String(line))}`
    const policy = { allowHosts: parseAllowHosts(new URL(base).host).hosts }
    const egress = layer({ policy, connectionsPerHost: load.atOnce })
    const rates = await Effect.runPromise(Effect.provide(measure(`${base}/hook`, load, rounds), egress))
    const received = Number(await (await fetch(`${base}/count`)).text())
    return {
      figures: {
        ...load,
        rounds,
        nodeHttpPerSecond: Math.round(median(rates.map(({ plain }) => plain))),
        egressPerSecond: Math.round(median(rates.map(({ guarded }) => guarded))),
        ratio: Number(median(rates.map(({ guarded, plain }) => guarded / plain)).toFixed(2))
      },
      checks: { "the receiver gets every request once": received === 2 * rounds * load.requests }
    }
  } finally {
    child.kill()
  }
}

export const bench: Bench = {
  name: "egress",
  purpose: "POST requests to a local receiver through the guarded egress, against plain node:http.",
  usage: "[requests] [concurrency] [rounds]",
  sizes: { smallest: [100, 8, 1], small: [4_000, 64, 3], full: [20_000, 64, 5] },
  run: (args) => run({ requests: numberAt(args, 0), atOnce: numberAt(args, 1) }, numberAt(args, 2))
}
