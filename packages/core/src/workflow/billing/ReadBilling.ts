import { Effect } from "effect"
import type { Plan } from "../../domain/billing/Plan.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import {
  type BillingAccount,
  type BillingStatus,
  graceEndOf,
  isLive,
  newAccount
} from "../../domain/billing/Account.ts"
import { readCreditBalance } from "./ListCredits.ts"

/** How a tenant stands. */
export interface BillingReport {
  readonly tenantId: string
  /** The plan whose caps hold now. */
  readonly plan: Plan
  readonly status: BillingStatus
  readonly account: BillingAccount
  /** Whether there is a provider to pay at, or plans are moved here. */
  readonly paidAtProvider: boolean
  /** When the plan goes because of a missing payment; null: none is missing. */
  readonly graceEndsAt: number | null
  readonly credits: number
}

/** What an account says where it is paid; where it is not, what the plan says that the operator or the tenant took. */
export const statusOf = (plan: Plan, account: BillingAccount): BillingStatus => {
  const speaks = account.subscriptionId !== null && (isLive(account.status) || plan === "trial")
  if (speaks) return account.status
  return plan === "trial" ? "trialing" : "active"
}

/** Reads how a tenant stands, as far as it is known here: nobody is asked. */
export const readBilling = Effect.fn("readBilling")(function* (tenantId: string) {
  const { plan } = yield* (yield* Tenants).get(tenantId)
  const account = (yield* (yield* BillingAccounts).find(tenantId)) ?? newAccount(tenantId)
  const report: BillingReport = {
    tenantId,
    plan,
    status: statusOf(plan, account),
    account,
    paidAtProvider: (yield* Payments).configured,
    graceEndsAt: graceEndOf(account),
    credits: yield* readCreditBalance(tenantId)
  }
  return report
})
