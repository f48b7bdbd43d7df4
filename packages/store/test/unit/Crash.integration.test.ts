import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Store from "../../src/Store.ts"
import { temporaryFile } from "../TemporaryStore.ts"
import { upTo, written } from "../Triple.ts"

const child = fileURLToPath(new URL("./CrashChild.ts", import.meta.url))

/** Runs a writer on the file and kills it after a number of acknowledgements. Returns all acknowledged numbers. */
const killAfter = (filename: string, first: number, acknowledgements: number) =>
  Effect.promise(async () => {
    const writer = spawn(process.execPath, ["--conditions=leadloom:source", child, filename, String(first)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const numbers: Array<number> = []
    for await (const line of createInterface({ input: writer.stdout })) {
      numbers.push(Number(line))
      if (numbers.length === acknowledgements) writer.kill("SIGKILL")
    }
    assert.strictEqual(writer.signalCode ?? "SIGKILL", "SIGKILL")
    return numbers
  })

describe("a store with a killed process", () => {
  it.live("contains every acknowledged unit, and no partial unit", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const store = Store.layer({ url: `sqlite:${filename}` })
      const acknowledged: Array<number> = []
      // The second writer continues with the file of the first.
      for (const acknowledgements of [150, 400]) {
        const first = acknowledged.length === 0 ? 0 : Math.max(...acknowledged) + 100
        const numbers = yield* killAfter(filename, first, acknowledgements)
        assert.isAtLeast(numbers.length, acknowledgements)
        acknowledged.push(...numbers)
        const all = upTo(Math.max(...acknowledged) + 100)
        const found = yield* Effect.provide(written("crash", all), store)
        assert.deepStrictEqual(
          found.filter((records) => records !== 0 && records !== 3),
          []
        )
        assert.deepStrictEqual(
          acknowledged.filter((number) => found[number] !== 3),
          []
        )
      }
    })
  )
})
