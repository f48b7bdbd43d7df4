/**
 * Copies a store from SQLite to Postgres and back, and compares the responses of servers on all three stores.
 *
 * Creates a store with the given number of messages in five tenants through the API, unless BENCH_STORE names a file of
 * an earlier run. Each copy runs in a separate process (`CopyProgram.ts`). Responses are compared byte by byte except
 * for the request id: every page of every list, and every `step`th item.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type Requested, everything, firstDifference } from "../test/world/SameAnswers.ts"
import type { Copied } from "./CopyProgram.ts"
import { fillTenant, serverOn } from "./Filling.ts"

const allTenants = ["acme", "bolt", "cedar", "dune", "elm"]

const copyElsewhere = async (from: string, to: string): Promise<Copied> => {
  const program = fileURLToPath(new URL("CopyProgram.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, program, from, to])
  const copied: Copied = JSON.parse(stdout)
  return copied
}

const fill = async (
  file: string,
  messages: number,
  tenants: ReadonlyArray<string>
): Promise<ReadonlyArray<Requested>> => {
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
  progress(`created ${messages} messages in ${Math.round((performance.now() - begun) / 1_000)} s`)
  return requested
}

/** Compares the responses of servers on two stores. */
const compare = async (one: string, other: string, requested: ReadonlyArray<Requested>, step: number) => {
  const servers = [serverOn(one, false), serverOn(other, false)] as const
  let [answers, bytes] = [0, 0]
  const differences: Array<string> = []
  for (const tenant of requested) {
    const [left, right] = [everything(servers[0], tenant, step), everything(servers[1], tenant, step)]
    const difference = await firstDifference(left, right, ({ text }) => {
      answers++
      bytes += text.length
    })
    if (difference !== null) differences.push(difference)
  }
  await Promise.all(servers.map((server) => server.close()))
  return { answers, bytes, differences }
}

const run = async (messages: number, step: number, tenants: ReadonlyArray<string>): Promise<BenchResult> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-copy-"))
  const server = await startForBenchmarks(false)
  try {
    const file = process.env["BENCH_STORE"] ?? join(folder, "source.db")
    const requested = await fill(file, messages, tenants)
    const [source, postgres, back] = [`sqlite:${file}`, server.url, `sqlite:${join(folder, "back.db")}`]
    const there = await copyElsewhere(source, postgres)
    const again = await copyElsewhere(postgres, back)
    const compared = [await compare(postgres, back, requested, step), await compare(source, postgres, requested, step)]
    return {
      figures: {
        messages,
        copies: [
          { copy: "SQLite to Postgres", ...there },
          { copy: "Postgres to SQLite", ...again }
        ],
        answers: compared.map(({ answers }) => answers),
        bytes: compared.map(({ bytes }) => bytes),
        differences: compared.flatMap(({ differences }) => differences)
      },
      checks: {
        "both copies are whole": there.whole && again.whole && there.rows === again.rows,
        "all stores give the same answers": compared.every(({ differences }) => differences.length === 0)
      }
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

export const bench: Bench = {
  name: "copy",
  purpose: "A copy of a store from SQLite to Postgres and back, and the same answers from all three stores.",
  usage: "[messages] [step] [tenants]",
  sizes: { smallest: [2, 100, 1], small: [500, 10, 5], full: [100_000, 10, 5] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), allTenants.slice(0, numberAt(args, 2)))
}
