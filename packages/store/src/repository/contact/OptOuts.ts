import type { OptOut } from "@leadloom/core/domain/consent/OptOut"
import { OptOuts } from "@leadloom/core/port/repository/contact/OptOuts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray } from "../../sql/Json.ts"
import { table } from "../../sql/Table.ts"

interface OptOutRow extends Omit<OptOut, "optedOut" | "history"> {
  readonly optedOut: number
  readonly history: string
}

const optOuts = table<OptOutRow>(
  "opt_outs",
  {
    tenantId: "tenant_id",
    phone: "phone",
    ownPhone: "own_phone",
    optedOut: "opted_out",
    source: "source",
    at: "changed_at",
    history: "history"
  },
  ["tenantId", "phone", "ownPhone"]
)

const fromRow = (row: OptOutRow): OptOut => ({ ...row, optedOut: row.optedOut === 1, history: readArray(row.history) })

/** Stores opt-outs in SQL. */
export const layer: Layer.Layer<OptOuts, never, Database> = Layer.effect(
  OptOuts,
  Effect.map(Database, ({ command, isOneOf, query }) => {
    const of = query<OptOutRow>(
      `SELECT ${optOuts.columns} FROM opt_outs WHERE tenant_id = ? AND ${isOneOf("phone")} ORDER BY phone, own_phone`
    )
    const save = command(
      `${optOuts.insert} ON CONFLICT (tenant_id, phone, own_phone) DO UPDATE SET opted_out = excluded.opted_out,
        source = excluded.source, changed_at = excluded.changed_at, history = excluded.history`
    )
    return OptOuts.of({
      of: (tenantId, phones) => Effect.map(of(tenantId, JSON.stringify(phones)), (rows) => rows.map(fromRow)),
      save: (optOut) =>
        save(
          ...optOuts.values({
            ...optOut,
            optedOut: optOut.optedOut ? 1 : 0,
            history: JSON.stringify(optOut.history)
          })
        )
    })
  })
)
