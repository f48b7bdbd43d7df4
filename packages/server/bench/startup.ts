/**
 * The time from the start of a server to its first answer, and the time until the last of 64 parallel requests right
 * after the start is answered. The database exists already. Every round starts a new process.
 */
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median, short } from "@leadloom/testkit/bench/Median"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { measuredEnvironment, startMeasured } from "./MeasuredServer.ts"
import { cpuMicros, missingProc } from "./profiling/ProcessUse.ts"
import { makeLoad } from "./RawLoad.ts"

const parallel = 64

/** The milliseconds and the CPU milliseconds of one start. */
interface Started {
  readonly toListening: number
  readonly toAnswer: number
  readonly toAnswerCpu: number
  readonly parallelLast: number
  readonly parallelCpu: number
  readonly answered: number
}

const start = async (folder: string, requestOf: (index: number) => string): Promise<Started> => {
  const begun = performance.now()
  const server = startProcess(measuredEnvironment(folder))
  const pid = server.pid ?? 0
  const url = await server.url
  const toListening = performance.now() - begun
  await (await fetch(`${url}/health`)).arrayBuffer()
  const [toAnswer, toAnswerCpu] = [performance.now() - begun, cpuMicros(pid) / 1_000]
  const load = makeLoad(Number(new URL(url).port), parallel)
  const before = performance.now()
  const statuses = await load.send(parallel, requestOf)
  const parallelLast = performance.now() - before
  const parallelCpu = cpuMicros(pid) / 1_000 - toAnswerCpu
  server.kill("SIGTERM")
  await server.exit
  return { toListening, toAnswer, toAnswerCpu, parallelLast, parallelCpu, answered: statuses.get(200) ?? 0 }
}

const run = async (rounds: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  try {
    // Creates the database and the tenant of the parallel requests.
    const first = await startMeasured({ folder: { path: folder.path, remove: () => undefined } })
    await first.stop()
    const all: Array<Started> = []
    for (let round = 0; round < rounds; round++) all.push(await start(folder.path, first.requests.list))
    const middle = (of: (one: Started) => number): number => short(median(all.map(of)))
    return {
      figures: {
        rounds,
        listeningMillis: middle(({ toListening }) => toListening),
        firstAnswerMillis: middle(({ toAnswer }) => toAnswer),
        firstAnswerCpuMillis: middle(({ toAnswerCpu }) => toAnswerCpu),
        parallelMillis: middle(({ parallelLast }) => parallelLast),
        parallelCpuMillis: middle(({ parallelCpu }) => parallelCpu)
      },
      checks: { "all parallel requests are answered with 200": all.every(({ answered }) => answered === parallel) }
    }
  } finally {
    folder.remove()
  }
}

export const bench: Bench = {
  name: "startup",
  purpose: "The time to the first answer after a start, and of the first 64 parallel requests.",
  usage: "[rounds]",
  sizes: { smallest: [1], small: [3], full: [11] },
  missing: missingProc,
  run: (args) => run(numberAt(args, 0))
}
