import { Clock, Effect } from "effect"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Notices } from "../../port/repository/webhook/Notices.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type BillingJob, look, newAccount, noticedId } from "../../domain/billing/Account.ts"
import { type BillingNotice, creditsPaidBack, ownerOf, type PaidBack } from "../../domain/billing/BillingNotice.ts"
import { bookCredits } from "./BookCredits.ts"
import type { CheckoutState } from "../../domain/billing/Payment.ts"

/** Books the credits of a checkout that has been paid, once, whoever tells of it. */
export const bookCheckout = Effect.fnUntraced(function* (tenantId: string, { checkoutId, paidCredits }: CheckoutState) {
  if (paidCredits === null) return
  const reference = `checkout:${checkoutId}`
  yield* bookCredits({ tenantId, kind: "purchase", amount: paidCredits, reference, note: null })
})

const bookPaidBack = Effect.fnUntraced(function* (tenantId: string, payment: PaidBack) {
  const amount = -creditsPaidBack(payment)
  if (amount === 0) return
  const reference = `refund:${payment.chargeId}:${payment.refunded}`
  yield* bookCredits({ tenantId, kind: "refund", amount, reference, note: null })
})

const keepJob = Effect.fnUntraced(function* (tenantId: string, noticeId: string, job: BillingJob) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Jobs).put({ tenantId, jobId: noticedId(noticeId), dueAt: now, createdAt: now, job })
})

const warn = (notice: BillingNotice) =>
  Effect.logWarning("A notice of payment names tenants that contradict each other; nothing follows from it").pipe(
    Effect.annotateLogs({ notice: notice.noticeId, type: notice.type, customer: notice.customerId })
  )

/** Notes whose customer it is, where the account has none yet; false: it has another one. */
const bindCustomer = Effect.fnUntraced(function* (tenantId: string, customerId: string | null) {
  const accounts = yield* BillingAccounts
  const account = (yield* accounts.find(tenantId)) ?? newAccount(tenantId)
  if (customerId === null || account.customerId === customerId) return true
  if (account.customerId !== null) return false
  yield* accounts.save({ ...account, customerId })
  return true
})

/** What is written down of a notice; runs inside a unit of work. */
const follow = Effect.fnUntraced(function* (tenantId: string, provider: string, notice: BillingNotice) {
  const { customerId, fact, noticeId } = notice
  if (!(yield* bindCustomer(tenantId, customerId))) return yield* warn(notice)
  const now = yield* Clock.currentTimeMillis
  if (!(yield* (yield* Notices).take(tenantId, provider, noticeId, now))) return
  switch (fact._tag) {
    case "Ignored":
      return
    case "Look":
      return yield* keepJob(tenantId, noticeId, look)
    case "CheckoutToRead":
      return yield* keepJob(tenantId, noticeId, { ...look, checkoutId: fact.checkoutId })
    case "CheckoutEnded":
      yield* bookCheckout(tenantId, fact.checkout)
      return yield* keepJob(tenantId, noticeId, look)
    case "PaidBack":
      return yield* bookPaidBack(tenantId, fact.payment)
  }
})

/**
 * Takes what a provider of payments tells. How a tenant stands is never taken from a notice, because notices come in any
 * order: they only say that it is time to look. What a notice alone tells (money for credits, money paid back) is booked
 * under a reference of its own, and so once.
 */
export const takeBillingNotice = Effect.fn("takeBillingNotice")(function* (provider: string, notice: BillingNotice) {
  if (notice.fact._tag === "Ignored") return
  const { customerId } = notice
  const stored = customerId === null ? [] : yield* (yield* BillingAccounts).ofCustomer(customerId)
  const { contradictory, tenantId } = ownerOf(notice, stored)
  if (contradictory) return yield* warn(notice)
  if (tenantId === null) return
  const known = yield* (yield* Tenants).get(tenantId).pipe(
    Effect.as(true),
    // What a tenant of old has paid still has to end.
    Effect.catchTag("TenantNotFound", () => Effect.succeed(stored.length > 0))
  )
  if (!known) return
  yield* (yield* Transactions).atomically(tenantId, follow(tenantId, provider, notice))
})
