import { BillingAccount } from "@leadloom/core/internal/domain/billing/Account"
import { BillingAccounts } from "@leadloom/core/internal/port/repository/tenant/BillingAccounts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const accounts = table(BillingAccount, { name: "billing_accounts", key: ["tenantId"] })

/** Stores billing accounts in SQL. */
export const layer: Layer.Layer<BillingAccounts, never, Database> = Layer.effect(
  BillingAccounts,
  Effect.map(Database, ({ command, query, whole }) => {
    const { one } = accounts.reading({ query })
    const find = one(`SELECT ${accounts.columns} FROM billing_accounts WHERE tenant_id = ?`)
    const insert = command(`${accounts.insert} ON CONFLICT (tenant_id) DO NOTHING`)
    const replace = command(accounts.replace)
    const ofCustomer = query<{ readonly tenantId: string }>(
      `SELECT tenant_id AS "tenantId" FROM billing_accounts WHERE customer_id = ? ORDER BY tenant_id`
    )
    return BillingAccounts.of({
      find,
      save: (account) => {
        const row = account
        return whole(Effect.andThen(insert(...accounts.values(row)), replace(...accounts.changes(row))))
      },
      ofCustomer: (customerId) => Effect.map(ofCustomer(customerId), (rows) => rows.map(({ tenantId }) => tenantId))
    })
  })
)
