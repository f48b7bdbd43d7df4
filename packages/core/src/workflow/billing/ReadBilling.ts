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

/** The billing state of a tenant. */
export interface BillingReport {
  readonly tenantId: string
  /** The plan whose caps apply now. */
  readonly plan: Plan
  readonly status: BillingStatus
  readonly account: BillingAccount
  /** True when the tenant pays at a provider; false when plans change here. */
  readonly paidAtProvider: boolean
  /** The time at which the plan ends because of a missing payment; null when no payment is missing. */
  readonly graceEndsAt: number | null
  readonly credits: number
}

/** Returns the status of the account when the provider bills it, else the status that follows from the plan. */
export const statusOf = (plan: Plan, account: BillingAccount): BillingStatus => {
  const speaks = account.subscriptionId !== null && (isLive(account.status) || plan === "trial")
  if (speaks) return account.status
  return plan === "trial" ? "trialing" : "active"
}

/** Reads the stored billing state of a tenant, without a request to the provider. */
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
