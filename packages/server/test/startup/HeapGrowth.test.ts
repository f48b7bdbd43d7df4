import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const sourceOf = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url))

/** Runs a program in a process of its own, because the flags apply to the whole process. Returns its output. */
const run = async (program: string, module: string): Promise<string> => {
  const args = ["--conditions=leadloom:source", "--input-type=module", "--eval", program, sourceOf(module)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

/**
 * Replaces 200,000 objects in use again and again. Prints the first, the median and the greatest size of the space of
 * new objects in MiB. The greatest size includes pages that V8 adds during a full collection and returns after it.
 */
const churn = (isStarted: boolean): string => `
  import { getHeapSpaceStatistics } from "node:v8"
  const { limitHeapGrowth, permitNewSpace } = await import(process.argv[1])
  limitHeapGrowth()
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 1_048_576
  const first = size()
  if (${isStarted}) permitNewSpace()
  const kept = new Array(200_000)
  let next = 0
  const sizes = []
  for (let turn = 0; turn < 200; turn++) {
    for (let count = 0; count < 20_000; count++) kept[next++ % kept.length] = { count, list: [next], text: "x" + count }
    await new Promise((resolve) => setImmediate(resolve))
    sizes.push(size())
  }
  sizes.sort((left, right) => left - right)
  console.log(JSON.stringify({ first, median: sizes[sizes.length / 2], largest: sizes.at(-1) }))
`

/** Starts a server twice with an invalid configuration, and prints the number of observers that the process creates. */
const starts = `
  import perf from "node:perf_hooks"
  import { syncBuiltinESMExports } from "node:module"
  let observers = 0
  perf.PerformanceObserver = class extends perf.PerformanceObserver {
    constructor(callback) {
      super(callback)
      observers++
    }
  }
  syncBuiltinESMExports()
  const { serve } = await import(process.argv[1])
  const env = { LEADLOOM_PORT: "none" }
  const codes = [await serve(env, { onFailure: () => {} }), await serve(env, { onFailure: () => {} })]
  console.log(JSON.stringify({ codes, observers }))
`

it("observes garbage collections once per process", async () => {
  expect(JSON.parse(await run(starts, "index.ts"))).toEqual({ codes: [1, 1], observers: 1 })
})

it("keeps the space of new objects small while many objects are created", async () => {
  const { first, median, largest } = JSON.parse(await run(churn(true), "startup/HeapGrowth.ts"))
  // Without the limit, V8 enlarges the space to 128 MiB.
  expect(first).toBeLessThan(16)
  expect(median).toBeGreaterThan(16)
  expect(largest).toBeLessThanOrEqual(64)
})

it("keeps the space of new objects smaller until the server has started", async () => {
  const { median } = JSON.parse(await run(churn(false), "startup/HeapGrowth.ts"))
  expect(median).toBeGreaterThan(0)
  // After the start, the same program makes V8 enlarge the space to 32 MiB.
  expect(median).toBeLessThanOrEqual(8)
})
