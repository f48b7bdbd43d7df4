import type { DatabaseStatus } from "@leadloom/server/internal/admin/Database"
import { propertyTable } from "../Table.ts"

const rolling = (status: DatabaseStatus): string =>
  status.stopFirst.length === 0
    ? "yes, older servers can run during the upgrade"
    : `no, stop all servers first because of ${status.stopFirst.join(", ")}`

/** Formats the state of a database before the upgrade, and what the upgrade did. */
export const formatUpgrade = (status: DatabaseStatus, isCheck: boolean): string => {
  const { database, missing, unknown } = status
  if (unknown.length > 0)
    return propertyTable([
      ["database", database],
      ["newer migrations", unknown.join(", ")]
    ])
  if (missing.length === 0) return `${database} is up to date.\n`
  if (!isCheck) return `${database} is now up to date. Applied: ${missing.join(", ")}.\n`
  return propertyTable([
    ["database", database],
    ["missing", missing.join(", ")],
    ["rolling upgrade", rolling(status)]
  ])
}

/** Returns the state before the upgrade as JSON. */
export const upgradeJson = ({ database, missing, stopFirst, unknown }: DatabaseStatus, isCheck: boolean): unknown => ({
  database,
  missing,
  applied: isCheck || unknown.length > 0 ? [] : missing,
  newer: unknown,
  rolling: stopFirst.length === 0
})
