import { PhoneNumber } from "@leadloom/core/internal/domain/address/PhoneNumber"
import { PhoneNumbers } from "@leadloom/core/internal/port/repository/contact/PhoneNumbers"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const numbers = table(PhoneNumber, { name: "phone_numbers", key: ["tenantId", "phone"] })

/** Stores the phone numbers of tenants in SQL. */
export const layer: Layer.Layer<PhoneNumbers, never, Database> = Layer.effect(
  PhoneNumbers,
  Effect.map(Database, ({ by, command, query }) => {
    const { all, one } = numbers.reading({ query })
    const ofTenant = all(`SELECT ${numbers.columns} FROM phone_numbers WHERE tenant_id = ? ORDER BY created_at, phone`)
    const page = all(
      `SELECT ${numbers.columns} FROM phone_numbers ${by("phone_numbers_phone")} WHERE phone > ? ORDER BY phone LIMIT ?`
    )
    const find = one(`SELECT ${numbers.columns} FROM phone_numbers WHERE phone = ?`)
    const add = query(`${numbers.insert} ON CONFLICT DO NOTHING RETURNING phone`)
    const makeDefault = command(
      "UPDATE phone_numbers SET is_default = CASE WHEN phone = ? THEN 1 ELSE 0 END WHERE tenant_id = ?"
    )
    const remove = query("DELETE FROM phone_numbers WHERE tenant_id = ? AND phone = ? RETURNING phone")
    return PhoneNumbers.of({
      ofTenant,
      page: (limit, after) => page(after ?? "", limit),
      find,
      add: (number) => Effect.map(add(...numbers.values(number)), (rows) => rows.length > 0),
      makeDefault: (tenantId, phone) => makeDefault(phone, tenantId),
      remove: (tenantId, phone) => Effect.map(remove(tenantId, phone), (rows) => rows.length > 0)
    })
  })
)
