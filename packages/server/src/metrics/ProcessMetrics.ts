import { readdirSync } from "node:fs"
import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { Effect } from "effect"
import type { Families } from "./Families.ts"

const nanos = 1_000_000_000
const micros = 1_000_000

/**
 * The interval between measurements of the event loop in milliseconds. The reported lag of an idle loop has about this
 * length.
 */
const lagResolution = 10

/** The names of garbage collections, as in prom-client. */
const collections: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb"
}

const kindOf = (entry: PerformanceEntry): string => {
  const detail: unknown = "detail" in entry ? entry.detail : null
  const kind = typeof detail === "object" && detail !== null && "kind" in detail ? detail.kind : null
  return typeof kind === "number" ? (collections[kind] ?? "other") : "other"
}

/** Replaces an unavailable value by 0. An empty histogram returns `NaN`, and a missing directory causes an error. */
const orZero = (read: () => number) => (): number => {
  try {
    const value = read()
    return Number.isFinite(value) ? value : 0
  } catch {
    return 0
  }
}

const watchMemory = ({ readGauge }: Families): void => {
  readGauge("process_resident_memory_bytes", "Resident memory in bytes.", () => process.memoryUsage.rss())
  readGauge("nodejs_heap_size_used_bytes", "Used size of the heap.", () => process.memoryUsage().heapUsed)
  readGauge("nodejs_heap_size_total_bytes", "Size of the heap.", () => process.memoryUsage().heapTotal)
  readGauge("nodejs_external_memory_bytes", "Memory outside of the heap.", () => process.memoryUsage().external)
}

const watchProcess = ({ readCounter, readGauge }: Families): void => {
  const cpu = (of: (usage: NodeJS.CpuUsage) => number) => () => of(process.cpuUsage()) / micros
  readCounter(
    "process_cpu_seconds_total",
    "User and system CPU time spent.",
    cpu(({ system, user }) => system + user)
  )
  readCounter(
    "process_cpu_user_seconds_total",
    "User CPU time spent.",
    cpu(({ user }) => user)
  )
  readCounter(
    "process_cpu_system_seconds_total",
    "System CPU time spent.",
    cpu(({ system }) => system)
  )
  const startedAt = performance.timeOrigin / 1_000
  readGauge("process_start_time_seconds", "Start time of the process in seconds since 1970.", () => startedAt)
  if (process.platform !== "linux") return
  const openFiles = orZero(() => readdirSync("/proc/self/fd").length)
  readGauge("process_open_fds", "Number of open file descriptors.", openFiles)
}

const watchCollections = ({ histogram }: Families) => {
  const seconds = histogram<"kind">(
    "nodejs_gc_duration_seconds",
    "Garbage collections by kind.",
    [0.001, 0.01, 0.1, 1, 2, 5]
  )
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seconds({ kind: kindOf(entry) }, entry.duration / 1_000)
  })
  observer.observe({ entryTypes: ["gc"] })
  return observer
}

const watchLag = ({ readGauge }: Families) => {
  const lag = monitorEventLoopDelay({ resolution: lagResolution })
  lag.enable()
  const since = "of the event loop since the last scrape."
  const figures: ReadonlyArray<readonly [string, string, () => number]> = [
    ["mean", "Mean lag", () => lag.mean],
    ["max", "Longest lag", () => lag.max],
    ["p50", "Median lag", () => lag.percentile(50)],
    ["p90", "90th percentile of the lag", () => lag.percentile(90)],
    ["p99", "99th percentile of the lag", () => lag.percentile(99)]
  ]
  for (const [name, what, read] of figures) {
    readGauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      `${what} ${since}`,
      orZero(() => read() / nanos)
    )
  }
  return lag
}

/**
 * Reports memory, CPU time, open files, garbage collections and event-loop lag of this process. The names are those of
 * prom-client, because dashboards for Node.js expect them. Values are read at each scrape. Call `read` after each
 * scrape, because it resets the lag.
 */
export const watchThisProcess = (families: Families) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      watchProcess(families)
      watchMemory(families)
      return { collections: watchCollections(families), lag: watchLag(families) }
    }),
    ({ collections, lag }) =>
      Effect.sync(() => {
        collections.disconnect()
        lag.disable()
      })
  ).pipe(Effect.map(({ lag }) => ({ read: () => lag.reset() })))
