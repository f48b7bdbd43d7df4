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
import { withSpan } from "../WithSpan.ts"

/** The billing state of a tenant. */
export interface BillingReport {
  readonly tenantId: string
  /** The plan whose caps apply at present. */
  readonly plan: Plan
  readonly status: BillingStatus
  readonly account: BillingAccount
  /** True when a payment provider bills the tenant. False when this server changes plans itself. */
  readonly paidAtProvider: boolean
  /** The time at which the plan ends because a payment is overdue. Null when no payment is overdue. */
  readonly graceEndsAt: number | null
  readonly credits: number
}

/**
 * Returns the status of the account when the payment provider bills the tenant. Otherwise returns the status that
 * follows from the plan.
 */
export const statusOf = (plan: Plan, account: BillingAccount): BillingStatus => {
  const speaks = account.subscriptionId !== null && (isLive(account.status) || plan === "trial")
  if (speaks) return account.status
  return plan === "trial" ? "trialing" : "active"
}

/** Reads the stored billing state of a tenant, without a request to the provider. */
export const readBilling = Effect.fnUntraced(function* (tenantId: string) {
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
}, withSpan("readBilling"))
