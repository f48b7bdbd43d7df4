/**
 * Copies a store from SQLite to Postgres and back, and compares the responses of servers on all three stores.
 *
 *   node --conditions=development --conditions=leadloom:source packages/server/bench/copy.ts [messages] [step]
 *
 * Creates a store with the given number of messages (default 100,000) in five tenants through the API, unless
 * BENCH_STORE names a file of an earlier run. Each copy runs in a separate process. Prints the seconds, the rows per
 * second and the peak resident memory of each copy, and the number of compared responses. Responses are compared byte
 * by byte except for the request id: every page of every list, and every `step`th item (default 10).
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import startPostgres from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import { copy, isWhole } from "../src/admin/Database.ts"
import { type Requested, everything, firstDifference } from "../test/world/SameAnswers.ts"
import { fillTenant, serverOn } from "./Filling.ts"

const tenants = ["acme", "bolt", "cedar", "dune", "elm"]

/** Runs one copy, in a separate process. */
const copyHere = async (from: string, to: string): Promise<void> => {
  const begun = performance.now()
  const report = await copy({ from, to })
  const seconds = (performance.now() - begun) / 1_000
  const rows = report.tables.reduce((sum, { sourceRows }) => sum + sourceRows, 0)
  const replaced = report.tables.reduce((sum, table) => sum + table.replaced, 0)
  const peakMebibytes = Math.round(process.resourceUsage().maxRSS / 1_024)
  console.log(
    JSON.stringify({
      whole: isWhole(report),
      seconds: Number(seconds.toFixed(1)),
      rows,
      rowsPerSecond: Math.round(rows / seconds),
      replaced,
      peakMebibytes
    })
  )
}

const copyElsewhere = (from: string, to: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), "copy", from, to]
    const child = spawn(process.execPath, args, { stdio: "inherit" })
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the copy failed with exit code ${code}`))))
  })

const fill = async (file: string, messages: number): Promise<ReadonlyArray<Requested>> => {
  const known = `${file}.asked.json`
  if (existsSync(known)) {
    const requested: ReadonlyArray<Requested> = JSON.parse(readFileSync(known, "utf8"))
    return requested
  }
  const begun = performance.now()
  const server = serverOn(`sqlite:${file}`, true)
  const requested: Array<Requested> = []
  for (const tenant of tenants) requested.push(await fillTenant(server, tenant, Math.ceil(messages / tenants.length)))
  await server.close()
  writeFileSync(known, JSON.stringify(requested))
  console.log(`created ${messages} messages in ${Math.round((performance.now() - begun) / 1_000)} s`)
  return requested
}

const compare = async (
  one: string,
  other: string,
  requested: ReadonlyArray<Requested>,
  step: number
): Promise<void> => {
  const servers = [serverOn(one, false), serverOn(other, false)] as const
  let answers = 0
  let bytes = 0
  for (const tenant of requested) {
    const [left, right] = [everything(servers[0], tenant, step), everything(servers[1], tenant, step)]
    const difference = await firstDifference(left, right, ({ text }) => {
      answers++
      bytes += text.length
    })
    if (difference !== null) console.log(`DIFFERENT: ${difference}`)
  }
  await Promise.all(servers.map((server) => server.close()))
  console.log(`${answers} answers compared, ${Math.round(bytes / 1_048_576)} MiB`)
}

const measure = async (messages: number, step: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-copy-"))
  const file = process.env["BENCH_STORE"] ?? join(folder, "source.db")
  const requested = await fill(file, messages)
  console.log(`the file has ${Math.round(statSync(file).size / 1_048_576)} MiB`)
  const stop = await startPostgres()
  try {
    const between = Effect.gen(function* () {
      const postgres = yield* temporaryDatabase
      const back = `sqlite:${join(folder, "back.db")}`
      yield* Effect.promise(async () => {
        await copyElsewhere(`sqlite:${file}`, postgres)
        await copyElsewhere(postgres, back)
        await compare(postgres, back, requested, step)
        await compare(`sqlite:${file}`, postgres, requested, step)
      })
    })
    await Effect.runPromise(Effect.scoped(between))
  } finally {
    await stop?.()
    rmSync(folder, { recursive: true })
  }
}

const [mode = "100000", ...rest] = process.argv.slice(2)
if (mode === "copy") await copyHere(rest[0] ?? "", rest[1] ?? "")
else await measure(Number(mode), Number(rest[0] ?? 10))
