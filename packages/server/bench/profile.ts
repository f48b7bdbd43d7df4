/**
 * Where the CPU time of each kind of request goes: CPU profiles of the main thread, by part of the program. The measured
 * server runs from its sources, so that each function has a path.
 */
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { startMeasured } from "./MeasuredServer.ts"
import { connectInspector, timesByPart } from "./profiling/Inspector.ts"
import { makeLoad } from "./RawLoad.ts"

const connections = 64
/** Events come first, so that pages of the list are full. */
const kinds = ["event", "health", "config", "list", "dryRun", "sync"] as const

const run = async (count: number): Promise<BenchResult> => {
  const server = await startMeasured({ isInspected: true })
  try {
    const load = makeLoad(server.port, connections)
    const inspector = await connectInspector(server.process.stderr())
    const figures: Record<string, Record<string, number>> = {}
    let refused = 0
    let next = 0
    const send = (kind: (typeof kinds)[number]) => async (): Promise<void> => {
      const from = next
      next += count
      const statuses = await load.send(count, (index) => server.requests[kind](from + index))
      refused += count - (statuses.get(200) ?? 0)
      await server.drain()
    }
    for (const kind of kinds) {
      await send(kind)()
      const times = timesByPart(await inspector.profile(send(kind)))
      const sorted = [...times].toSorted(([, one], [, other]) => other - one)
      const total = sorted.reduce((sum, [, micros]) => sum + micros, 0)
      figures[kind] = {
        "microseconds per request": Math.round(total / count),
        ...Object.fromEntries(sorted.map(([part, micros]) => [part, Number((micros / count).toFixed(1))]))
      }
    }
    inspector.close()
    return { figures: { requests: count, ...figures }, checks: { "every request is answered with 200": refused === 0 } }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "profile",
  purpose: "CPU profiles of the server for each kind of request: microseconds per request by part of the program.",
  usage: "[requests of a kind]",
  sizes: { smallest: [20], small: [500], full: [5_000] },
  run: (args) => run(numberAt(args, 0))
}
