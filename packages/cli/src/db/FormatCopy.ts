import type { CopiedTable, CopyReport } from "@leadloom/server/internal/admin/Database"
import { table } from "../Table.ts"

const isSame = (one: CopiedTable): boolean =>
  one.sourceRows === one.targetRows && one.sourceChecksum === one.targetChecksum

/** The number of hexadecimal digits of a checksum in the output, which is enough to recognise a difference. */
const shownDigits = 16

/**
 * Formats the report of a copy: for each table with rows, the row counts and checksums of both databases, and the rows
 * with replaced characters.
 */
export const formatCopy = (report: CopyReport, seconds: number): string => {
  const shown = report.tables.filter(({ sourceRows, targetRows }) => sourceRows + targetRows > 0)
  const rows = shown.map((one) => [
    one.table,
    String(one.sourceRows),
    String(one.targetRows),
    one.sourceChecksum.slice(0, shownDigits),
    isSame(one) ? "same" : `DIFFERS: ${one.targetChecksum.slice(0, shownDigits)}`
  ])
  const total = shown.reduce((sum, { sourceRows }) => sum + sourceRows, 0)
  const replaced = report.tables.filter((one) => one.replaced > 0)
  const lost = replaced.map((one) => `${one.table} ${one.replaced}`).join(", ")
  return [
    table(["TABLE", "SOURCE", "TARGET", "HASH", ""], rows),
    `Copied ${total} rows of ${report.from} to ${report.to} in ${seconds.toFixed(1)} s.\n`,
    lost === "" ? "" : `Rows whose NUL characters became U+FFFD, because Postgres cannot store NUL: ${lost}.\n`
  ].join("")
}

/** Returns the report as JSON. */
export const copyJson = (report: CopyReport, seconds: number): unknown => ({
  from: report.from,
  to: report.to,
  seconds: Math.round(seconds * 10) / 10,
  same: report.tables.every(isSame),
  tables: report.tables.map((one) => ({
    table: one.table,
    source_rows: one.sourceRows,
    target_rows: one.targetRows,
    source_hash: one.sourceChecksum,
    target_hash: one.targetChecksum,
    replaced: one.replaced,
    same: isSame(one)
  }))
})
