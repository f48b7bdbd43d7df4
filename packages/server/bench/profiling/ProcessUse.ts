/** Reads the CPU time and the memory of another process from `/proc` (Linux). */
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** Returns what a benchmark of processes lacks, or null. */
export const missingProc = (): string | null => (existsSync("/proc/self/schedstat") ? null : "/proc of Linux")

/** Returns the CPU time of all threads of a process in microseconds. A thread that ends meanwhile is not counted. */
export const cpuMicros = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const file = `/proc/${pid}/task/${task}/schedstat`
    return existsSync(file) ? sum + Number(readFileSync(file, "utf8").split(" ")[0]) / 1_000 : sum
  }, 0)

/** Returns the ids of the child processes of a process. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`
    return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : []
  })

/** Returns the CPU time in microseconds of the child processes of a process, including those that have ended. */
export const childrenMicros = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /su, "")
    .split(" ")
  // `cutime` and `cstime` in ticks of 10 ms; see proc(5).
  const ended = (Number(fields[13]) + Number(fields[14])) * 10_000
  return childrenOf(pid).reduce((sum, child) => sum + cpuMicros(child), ended)
}

const mebibytes = (pid: number, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`, "u").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024

/** Returns the resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => mebibytes(pid, "VmRSS")

/** Returns the private memory of a process in MiB, without pages that it shares with other processes. */
export const privateMiB = (pid: number): number => mebibytes(pid, "RssAnon")

/** Returns the largest resident memory of a process so far in MiB. */
export const peakMiB = (pid: number): number => mebibytes(pid, "VmHWM")
