import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const source = fileURLToPath(new URL("../../src/startup/HeapGrowth.ts", import.meta.url))

/** Replaces 200,000 objects in use again and again, and prints the greatest size of the space of new objects. */
const churn = `
  import { getHeapSpaceStatistics } from "node:v8"
  const { limitHeapGrowth } = await import(process.argv[1])
  limitHeapGrowth()
  const kept = new Array(200_000)
  let next = 0
  let largest = 0
  for (let turn = 0; turn < 200; turn++) {
    for (let count = 0; count < 20_000; count++) kept[next++ % kept.length] = { count, list: [next], text: "x" + count }
    await new Promise((resolve) => setImmediate(resolve))
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
    largest = Math.max(largest, space.space_size)
  }
  console.log(largest / 1_048_576)
`

it("keeps the space of new objects small while many objects are created", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", churn, source])
  // Without the limit, V8 enlarges the space to 128 MiB.
  expect(Number(stdout)).toBeGreaterThan(0)
  expect(Number(stdout)).toBeLessThanOrEqual(64)
})
