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

const mebibytes = (pid: number, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`, "u").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024

/** Returns the resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => mebibytes(pid, "VmRSS")

/** Returns the largest resident memory of a process so far in MiB. */
export const peakMiB = (pid: number): number => mebibytes(pid, "VmHWM")
