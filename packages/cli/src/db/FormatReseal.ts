import type { ResealReport } from "@leadloom/server/admin/Database"
import { table } from "../Table.ts"

const listed = (ids: ReadonlyArray<string>): string => ids.join(", ")

/** What was sealed again, in words. What does not open is told by where it is. */
export const formatReseal = ({ columns, database, finished, keyId }: ResealReport): string => {
  const rows = columns.map((one) => [
    `${one.table}.${one.column}`,
    String(one.sealed),
    String(one.resealed),
    String(one.unopened.length)
  ])
  const unopened = columns.flatMap((one) =>
    one.unopened.map((key) => `does not open: ${one.table}.${one.column} of ${key.join(" / ")}\n`)
  )
  const end =
    unopened.length > 0
      ? unopened.join("")
      : `Nothing in ${database} is left under an old key: everything is sealed under ${keyId}.\n`
  const over = finished.length === 0 ? "" : `These may be taken out of LEADLOOM_VAULT_KEYS: ${listed(finished)}.\n`
  return `${table(["SECRETS", "KEPT", "SEALED AGAIN", "NOT OPENED"], rows)}${end}${over}`
}

/** The same for programs. */
export const resealJson = ({ columns, database, finished, keyId }: ResealReport): unknown => ({
  database,
  key_id: keyId,
  finished_key_ids: finished,
  columns: columns.map(({ column, resealed, sealed, table: name, unopened }) => ({
    table: name,
    column,
    sealed,
    resealed,
    unopened
  }))
})
