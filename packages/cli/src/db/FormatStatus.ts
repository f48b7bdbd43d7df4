import type { DatabaseStatus } from "@leadloom/server/internal/admin/Database"
import { propertyTable, table } from "../Table.ts"

const listed = (names: ReadonlyArray<string>): string => (names.length === 0 ? "none" : names.join(", "))

const rowsText = (rows: number | null, isExact: boolean): string =>
  rows === null ? "not counted" : isExact ? String(rows) : `about ${rows}`

/** Formats the status of a database. */
export const formatStatus = (status: DatabaseStatus): string =>
  [
    propertyTable([
      ["database", status.database],
      ["reachable", "yes"],
      ["migrations", listed(status.applied)],
      ["missing", listed(status.missing)],
      ...(status.unknown.length === 0 ? [] : [["newer migrations", listed(status.unknown)] as const]),
      ...(status.isUnfinishedCopy ? [["copy", "unfinished; continue with leadloom db copy --resume"] as const] : []),
      ["size", `${(status.sizeBytes / 1_048_576).toFixed(1)} MiB`]
    ]),
    status.tables.length === 0
      ? ""
      : `\n${table(
          ["TABLE", "ROWS"],
          status.tables.map(({ isExact, rows, table: name }) => [name, rowsText(rows, isExact)])
        )}`
  ].join("")

/** Returns the status as JSON. */
export const statusJson = (status: DatabaseStatus): unknown => ({
  database: status.database,
  reachable: true,
  migrations: {
    applied: status.applied,
    missing: status.missing,
    stop_first: status.stopFirst,
    unknown: status.unknown
  },
  unfinished_copy: status.isUnfinishedCopy,
  size_bytes: status.sizeBytes,
  tables: status.tables.map(({ isExact, rows, table: name }) => ({ table: name, rows, exact: isExact }))
})
