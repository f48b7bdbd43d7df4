/** The published measurements: the benchmarks, and how a row of `docs/performance.md` follows from their figures. */
import type { BenchResult, Figure } from "@leadloom/testkit/bench/Bench"

/** One measured value against what it is compared with. */
export interface Target {
  readonly group: string
  readonly operation: string
  readonly comparedWith: string
  /** `≥` if larger ratios are better. */
  readonly goal: { readonly sign: "≥" | "≤"; readonly ratio: number; readonly unit?: string }
  readonly bench: string
  /** Returns the median with its unit, and the ratio; null if the benchmark could not compare. */
  readonly read: (figures: BenchResult["figures"]) => { readonly median: string; readonly ratio: number } | null
}

const isRow = (value: Figure | undefined): value is { readonly [name: string]: Figure | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the row of a table whose column has a value. */
const rowOf = (figures: BenchResult["figures"], table: string, column: string, value: Figure) => {
  const rows = figures[table]
  const found = Array.isArray(rows) ? rows.filter(isRow).find((row) => row[column] === value) : undefined
  return found ?? null
}

const numberOf = (value: Figure | undefined): number | null => (typeof value === "number" ? value : null)

const request =
  (name: string): Target["read"] =>
  (figures) => {
    const row = rowOf(figures, "requests", "request", name)
    const [ratio, rate, micros] = [numberOf(row?.["ratio"]), row?.["perSecond"], row?.["cpuMicros"]]
    return ratio === null ? null : { median: `${String(rate)}/s, ${String(micros)} µs of CPU`, ratio }
  }

const requests = (operation: string, name: string, ratio: number): Target => ({
  group: "Requests",
  operation,
  comparedWith: "bare Effect endpoint",
  goal: { sign: "≥", ratio },
  bench: "requests",
  read: request(name)
})

const postgres = (tenants: number, ratio: number): Target => ({
  group: "Writes",
  operation: `write set, Postgres, ${tenants.toLocaleString("en")} ${tenants === 1 ? "tenant" : "tenants"}`,
  comparedWith: "bare sets of 32",
  goal: { sign: "≥", ratio },
  bench: "postgres",
  read: (figures) => {
    const row = rowOf(figures, "tenants", "tenants", tenants)
    const found = numberOf(row?.["ratio"])
    const median = `${String(row?.["portsPerSecond"])}/s, ${String(row?.["cpuMicros"])} µs of CPU`
    return found === null ? null : { median, ratio: found }
  }
})

const list = (operation: string, question: string, kind: string): Target => ({
  group: "Search and lists",
  operation: `${operation}, ${kind}`,
  comparedWith: "the same with the smaller store",
  goal: { sign: "≤", ratio: 3 },
  bench: "lists",
  read: (figures) => {
    const rows = figures["questions"]
    const row = Array.isArray(rows)
      ? rows.filter(isRow).find((one) => one["question"] === question && one["kind"] === kind)
      : undefined
    const sizes = figures["sizes"]
    const size = Array.isArray(sizes) ? String(sizes.at(-1)) : ""
    const ratio = numberOf(row?.["p50 ratio"])
    return ratio === null ? null : { median: `${String(row?.[`p50 ${size}`])} ms with ${size} messages`, ratio }
  }
})

const plain = (
  target: Omit<Target, "read">,
  median: (figures: BenchResult["figures"]) => string,
  ratio: (figures: BenchResult["figures"]) => Figure | undefined
): Target => ({
  ...target,
  read: (figures) => {
    const found = numberOf(ratio(figures))
    return found === null ? null : { median: median(figures), ratio: found }
  }
})

const text = (value: Figure | undefined): string => String(value)

const contestant = (figures: BenchResult["figures"], name: string): string =>
  `${text(rowOf(figures, "contestants", "contestant", name)?.["perSecond"])}/s`

const peer = (name: string, ratio: number): Target => ({
  group: "Mail",
  operation: "SMTP intake: threaded, stored, searchable",
  comparedWith: `\`${name}\` on the same mails`,
  goal: { sign: "≥", ratio },
  bench: "smtp",
  read: (figures) => {
    const row = rowOf(figures, "peers", "peer", name)
    const found = numberOf(row?.["ratio"])
    return found === null ? null : { median: `${text(figures["mailsPerSecond"])}/s`, ratio: found }
  }
})

/** An absolute goal: the ratio is the measured value over the goal. */
const absolute = (
  operation: string,
  bench: string,
  figure: string,
  { divisor = 1, goal, unit }: { readonly divisor?: number; readonly goal: number; readonly unit: string }
): Target => ({
  group: "Memory and start",
  operation,
  comparedWith: `${goal} ${unit}`,
  goal: { sign: "≤", ratio: 1 },
  bench,
  read: (figures) => {
    const value = numberOf(figures[figure])
    return value === null
      ? null
      : {
          median: `${Number((value / divisor).toPrecision(3))} ${unit}`,
          ratio: Number((value / divisor / goal).toFixed(2))
        }
  }
})

/** A claim of work that waits for a time. Its cost must not depend on the number of waiting rows. */
const timers = (operation: string, queue: string, kind: string): Target => ({
  group: "Timers",
  operation: `${operation}, ${kind}`,
  comparedWith: "the same with 1,000 waiting",
  goal: { sign: "≤", ratio: 2 },
  bench: "timers",
  read: (figures) => {
    const rows = Array.isArray(figures["claims"]) ? figures["claims"].filter(isRow) : []
    const own = rows.filter((one) => one["kind"] === kind && one["queue"] === queue && one["spread"] === "some due")
    const row = own.at(-1)
    const ratio = numberOf(row?.["ratio"])
    const waiting = numberOf(row?.["waiting"])?.toLocaleString("en") ?? ""
    return ratio === null ? null : { median: `${text(row?.["millisAClaim"])} ms with ${waiting} waiting`, ratio }
  }
})

const searches = [
  // A word of one mail in each store. The rarest word of the vocabulary has a hundred times as many matches in the larger
  // store, and a search ranks up to a hundred of them.
  ["search, rare word", "number in a letter, deep"],
  ["search, prefix", "prefix of three letters, warm"],
  ["search, email fragment", "email fragment, contacts"],
  ["any list page", "list, any page"],
  ["any contact's history", "latest history, contact of about ten"]
] as const

/** All rows in order. */
export const targets: ReadonlyArray<Target> = [
  requests("health", "health", 0.7),
  requests("configuration", "config", 0.45),
  requests("conversation list, five rows", "short list", 0.4),
  requests("conversation list, 50 rows", "list", 0.4),
  requests("dry run", "dry run", 0.3),
  requests("event, `mode=sync`", "event, sync", 0.25),
  requests("event, stored and run", "event", 0.12),
  plain(
    {
      group: "Requests",
      operation: "full synchronous run, p99 at half load",
      comparedWith: "accept alone",
      goal: { sign: "≤", ratio: 2 },
      bench: "latency"
    },
    (figures) => `${text(figures["pipelineP99Millis"])} ms`,
    (figures) => figures["ratio"]
  ),
  plain(
    {
      group: "Writes",
      operation: "write set, SQLite",
      comparedWith: "raw better-sqlite3 in equal batches",
      goal: { sign: "≥", ratio: 0.6 },
      bench: "write"
    },
    (figures) => `${text(figures["portsPerSecond"])}/s`,
    (figures) => figures["ratio"]
  ),
  postgres(1, 0.45),
  postgres(5, 0.6),
  postgres(1_000, 0.6),
  peer("mu index", 0.8),
  peer("notmuch new", 1.5),
  ...["SQLite", "Postgres"].flatMap((kind) => searches.map(([operation, question]) => list(operation, question, kind))),
  plain(
    {
      group: "Webhooks",
      operation: "deliveries, SQLite",
      comparedWith: "BullMQ",
      goal: { sign: "≥", ratio: 1.5 },
      bench: "webhooks"
    },
    (figures) => contestant(figures, "sqlite"),
    (figures) => figures["sqliteToBullmq"]
  ),
  plain(
    {
      group: "Webhooks",
      operation: "deliveries, Postgres",
      comparedWith: "pg-boss",
      goal: { sign: "≥", ratio: 1.3 },
      bench: "webhooks"
    },
    (figures) => contestant(figures, "postgres"),
    (figures) => figures["postgresToPgBoss"]
  ),
  ...["SQLite", "Postgres"].flatMap((kind) => [
    timers("claim of due steps", "enrolments", kind),
    timers("claim of due rules", "trigger_runs", kind)
  ]),
  absolute("resident memory, idle", "memory", "idleMiB", { goal: 150, unit: "MiB" }),
  absolute("resident memory, under load", "memory", "underLoadMiB", { goal: 400, unit: "MiB" }),
  absolute("start to first answer", "startup", "firstAnswerMillis", { divisor: 1_000, goal: 1, unit: "s" }),
  absolute("first 64 parallel requests", "startup", "parallelMillis", { divisor: 1_000, goal: 0.3, unit: "s" })
]
