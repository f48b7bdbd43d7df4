import { readFileSync } from "node:fs"
import { layer as templates } from "@leadloom/connectors/internal/templates/Liquid"
import { runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import * as Store from "@leadloom/store/internal/Store"
import { Effect, Layer } from "effect"
import { changed, tenantId } from "./BacktestRules.ts"

/**
 * Runs a back-test in a separate process, so that the memory of the process is that of the back-test. Prints one line
 * of JSON.
 */

const [url = "", limit = "0"] = process.argv.slice(2)

/** Returns the peak memory of this process in KiB. `getrusage` is not used, because it includes the parent's peak. */
const peakKibibytes = (): number =>
  Number(/^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN)

const begun = performance.now()
const found = await Effect.runPromise(
  runBacktest(tenantId, { ...changed, since: 0, limit: Number(limit), examples: 3 }).pipe(
    Effect.provide(Layer.merge(Store.layer({ url }), templates))
  )
)
console.log(
  JSON.stringify({
    seconds: (performance.now() - begun) / 1_000,
    mebibytes: peakKibibytes() / 1_024,
    examined: found.examined,
    changed: found.changed,
    replies: found.replies.length
  })
)
