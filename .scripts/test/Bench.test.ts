import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { givenVariable, urlVariable } from "@leadloom/testkit/postgres/Database"
import { beforeAll, describe, expect, it } from "vitest"
import { benchFiles, type Outcome } from "../bench.ts"

/** One process runs all these, because loading the modules takes longer than most. */
const runAll = (folder: string, names: ReadonlyArray<string>): ReadonlyMap<string, Promise<Outcome>> => {
  const script = fileURLToPath(new URL("../bench.ts", import.meta.url))
  const flags = ["--conditions=leadloom:source"]
  const child = spawn(process.execPath, [...flags, script, folder, "all", "smallest", "--json", ...names], {
    env: { ...process.env, [givenVariable]: process.env[urlVariable] },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let errors = ""
  child.stderr.on("data", (chunk) => void (errors = (errors + String(chunk)).slice(-4_000)))
  const lines = createInterface({ input: child.stdout })
  const outcomes = new Map<string, PromiseWithResolvers<Outcome>>()
  for (const name of names) {
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

/** A benchmark that waits two minutes for the server to look into a mailbox. */
const waiting = "dovecot"

/** The folders and this benchmark run at the same time, because it and the chaos commands mostly wait. */
const runs = new Map<string, ReadonlyMap<string, Promise<Outcome>>>()
beforeAll(() => {
  for (const folder of folders) {
    const names = [...benchFiles(folder).keys()]
    const isApart = (name: string): boolean => name === waiting
    const apart = names.filter(isApart)
    const together = runAll(
      folder,
      names.filter((name) => !isApart(name))
    )
    runs.set(folder, apart.length === 0 ? together : new Map([...together, ...runAll(folder, apart)]))
  }
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
