import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { Erasures } from "../../port/repository/contact/Erasures.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { ArchiveConflict } from "../../domain/privacy/Archive.ts"
import { importedCall } from "./CallRows.ts"
import type { PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { inventoryByName } from "../../domain/privacy/DataInventory.ts"
import { canonical } from "../../domain/text/Json.ts"
import { type Row, rowKey, textOf } from "../../domain/privacy/Record.ts"
import { remapRows, wereMerged } from "./RemapRows.ts"
import { isTombstone, tombstone } from "../../domain/privacy/Erasure.ts"

/** What became of rows that came. */
export interface ImportedRows {
  /** Were not there and are now. */
  readonly imported: number
  /** Were there already and stay as they are. */
  readonly present: number
  /** Belong to a contact who was erased here, and do not come back. */
  readonly erased: number
}

/** The message that a row names by itself or by its signal. */
const messageOf = (row: Row, column: string): string => textOf(row, column).replace(/^sig_/u, "msg_")

/** Which rows belong to nobody who was erased here. */
export const withoutErasedRows = Effect.fnUntraced(function* (
  tenantId: string,
  table: PersonalDataTable,
  rows: ReadonlyArray<Row>
) {
  const { belongs } = table
  const erasures = yield* Erasures
  if ((yield* erasures.page(tenantId, 1, null)).length === 0) return rows
  const personalData = yield* PersonalData
  if (belongs.by === "contact") {
    const { columns } = belongs
    const gone = yield* erasures.among(
      tenantId,
      rows.flatMap((row) => columns.map((column) => textOf(row, column)))
    )
    return rows.filter((row) => !columns.some((column) => gone.has(textOf(row, column))))
  }
  const { column } = belongs
  if (belongs.by === "address") {
    const { pepper } = yield* Secrets
    const marks = rows.map((row) => ({ ...row, [column]: tombstone(textOf(row, column), pepper) }))
    const found = yield* personalData.present(tenantId, table, marks)
    const gone = new Set(found.map((row) => textOf(row, column)))
    return rows.filter((row) => !gone.has(tombstone(textOf(row, column), pepper)))
  }
  if (belongs.by === "merge") return []
  if (belongs.by === "lead") {
    const requested = rows.map((row) => ({ lead_id: textOf(row, column) }))
    const here = yield* personalData.present(tenantId, inventoryByName.leads, requested)
    const ids = new Set(here.map((row) => textOf(row, "lead_id")))
    return rows.filter((row) => ids.has(textOf(row, column)))
  }
  const field = belongs.field === "thread_id" ? "thread_id" : "message_id"
  const used = yield* personalData.inUse(
    tenantId,
    field,
    rows.map((row) => messageOf(row, column))
  )
  return rows.filter((row) => used.has(messageOf(row, column)) || isTombstone(textOf(row, "dedup_key")))
})

/** Why a row that is there is not the one that comes; null: it is. */
const difference = ({ name, same }: PersonalDataTable, here: Row, comes: Row): string | null => {
  const column = same.find((one) => canonical(here[one] ?? null) !== canonical(comes[one] ?? null))
  return column === undefined ? null : `another of the ${name} is here under this name: it differs in ${column}`
}

/** What somebody is found by goes to and fro with merges: it may be with another who was the same person. */
const wentAlong = (tenantId: string, table: PersonalDataTable, here: Row, comes: Row) =>
  table === inventoryByName.identities
    ? wereMerged(tenantId, textOf(here, "contact_id"), textOf(comes, "contact_id"))
    : Effect.succeed(false)

/**
 * Takes rows of one kind in: those that are missing. What is there already stays, and has to be the same thing. Runs
 * inside a unit of work, so that a page comes whole or not at all.
 */
export const importRows = Effect.fnUntraced(function* (
  tenantId: string,
  table: PersonalDataTable,
  rows: ReadonlyArray<Row>,
  entry: string
) {
  const personalData = yield* PersonalData
  const allowed = yield* withoutErasedRows(tenantId, table, rows)
  const wanted = yield* remapRows(tenantId, table, allowed)
  const here = new Map(
    (yield* personalData.present(tenantId, table, wanted)).map((row) => [rowKey(table, row), row] as const)
  )
  for (const row of wanted) {
    const known = here.get(rowKey(table, row))
    const reason = known === undefined ? null : difference(table, known, row)
    if (known === undefined || reason === null || (yield* wentAlong(tenantId, table, known, row))) continue
    return yield* new ArchiveConflict({ entry: `${entry}, ${rowKey(table, row)}`, reason })
  }
  const missing = wanted.filter((row) => !here.has(rowKey(table, row)))
  yield* personalData.insert(tenantId, table, table === inventoryByName.calls ? missing.map(importedCall) : missing)
  const admitted: ImportedRows = {
    imported: missing.length,
    present: allowed.length - missing.length,
    erased: rows.length - allowed.length
  }
  return admitted
})
