/**
 * Measures POST requests per second to a local receiver through `Egress`, compared with plain `node:http` with
 * keep-alive. The receiver runs in a separate process.
 *
 * Run: node --conditions=development packages/connectors/bench/egress.ts [requests] [concurrency]
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as http from "node:http"
import { Egress } from "@leadloom/core/port/system/Egress"
import { parseAllowHosts } from "@leadloom/core/domain/webhook/EgressPolicy"
import { Effect } from "effect"
import { layer } from "../src/egress/NodeEgress.ts"

const requests = Number(process.argv[2] ?? 20_000)
const atOnce = Number(process.argv[3] ?? 64)
const rounds = 5
const body = JSON.stringify({ event_id: "evt_1", event_type: "lead.received", data: { text: "x".repeat(700) } })
const headers = { "content-type": "application/json", "x-webhook-event": "lead.received", "x-webhook-timestamp": "1" }

const program = `
  const server = require("node:http").createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, { "content-length": 2 }).end("{}"))
  })
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))`
const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] })
const [line] = await once(child.stdout, "data")
const url = `http://127.0.0.1:${Number(String(line))}/hook`

/** Returns the requests per second at the given concurrency. */
const rate = async (send: () => Promise<unknown>): Promise<number> => {
  let left = requests
  const began = performance.now()
  const worker = async (): Promise<void> => {
    while (left-- > 0) await send()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return requests / ((performance.now() - began) / 1000)
}

const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce })
const bare = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0))
    })
    request.on("error", reject).end(body)
  })

const through = Effect.gen(function* () {
  const egress = yield* Egress
  const post = egress.post({ url, headers, body, timeoutMillis: 15_000, maxResponseBytes: 4_096 })
  for (let round = 0; round < rounds; round++) {
    const plain = yield* Effect.promise(() => rate(bare))
    const guarded = yield* Effect.promise(() => rate(() => Effect.runPromise(post)))
    console.log(
      `node:http ${plain.toFixed(0)}/s, egress ${guarded.toFixed(0)}/s, ratio ${(guarded / plain).toFixed(2)}`
    )
  }
})
const policy = { allowHosts: parseAllowHosts(new URL(url).host).hosts }
await Effect.runPromise(Effect.provide(through, layer({ policy, connectionsPerHost: atOnce })))
agent.destroy()
child.kill()
