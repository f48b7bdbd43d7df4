import type { PhoneNumber } from "@leadloom/core/domain/address/PhoneNumber"
import { PhoneNumbers } from "@leadloom/core/port/repository/contact/PhoneNumbers"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface NumberRow extends Omit<PhoneNumber, "isDefault"> {
  readonly isDefault: number
}

const numbers = table<NumberRow>(
  "phone_numbers",
  { tenantId: "tenant_id", phone: "phone", isDefault: "is_default", createdAt: "created_at" },
  ["tenantId", "phone"]
)

const fromRow = (row: NumberRow): PhoneNumber => ({ ...row, isDefault: row.isDefault === 1 })

/** Stores the phone numbers of tenants in SQL. */
export const layer: Layer.Layer<PhoneNumbers, never, Database> = Layer.effect(
  PhoneNumbers,
  Effect.map(Database, ({ by, command, query }) => {
    const ofTenant = query<NumberRow>(
      `SELECT ${numbers.columns} FROM phone_numbers WHERE tenant_id = ? ORDER BY created_at, phone`
    )
    const page = query<NumberRow>(
      `SELECT ${numbers.columns} FROM phone_numbers ${by("phone_numbers_phone")} WHERE phone > ? ORDER BY phone LIMIT ?`
    )
    const find = query<NumberRow>(`SELECT ${numbers.columns} FROM phone_numbers WHERE phone = ?`)
    const add = query(`${numbers.insert} ON CONFLICT DO NOTHING RETURNING phone`)
    const makeDefault = command(
      "UPDATE phone_numbers SET is_default = CASE WHEN phone = ? THEN 1 ELSE 0 END WHERE tenant_id = ?"
    )
    const remove = query("DELETE FROM phone_numbers WHERE tenant_id = ? AND phone = ? RETURNING phone")
    return PhoneNumbers.of({
      ofTenant: (tenantId) => Effect.map(ofTenant(tenantId), (rows) => rows.map(fromRow)),
      page: (limit, after) => Effect.map(page(after ?? "", limit), (rows) => rows.map(fromRow)),
      find: (phone) =>
        Effect.map(find(phone), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      add: (number) =>
        Effect.map(
          add(...numbers.values({ ...number, isDefault: number.isDefault ? 1 : 0 })),
          (rows) => rows.length > 0
        ),
      makeDefault: (tenantId, phone) => makeDefault(phone, tenantId),
      remove: (tenantId, phone) => Effect.map(remove(tenantId, phone), (rows) => rows.length > 0)
    })
  })
)
