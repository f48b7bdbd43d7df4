import { BlockedNumber } from "@leadloom/core/internal/domain/consent/OptOut"
import { Blocklist } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const blocked = table(BlockedNumber, { name: "blocked_numbers", key: ["tenantId", "phone"] })

/** Stores blocked numbers in SQL. A stored number starts with a plus sign. The hash of an erased number does not. */
export const layer: Layer.Layer<Blocklist, never, Database> = Layer.effect(
  Blocklist,
  Effect.map(Database, ({ command, isOneOf, query }) => {
    const { all, one } = blocked.reading({ query })
    const page = all(
      `SELECT ${blocked.columns} FROM blocked_numbers
        WHERE tenant_id = ? AND phone > ? AND phone < ',' ORDER BY phone LIMIT ?`
    )
    const holds = query(`SELECT 1 AS one FROM blocked_numbers WHERE tenant_id = ? AND ${isOneOf("phone")} LIMIT 1`)
    const add = command(`${blocked.insert} ON CONFLICT (tenant_id, phone) DO NOTHING`)
    const find = one(`SELECT ${blocked.columns} FROM blocked_numbers WHERE tenant_id = ? AND phone = ?`)
    const remove = command(`DELETE FROM blocked_numbers WHERE tenant_id = ? AND ${isOneOf("phone")}`)
    const count = query<{ readonly many: number }>("SELECT count(*) AS many FROM blocked_numbers WHERE tenant_id = ?")
    return Blocklist.of({
      page: (tenantId, limit, after) => page(tenantId, after ?? "+", limit),
      holds: (tenantId, phones) => Effect.map(holds(tenantId, JSON.stringify(phones)), (rows) => rows.length > 0),
      add: Effect.fnUntraced(function* (number) {
        yield* add(...blocked.values(number))
        return (yield* find(number.tenantId, number.phone)) ?? number
      }),
      remove: (tenantId, phones) => remove(tenantId, JSON.stringify(phones)),
      count: (tenantId) => Effect.map(count(tenantId), (rows) => Number(first(rows)?.many ?? 0))
    })
  })
)
