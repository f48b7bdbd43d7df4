/**
 * The resident memory of a server on SQLite with many messages: idle after its start, and the largest under a load of
 * events and lists.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { indexLetters, seedDatabase } from "../../store/bench/FillTenant.ts"
import * as Store from "@leadloom/store/internal/Store"
import { Effect } from "effect"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { startMeasured } from "./MeasuredServer.ts"
import { missingProc, peakMiB, residentMiB } from "./profiling/ProcessUse.ts"
import { makeLoad } from "./RawLoad.ts"

const connections = 64

const run = async (messages: number, events: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const filename = join(folder.path, "leadloom.db")
  await Effect.runPromise(seedDatabase({ kind: "sqlite", filename }, messages))
  await Effect.runPromise(Effect.provide(indexLetters, Store.layer({ url: `sqlite:${filename}` })))
  progress(`${messages} messages are stored and indexed`)
  const server = await startMeasured({ folder })
  const load = makeLoad(server.port, connections)
  try {
    await fetch(`http://127.0.0.1:${server.port}/health`)
    await sleep(500)
    const idle = residentMiB(server.pid)
    const { event, list } = server.requests
    const statuses = await load.send(events, (index) => (index % 10 === 9 ? list(index) : event(index)))
    await server.drain()
    const accepted = events - Math.floor(events / 10)
    const stored = server.stored()
    return {
      figures: {
        messages,
        events,
        idleMiB: Math.round(idle),
        underLoadMiB: Math.round(peakMiB(server.pid))
      },
      checks: {
        "every request is answered with 200": statuses.get(200) === events,
        "every event is stored and run": stored.messages === messages + accepted && stored.runs === accepted
      }
    }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "memory",
  purpose: "Resident memory of a server with many messages, idle and under load.",
  usage: "[messages] [events]",
  sizes: { smallest: [100, 40], small: [10_000, 2_000], full: [1_000_000, 30_000] },
  missing: missingProc,
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
