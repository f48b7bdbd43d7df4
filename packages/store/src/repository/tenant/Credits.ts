import { CreditTransaction } from "@leadloom/core/internal/domain/billing/Credit"
import { Credits } from "@leadloom/core/internal/port/repository/tenant/BillingAccounts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first, newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const lines = table(CreditTransaction, { name: "credit_transactions", key: ["tenantId", "number"] })

/** Stores the ledger of credits in SQL. */
export const layer: Layer.Layer<Credits, never, Database> = Layer.effect(
  Credits,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = lines.reading({ query })
    const insert = command(lines.insert)
    const before = all(
      `SELECT ${lines.columns} FROM credit_transactions WHERE tenant_id = ? AND number < ? ORDER BY number DESC LIMIT ?`
    )
    const ofReference = one(`SELECT ${lines.columns} FROM credit_transactions WHERE tenant_id = ? AND reference = ?`)
    return Credits.of({
      insert: (line) => insert(...lines.values(line)),
      last: (tenantId) => Effect.map(before(tenantId, newest, 1), first),
      ofReference,
      page: (tenantId, limit, number) => before(tenantId, number ?? newest, limit)
    })
  })
)
