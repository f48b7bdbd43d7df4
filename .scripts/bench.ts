/**
 * Runs the benchmarks of `packages/<package>/bench` and the chaos commands of `packages/<package>/chaos`:
 *
 *   bench.ts <folder> list                   names and purposes
 *   bench.ts <folder> all [size] [--json] [names]
 *                                            every one at a size, or the named ones (default: small, all of them)
 *   bench.ts <folder> <name> [arguments]     one at full size, or with its own arguments
 *   bench.ts bench report [size] [names]     the measurements of `docs/performance.md` (default: full, all of them)
 *
 * The exit code is 1 if a run failed or one of its checks is false. A skipped one names what is missing.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import {
  argumentsOf,
  type Bench,
  type BenchResult,
  type BenchSize,
  benchSizes,
  type Figure,
  progress
} from "@leadloom/testkit/bench/Bench"
import { givenVariable } from "@leadloom/testkit/postgres/Database"
import { programsVariable } from "@leadloom/testkit/Program"
import { startOwnPostgres } from "@leadloom/testkit/postgres/TestPostgres"
import { bundlePrograms } from "./programs.ts"
import { writeReport } from "./report.ts"
import { targets } from "./targets.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The outcome of a benchmark. */
export interface Outcome {
  readonly name: string
  readonly status: "done" | "failed" | "skipped"
  /** What is missing, or what failed; empty when it is done. */
  readonly reason: string
  readonly result: BenchResult | null
  readonly seconds: number
  /** CPU time of this process and of its ended child processes. */
  readonly cpuSeconds: number
}

/** Returns the CPU seconds of this process and of its ended children; only of this process where `/proc` is missing. */
const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  const own = (system + user) / 1_000_000
  if (!existsSync("/proc/self/stat")) return own
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /su, "")
    .split(" ")
  // `cutime` and `cstime` in ticks of 10 ms; see proc(5).
  return own + (Number(fields[13]) + Number(fields[14])) / 100
}

/** Returns the files of a folder by name. Files with a capital letter are shared parts. */
export const benchFiles = (folder: string): ReadonlyMap<string, string> => {
  const files = globSync(`packages/*/${folder}/[a-z]*.ts`, { cwd: root })
  const named = files.map((file) => [basename(file, ".ts"), join(root, file)] as const)
  return new Map(named.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const load = async (file: string): Promise<Bench> => {
  const { bench }: { readonly bench: Bench } = await import(pathToFileURL(file).href)
  return bench
}

/** Loads the named ones; all if no name is given. */
const loadAll = (folder: string, names: ReadonlyArray<string> = []): Promise<ReadonlyArray<Bench>> => {
  const files = benchFiles(folder)
  const unknown = names.filter((name) => !files.has(name))
  if (unknown.length > 0) throw new Error(`Unknown names: ${unknown.join(", ")}`)
  const chosen = [...files].filter(([name]) => names.length === 0 || names.includes(name))
  return Promise.all(chosen.map(([, file]) => load(file)))
}

const run = async (bench: Bench, args: ReadonlyArray<string>): Promise<Outcome> => {
  const [begun, cpu] = [performance.now(), cpuSeconds()]
  const outcome = (status: Outcome["status"], reason: string, result: BenchResult | null): Outcome => {
    const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1))
    return { name: bench.name, status, reason, result, seconds, cpuSeconds: Number((cpuSeconds() - cpu).toFixed(1)) }
  }
  const missing = bench.missing?.() ?? null
  if (missing !== null) return outcome("skipped", missing, null)
  try {
    const result = await bench.run(args)
    const wrong = Object.entries(result.checks).flatMap(([check, holds]) => (holds ? [] : [check]))
    return outcome(wrong.length === 0 ? "done" : "failed", wrong.join("; "), result)
  } catch (error) {
    return outcome("failed", error instanceof Error ? (error.stack ?? error.message) : String(error), null)
  }
}

const isTable = (figure: Figure): boolean =>
  Array.isArray(figure) && figure.length > 0 && figure.every((row) => typeof row === "object" && row !== null)

const print = ({ cpuSeconds, name, reason, result, seconds, status }: Outcome): void => {
  const plain: Record<string, Figure> = {}
  for (const [figure, value] of Object.entries(result?.figures ?? {})) {
    if (!isTable(value)) plain[figure] = value
    else {
      console.log(figure)
      console.table(value)
    }
  }
  if (Object.keys(plain).length > 0) console.log(JSON.stringify(plain, null, 1))
  for (const [check, holds] of Object.entries(result?.checks ?? {}))
    console.log(`${holds ? "holds" : "FAILS"}: ${check}`)
  const { accepted, duplicated, lost } = result?.figures ?? {}
  if (lost !== undefined)
    console.log(`accepted ${String(accepted)}, lost ${String(lost)}, duplicated ${String(duplicated)}`)
  console.log(`${name}: ${status} in ${seconds} s, ${cpuSeconds} s of CPU${reason === "" ? "" : ` (${reason})`}`)
}

const sizeOf = (text: string | undefined): BenchSize => {
  const size = benchSizes.find((size) => size === (text ?? "small"))
  if (size === undefined) throw new Error(`Choose a size: ${benchSizes.join(", ")}`)
  return size
}

/** Runs with the bundles of the programs, as in production. */
const withPrograms = async <A>(use: () => Promise<A>): Promise<A> => {
  if (process.env[programsVariable] !== undefined) return await use()
  const remove = await bundlePrograms()
  try {
    return await use()
  } finally {
    remove()
  }
}

/** Runs with one Postgres for all benchmarks that need one. */
const withPostgres = async <A>(use: () => Promise<A>): Promise<A> => {
  if ((process.env[givenVariable] ?? "") !== "") return await use()
  const postgres = await startOwnPostgres()
  process.env[givenVariable] = postgres.url
  try {
    return await use()
  } finally {
    await postgres.stop()
  }
}

const runAll = async (
  folder: string,
  size: BenchSize,
  isJson: boolean,
  names: ReadonlyArray<string>
): Promise<boolean> => {
  let isGood = true
  for (const bench of await loadAll(folder, names)) {
    progress(`${bench.name} …`)
    const outcome = await run(bench, argumentsOf(bench, size))
    isGood &&= outcome.status !== "failed"
    if (isJson) console.log(JSON.stringify(outcome))
    else print(outcome)
  }
  return isGood
}

const list = async (folder: string): Promise<void> => {
  for (const { name, purpose, usage } of await loadAll(folder))
    console.log(`${`${name} ${usage}`.trim()}\n    ${purpose}`)
}

const main = async (): Promise<boolean> => {
  const [folder = "bench", name = "list", ...args] = process.argv.slice(2)
  const isJson = args.includes("--json")
  const given = isJson ? args.toSpliced(args.indexOf("--json"), 1) : args
  if (name === "list") {
    await list(folder)
    return true
  }
  if (name === "all") {
    const [size, ...names] = given
    return await withPrograms(() => withPostgres(() => runAll(folder, sizeOf(size), isJson, names)))
  }
  if (name === "report" && folder === "bench") {
    const [text = "full", ...names] = given
    const size = sizeOf(text)
    const published = new Set(targets.map(({ bench }) => bench))
    const benches = (await loadAll(folder)).filter(
      ({ name }) => published.has(name) && (names.length === 0 || names.includes(name))
    )
    const each = (bench: Bench): Promise<Outcome> => run(bench, argumentsOf(bench, size))
    return await withPrograms(() => withPostgres(() => writeReport(root, benches, size, each)))
  }
  const file = benchFiles(folder).get(name)
  if (file === undefined) {
    console.error(`Choose one: list, all, ${[...benchFiles(folder).keys()].join(", ")}`)
    process.exitCode = 2
    return true
  }
  const bench = await load(file)
  const outcome = await withPrograms(() => run(bench, argumentsOf(bench, "full", args)))
  print(outcome)
  return outcome.status !== "failed"
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Remaining sockets of a finished benchmark must not keep the process alive.
  const isGood = await main()
  process.exit(isGood ? (process.exitCode ?? 0) : 1)
}
