import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { Erasures } from "../../port/repository/contact/Erasures.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { ArchiveConflict } from "../../domain/privacy/Archive.ts"
import { importedCall } from "./CallRows.ts"
import { importedTeams, importedUsers } from "./ImportPeople.ts"
import { remapPlaces } from "./RemapPlaces.ts"
import type { PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { inventoryByName } from "../../domain/privacy/DataInventory.ts"
import { canonical } from "../../domain/text/Json.ts"
import { type Row, rowKey, textOf } from "../../domain/privacy/Record.ts"
import { remapRows, wereMerged } from "./RemapRows.ts"
import { isTombstone, tombstone } from "../../domain/privacy/Erasure.ts"

export interface ImportedRows {
  /** Rows that were added. */
  readonly imported: number
  /** Rows that already existed and stay unchanged. */
  readonly present: number
  /** Rows of a contact that was erased on this deployment. They are not imported. */
  readonly erased: number
}

/** Returns the id of the message to which a row belongs, from a message id or a signal id. */
const messageOf = (row: Row, column: string): string => textOf(row, column).replace(/^sig_/u, "msg_")

/** Returns the rows that do not belong to an erased contact. */
export const withoutErasedRows = Effect.fnUntraced(function* (
  tenantId: string,
  table: PersonalDataTable,
  rows: ReadonlyArray<Row>
) {
  const { belongs } = table
  if (belongs.by === "tenant") return rows
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
  if (belongs.by === "lead" || belongs.by === "task") {
    const [owner, key] = belongs.by === "lead" ? (["leads", "lead_id"] as const) : (["tasks", "task_id"] as const)
    const requested = rows.map((row) => ({ [key]: textOf(row, column) }))
    const here = yield* personalData.present(tenantId, inventoryByName[owner], requested)
    const ids = new Set(here.map((row) => textOf(row, key)))
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

/**
 * Returns the reason why an existing row conflicts with an imported one. Returns null when both are equal in the
 * columns that are compared.
 */
const difference = ({ name, same }: PersonalDataTable, here: Row, comes: Row): string | null => {
  const column = same.find((one) => canonical(here[one] ?? null) !== canonical(comes[one] ?? null))
  return column === undefined ? null : `a different row of ${name} exists under this key: it differs in ${column}`
}

/**
 * Returns whether an identity may belong to another contact than in the archive, because the two contacts were merged.
 */
const wentAlong = (tenantId: string, table: PersonalDataTable, here: Row, comes: Row) =>
  table === inventoryByName.identities
    ? wereMerged(tenantId, textOf(here, "contact_id"), textOf(comes, "contact_id"))
    : Effect.succeed(false)

/** Returns the rows as this deployment stores them. */
const adapted = (tenantId: string, table: PersonalDataTable, rows: ReadonlyArray<Row>) => {
  if (table === inventoryByName.leads) return remapPlaces(tenantId, rows)
  if (table === inventoryByName.users) return importedUsers(tenantId, rows)
  if (table === inventoryByName.teams) return importedTeams(tenantId, rows)
  return Effect.succeed(table === inventoryByName.calls ? rows.map(importedCall) : rows)
}

/**
 * Imports the missing rows of one table. Existing rows do not change. If an existing row differs from an imported one,
 * fails with `ArchiveConflict`. An existing identity of another contact is no conflict if the two contacts were ever
 * merged on this deployment. Runs inside a unit of work, so a page is imported completely or not at all.
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
  yield* personalData.insert(tenantId, table, yield* adapted(tenantId, table, missing))
  const admitted: ImportedRows = {
    imported: missing.length,
    present: allowed.length - missing.length,
    erased: rows.length - allowed.length
  }
  return admitted
})
