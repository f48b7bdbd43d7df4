import { PersonalData, type PersonalDataShape } from "@leadloom/core/port/repository/contact/PersonalData"
import type { Kind } from "@leadloom/core/domain/privacy/Kind"
import { kinds, kindsByName } from "@leadloom/core/domain/privacy/Kinds"
import { type Row, rowKey } from "@leadloom/core/domain/privacy/Record"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leads, stopping, threading } from "./PersonalDataErasure.ts"
import { withinPageBytes, fromStored, kindStatements, type StoredRow, toStored } from "./PersonalDataSql.ts"
import { type Queries, queries } from "../sql/Queries.ts"

/** Statements of every kind, spelled once. */
const rowsOf = (
  database: Queries
): Pick<PersonalDataShape, "page" | "keys" | "some" | "dedupKeys" | "present" | "insert" | "remove"> => {
  const byName = new Map(kinds.map((kind) => [kind.name, kindStatements(database, kind)]))
  const of = ({ name }: Kind) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no kind ${name}.`)
    return found
  }
  const present: PersonalDataShape["present"] = (tenantId, kind, rows) => {
    if (rows.length === 0) return Effect.succeed([])
    const asked = new Set(rows.map((row) => rowKey(kind, row)))
    return Effect.map(of(kind).byKeys(tenantId, rows), (found) => found.filter((row) => asked.has(rowKey(kind, row))))
  }
  const inOrder = (tenantId: string, kind: Kind, keys: ReadonlyArray<Row>) => {
    const order = new Map(keys.map((row, index) => [rowKey(kind, row), index]))
    const place = (row: Row): number => order.get(rowKey(kind, row)) ?? 0
    return Effect.map(present(tenantId, kind, keys), (rows) => rows.toSorted((one, other) => place(one) - place(other)))
  }
  /** Rows that were found, as far as a page bears their long texts: these are read only now. */
  const whole = (tenantId: string, kind: Kind, found: ReadonlyArray<StoredRow>) => {
    if (kind.long.length === 0) return Effect.succeed(found.map((stored) => fromStored(kind, stored)))
    return inOrder(
      tenantId,
      kind,
      withinPageBytes(found).map((stored) => fromStored(kind, stored))
    )
  }
  /** Rows of one contact that no index has in order: their keys first, in order, and the rows by them. */
  const gathered = (tenantId: string, kind: Kind, contactId: string, after: Row | null, limit: number) =>
    Effect.flatMap(of(kind).keys(tenantId, contactId, after, limit), (keys) => inOrder(tenantId, kind, keys))
  const keysOf = database.query<StoredRow>(
    `SELECT dedup_key, message_id, fingerprint FROM dedup_keys ${database.by("dedup_keys_message")}
      WHERE tenant_id = ? AND ${database.isOneOf("message_id")}`
  )
  return {
    present,
    page: (tenantId, kind, contactId, after, limit) =>
      contactId !== null && kind.walk === null
        ? gathered(tenantId, kind, contactId, after, limit)
        : Effect.flatMap(of(kind).first(tenantId, contactId, after, limit), (found) => whole(tenantId, kind, found)),
    keys: (tenantId, kind, contactId, after, limit) => of(kind).keys(tenantId, contactId, after, limit),
    some: (tenantId, kind, contactId, limit) =>
      Effect.flatMap(of(kind).some(tenantId, contactId, limit), (found) => whole(tenantId, kind, found)),
    dedupKeys: (tenantId, messageIds) =>
      Effect.map(keysOf(tenantId, JSON.stringify(messageIds)), (rows) =>
        rows.map((stored) => fromStored(kindsByName.dedup_keys, stored))
      ),
    insert: (tenantId, kind, rows) =>
      Effect.forEach(rows, (row) => of(kind).insert(tenantId, ...toStored(kind, row)), { discard: true }),
    remove: (tenantId, kind, rows) =>
      Effect.forEach(rows, (row) => of(kind).remove(tenantId, ...of(kind).keyOf(row)), { discard: true })
  }
}

/** Everything kept about the people who write to a tenant, row by row, in SQL. */
export const layer: Layer.Layer<PersonalData, never, SqlClient> = Layer.effect(
  PersonalData,
  Effect.map(SqlClient, (sql) => {
    const database = queries(sql)
    return PersonalData.of({ ...rowsOf(database), ...stopping(database), ...threading(database), ...leads(database) })
  })
)
