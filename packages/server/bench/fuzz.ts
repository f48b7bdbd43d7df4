/**
 * Sends random requests to a server in a separate process and reports every answer that the contract forbids. See
 * `test/fuzz/README.md`.
 */
import { readFileSync } from "node:fs"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { fuzz, fuzzEnvironment } from "../test/fuzz/Run.ts"
import { closeTarget, settle } from "../test/fuzz/Target.ts"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"

/** Returns the resident memory of a process, in MiB (Linux). */
const residentMiB = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

/** With a larger heap Node.js collects garbage later, which hides growth. */
const heap = { NODE_OPTIONS: "--max-old-space-size=256" }

const run = async (requests: number, seed: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const server = startProcess({ ...fuzzEnvironment(folder.path), ...heap })
  try {
    const url = await server.url
    const known = await settle(url)
    const memory: Array<number> = []
    const begun = performance.now()
    const onChunk = (sent: number): void => {
      memory.push(residentMiB(server.pid))
      if (sent % 5_000 === 0) progress(`${sent} sent, ${Math.round(memory.at(-1) ?? 0)} MiB`)
    }
    const report = await fuzz(url, known, { requests, seed, onChunk })
    const quarter = Math.floor(memory.length / 4)
    const statuses = [...report.statuses].toSorted(([one], [other]) => one - other)
    return {
      figures: {
        requests: report.sent,
        seed,
        seconds: Math.round((performance.now() - begun) / 1_000),
        operations: report.operations.size,
        statuses: Object.fromEntries(statuses.map(([status, count]) => [String(status), count])),
        neverBelow400: [...report.operations].filter(([, { fine }]) => fine === 0).map(([name]) => name),
        secondQuarterMiB: Math.round(median(memory.slice(quarter, 2 * quarter))),
        lastQuarterMiB: Math.round(median(memory.slice(-quarter))),
        faults: report.faults.slice(0, 20)
      },
      checks: { "no answer breaks the contract": report.faults.length === 0 }
    }
  } finally {
    closeTarget()
    server.kill("SIGKILL")
    await server.exit
    folder.remove()
  }
}

export const bench: Bench = {
  name: "fuzz",
  purpose: "Random requests to a server, and every answer that the contract forbids.",
  usage: "[requests] [seed]",
  sizes: { smallest: [100, 1], small: [5_000, 1], full: [50_000, 1] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
