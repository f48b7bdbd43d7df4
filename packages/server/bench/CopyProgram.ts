import { copy, isWhole } from "../src/admin/Database.ts"

/**
 * Runs one copy in a separate process, so that the memory of the process is that of the copy. Prints one line of JSON.
 */

/** The result of a copy. */
export interface Copied {
  readonly whole: boolean
  readonly seconds: number
  readonly rows: number
  readonly rowsPerSecond: number
  readonly replaced: number
  readonly peakMebibytes: number
}

const [from = "", to = ""] = process.argv.slice(2)
const begun = performance.now()
const report = await copy({ from, to })
const seconds = (performance.now() - begun) / 1_000
const rows = report.tables.reduce((sum, { sourceRows }) => sum + sourceRows, 0)
const copied: Copied = {
  whole: isWhole(report),
  seconds: Number(seconds.toFixed(1)),
  rows,
  rowsPerSecond: Math.round(rows / seconds),
  replaced: report.tables.reduce((sum, table) => sum + table.replaced, 0),
  peakMebibytes: Math.round(process.resourceUsage().maxRSS / 1_024)
}
process.stdout.write(`${JSON.stringify(copied)}\n`)
