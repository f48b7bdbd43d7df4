/**
 * Export, import and erasure of personal data in SQL. Core's `domain/privacy/DataInventory` lists the tables and
 * columns. Tests: `packages/store/test/Privacy.integration.test.ts`, `packages/testkit/src/suite/privacy`.
 */
import { PersonalData, type PersonalDataShape } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import type { PersonalDataTable } from "@leadloom/core/internal/domain/privacy/PersonalDataTable"
import { dataInventory, inventoryByName } from "@leadloom/core/internal/domain/privacy/DataInventory"
import { type Row, rowKey } from "@leadloom/core/internal/domain/privacy/Record"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { leads, stopping, threading } from "./PersonalDataErasure.ts"
import { withinPageBytes, fromStored, tableStatements, type StoredRow, toStored } from "./PersonalDataSql.ts"
import type { Queries } from "../sql/Queries.ts"

/** Prepares the statements of every table once. */
const rowsOf = (
  database: Queries
): Pick<PersonalDataShape, "page" | "keys" | "some" | "dedupKeys" | "present" | "insert" | "remove"> => {
  const byName = new Map(dataInventory.map((table) => [table.name, tableStatements(database, table)]))
  const of = ({ name }: PersonalDataTable) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`Unknown table of personal data: ${name}.`)
    return found
  }
  const present: PersonalDataShape["present"] = (tenantId, table, rows) => {
    if (rows.length === 0) return Effect.succeed([])
    const requested = new Set(rows.map((row) => rowKey(table, row)))
    return Effect.map(of(table).byKeys(tenantId, rows), (found) =>
      found.filter((row) => requested.has(rowKey(table, row)))
    )
  }
  const inOrder = (tenantId: string, table: PersonalDataTable, keys: ReadonlyArray<Row>) => {
    const order = new Map(keys.map((row, index) => [rowKey(table, row), index]))
    const place = (row: Row): number => order.get(rowKey(table, row)) ?? 0
    return Effect.map(present(tenantId, table, keys), (rows) =>
      rows.toSorted((one, other) => place(one) - place(other))
    )
  }
  /**
   * Loads complete rows. A table with long texts was first queried for keys and sizes only, so that the rows of a page
   * fit the limit on long texts.
   */
  const whole = (tenantId: string, table: PersonalDataTable, found: ReadonlyArray<StoredRow>) => {
    if (table.long.length === 0) return Effect.succeed(found.map((stored) => fromStored(table, stored)))
    return inOrder(
      tenantId,
      table,
      withinPageBytes(found).map((stored) => fromStored(table, stored))
    )
  }
  /**
   * Returns rows of one contact from a table whose indexes do not have them in order. Sorts the keys first, then loads
   * the rows.
   */
  const gathered = (tenantId: string, table: PersonalDataTable, contactId: string, after: Row | null, limit: number) =>
    Effect.flatMap(of(table).keys(tenantId, contactId, after, limit), (keys) => inOrder(tenantId, table, keys))
  const keysOf = database.query<StoredRow>(
    `SELECT dedup_key, message_id, fingerprint FROM dedup_keys ${database.by("dedup_keys_message")}
      WHERE tenant_id = ? AND ${database.isOneOf("message_id")}`
  )
  return {
    present,
    page: (tenantId, table, contactId, after, limit) =>
      contactId !== null && table.walk === null
        ? gathered(tenantId, table, contactId, after, limit)
        : Effect.flatMap(of(table).first(tenantId, contactId, after, limit), (found) => whole(tenantId, table, found)),
    keys: (tenantId, table, contactId, after, limit) => of(table).keys(tenantId, contactId, after, limit),
    some: (tenantId, table, contactId, limit) =>
      Effect.flatMap(of(table).some(tenantId, contactId, limit), (found) => whole(tenantId, table, found)),
    dedupKeys: (tenantId, messageIds) =>
      Effect.map(keysOf(tenantId, JSON.stringify(messageIds)), (rows) =>
        rows.map((stored) => fromStored(inventoryByName.dedup_keys, stored))
      ),
    insert: (tenantId, table, rows) =>
      Effect.forEach(rows, (row) => of(table).insert(tenantId, ...toStored(table, row)), { discard: true }),
    remove: (tenantId, table, rows) =>
      Effect.forEach(rows, (row) => of(table).remove(tenantId, ...of(table).keyOf(row)), { discard: true })
  }
}

/** Reads, imports and erases all personal data of a tenant's contacts, row by row, in SQL. */
export const layer: Layer.Layer<PersonalData, never, Database> = Layer.effect(
  PersonalData,
  Effect.map(Database, (database) => {
    return PersonalData.of({ ...rowsOf(database), ...stopping(database), ...threading(database), ...leads(database) })
  })
)
