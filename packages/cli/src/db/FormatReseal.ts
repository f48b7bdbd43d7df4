import type { ResealReport } from "@leadloom/server/internal/admin/Database"
import { table } from "../Table.ts"

const listed = (ids: ReadonlyArray<string>): string => ids.join(", ")

/**
 * Formats the result: the secrets that were encrypted again, and the location of each secret that no key can decrypt.
 */
export const formatReseal = ({ columns, database, finished, keyId }: ResealReport): string => {
  const rows = columns.map((one) => [
    `${one.table}.${one.column}`,
    String(one.sealed),
    String(one.resealed),
    String(one.unopened.length)
  ])
  const unopened = columns.flatMap((one) =>
    one.unopened.map((key) => `cannot decrypt: ${one.table}.${one.column} of ${key.join(" / ")}\n`)
  )
  const end = unopened.length > 0 ? unopened.join("") : `All secrets in ${database} are encrypted with ${keyId}.\n`
  const over = finished.length === 0 ? "" : `Keys that you can remove from LEADLOOM_VAULT_KEYS: ${listed(finished)}.\n`
  return `${table(["COLUMN", "SECRETS", "ENCRYPTED AGAIN", "NOT DECRYPTED"], rows)}${end}${over}`
}

/** Returns the report as JSON. */
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
