import { Holdings, type HoldingsShape } from "@leadloom/core/port/Holdings"
import { type Kind, kinds } from "@leadloom/core/rights/Kind"
import { type Row, rowKey } from "@leadloom/core/rights/Record"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leads, stopping, threading } from "./HoldingsErasing.ts"
import { bearable, fromStored, kindStatements, toStored } from "./HoldingsSql.ts"
import { type Queries, queries } from "./Queries.ts"

/** Statements of every kind, spelled once. */
const rowsOf = (database: Queries): Pick<HoldingsShape, "page" | "present" | "insert" | "remove"> => {
  const byName = new Map(kinds.map((kind) => [kind.name, kindStatements(database, kind)]))
  const of = ({ name }: Kind) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no kind ${name}.`)
    return found
  }
  const present: HoldingsShape["present"] = (tenantId, kind, rows) => {
    if (rows.length === 0) return Effect.succeed([])
    const asked = new Set(rows.map((row) => rowKey(kind, row)))
    return Effect.map(of(kind).byKeys(tenantId, rows), (found) => found.filter((row) => asked.has(rowKey(kind, row))))
  }
  return {
    present,
    page: Effect.fnUntraced(function* (tenantId, kind, contactId, after, limit) {
      const found = yield* of(kind).first(tenantId, contactId, after, limit)
      if (kind.long.length === 0) return found.map((stored) => fromStored(kind, stored))
      const order = new Map(bearable(found).map((stored, index) => [rowKey(kind, fromStored(kind, stored)), index]))
      const keys = found.slice(0, order.size).map((stored) => fromStored(kind, stored))
      const place = (row: Row): number => order.get(rowKey(kind, row)) ?? 0
      return (yield* present(tenantId, kind, keys)).toSorted((one, other) => place(one) - place(other))
    }),
    insert: (tenantId, kind, rows) =>
      Effect.forEach(rows, (row) => of(kind).insert(tenantId, ...toStored(kind, row)), { discard: true }),
    remove: (tenantId, kind, rows) =>
      Effect.forEach(rows, (row) => of(kind).remove(tenantId, ...of(kind).keyOf(row)), { discard: true })
  }
}

/** Everything kept about the people who write to a tenant, row by row, in SQL. */
export const layer: Layer.Layer<Holdings, never, SqlClient> = Layer.effect(
  Holdings,
  Effect.map(SqlClient, (sql) => {
    const database = queries(sql)
    return Holdings.of({ ...rowsOf(database), ...stopping(database), ...threading(database), ...leads(database) })
  })
)
