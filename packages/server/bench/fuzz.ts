import { readFileSync } from "node:fs"
import { fuzz, fuzzEnvironment } from "../test/fuzz/Run.ts"
import { closeTarget, settle } from "../test/fuzz/Target.ts"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"

const [requests = 50_000, seed = 1] = process.argv.slice(2).map(Number)

/** Returns the resident memory of a process, in MiB (Linux). */
const residentMiB = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** With a larger heap Node.js collects garbage later, which hides growth. */
const heap = { NODE_OPTIONS: "--max-old-space-size=256" }

const folder = temporaryFolder()
const server = startProcess({ ...fuzzEnvironment(folder.path), ...heap })
const url = await server.url
const known = await settle(url)
const memory: Array<number> = []
const begun = performance.now()
const report = await fuzz(url, known, {
  requests,
  seed,
  onChunk: (sent) => {
    memory.push(residentMiB(server.pid))
    if (sent % 5_000 === 0) console.log(`${sent} sent, ${Math.round(memory.at(-1) ?? 0)} MiB`)
  }
})
const seconds = (performance.now() - begun) / 1_000
const quarter = Math.floor(memory.length / 4)
console.log(`${report.sent} requests in ${seconds.toFixed(0)} s (seed ${seed}), ${report.operations.size} operations`)
for (const [status, count] of [...report.statuses].toSorted(([one], [other]) => one - other))
  console.log(`  ${status}: ${count}`)
const never = [...report.operations].filter(([, { fine }]) => fine === 0).map(([name]) => name)
console.log(`operations that never answered below 400: ${never.length === 0 ? "none" : never.join(", ")}`)
console.log(
  `memory, median of the second and of the last quarter: ${median(memory.slice(quarter, 2 * quarter)).toFixed(0)} and ${median(memory.slice(-quarter)).toFixed(0)} MiB`
)
console.log(`faults: ${report.faults.length}`)
for (const fault of report.faults.slice(0, 20)) console.log(`  ${fault}`)
closeTarget()
server.kill("SIGKILL")
await server.exit
folder.remove()
process.exitCode = report.faults.length === 0 ? 0 : 1
