import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { givenVariable, urlVariable } from "@leadloom/testkit/postgres/Database"
import { beforeAll, describe, expect, it } from "vitest"
import { benchFiles, type Outcome } from "../bench.ts"

/** One process runs all of them, because loading the modules takes longer than most. */
const runAll = (folder: string): ReadonlyMap<string, Promise<Outcome>> => {
  const script = fileURLToPath(new URL("../bench.ts", import.meta.url))
  const flags = ["--conditions=leadloom:source"]
  const child = spawn(process.execPath, [...flags, script, folder, "all", "smallest", "--json"], {
    env: { ...process.env, [givenVariable]: process.env[urlVariable] },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let errors = ""
  child.stderr.on("data", (chunk) => void (errors = (errors + String(chunk)).slice(-4_000)))
  const lines = createInterface({ input: child.stdout })
  const outcomes = new Map<string, PromiseWithResolvers<Outcome>>()
  for (const name of benchFiles(folder).keys()) {
    const outcome = Promise.withResolvers<Outcome>()
    outcome.promise.catch(() => undefined)
    outcomes.set(name, outcome)
  }
  lines.on("line", (line) => {
    const outcome: Outcome = JSON.parse(line)
    outcomes.get(outcome.name)?.resolve(outcome)
  })
  child.once("close", (code) => {
    for (const { reject } of outcomes.values()) reject(new Error(`the process ended with ${code}: ${errors}`))
  })
  return new Map([...outcomes].map(([name, { promise }]) => [name, promise]))
}

const folders = ["bench", "chaos"]

/** Both folders run at the same time, because the chaos commands mostly wait for leases. */
const runs = new Map<string, ReadonlyMap<string, Promise<Outcome>>>()
beforeAll(() => {
  for (const folder of folders) runs.set(folder, runAll(folder))
})

describe.each(folders)("%s at its smallest size", (folder) => {
  for (const name of benchFiles(folder).keys()) {
    it(`${name} completes and its checks hold`, async ({ skip }) => {
      const outcome = await runs.get(folder)?.get(name)
      if (outcome?.status === "skipped") skip(`${name} needs ${outcome.reason}`)
      expect(outcome).toMatchObject({ name, status: "done", reason: "" })
      expect(Object.keys(outcome?.result?.checks ?? {})).not.toEqual([])
    })
  }
})
