import type { BillingAccount } from "@leadloom/core/domain/billing/Account"
import { BillingAccounts } from "@leadloom/core/port/repository/tenant/BillingAccounts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface AccountRow extends Omit<BillingAccount, "cancelAtPeriodEnd"> {
  readonly cancelAtPeriodEnd: number
}

const accounts = table<AccountRow>(
  "billing_accounts",
  {
    tenantId: "tenant_id",
    plan: "plan",
    status: "status",
    trialEndsAt: "trial_ends_at",
    periodStartsAt: "period_starts_at",
    periodEndsAt: "period_ends_at",
    cancelAtPeriodEnd: "cancel_at_period_end",
    unpaidSince: "unpaid_since",
    customerId: "customer_id",
    subscriptionId: "subscription_id",
    givenPlan: "given_plan",
    looks: "looks",
    lookApplied: "look_taken"
  },
  ["tenantId"]
)

const toRow = (account: BillingAccount): AccountRow => ({
  ...account,
  cancelAtPeriodEnd: account.cancelAtPeriodEnd ? 1 : 0
})

const fromRow = (row: AccountRow): BillingAccount => ({ ...row, cancelAtPeriodEnd: row.cancelAtPeriodEnd === 1 })

/** Stores billing accounts in SQL. */
export const layer: Layer.Layer<BillingAccounts, never, Database> = Layer.effect(
  BillingAccounts,
  Effect.map(Database, ({ command, query, whole }) => {
    const find = query<AccountRow>(`SELECT ${accounts.columns} FROM billing_accounts WHERE tenant_id = ?`)
    const insert = command(`${accounts.insert} ON CONFLICT (tenant_id) DO NOTHING`)
    const replace = command(accounts.replace)
    const ofCustomer = query<{ readonly tenantId: string }>(
      `SELECT tenant_id AS "tenantId" FROM billing_accounts WHERE customer_id = ? ORDER BY tenant_id`
    )
    return BillingAccounts.of({
      find: (tenantId) =>
        Effect.map(find(tenantId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      save: (account) => {
        const row = toRow(account)
        return whole(Effect.andThen(insert(...accounts.values(row)), replace(...accounts.changes(row))))
      },
      ofCustomer: (customerId) => Effect.map(ofCustomer(customerId), (rows) => rows.map(({ tenantId }) => tenantId))
    })
  })
)
