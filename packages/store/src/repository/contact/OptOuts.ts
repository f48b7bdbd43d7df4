import { OptOut } from "@leadloom/core/internal/domain/consent/OptOut"
import { OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const optOuts = table(OptOut, { name: "opt_outs", key: ["tenantId", "phone", "ownPhone"] })

/** Stores opt-outs in SQL. */
export const layer: Layer.Layer<OptOuts, never, Database> = Layer.effect(
  OptOuts,
  Effect.map(Database, ({ command, isOneOf, query }) => {
    const { all } = optOuts.reading({ query })
    const of = all(
      `SELECT ${optOuts.columns} FROM opt_outs WHERE tenant_id = ? AND ${isOneOf("phone")} ORDER BY phone, own_phone`
    )
    const save = command(
      `${optOuts.insert} ON CONFLICT (tenant_id, phone, own_phone) DO UPDATE SET opted_out = excluded.opted_out,
        source = excluded.source, changed_at = excluded.changed_at, history = excluded.history,
        evidence = excluded.evidence`
    )
    return OptOuts.of({
      of: (tenantId, phones) => of(tenantId, JSON.stringify(phones)),
      save: (optOut) => save(...optOuts.values(optOut))
    })
  })
)
