import { Clock, Effect } from "effect"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type BillingJob, look, newAccount, providerEventJobId } from "../../domain/billing/Account.ts"
import { type BillingEvent, creditsPaidBack, ownerOf, type PaidBack } from "../../domain/billing/BillingEvent.ts"
import { recordCredits } from "./RecordCredits.ts"
import type { CheckoutState } from "../../domain/billing/Payment.ts"

/** Books the credits of a checkout that has been paid, once, whoever tells of it. */
export const recordCheckout = Effect.fnUntraced(function* (
  tenantId: string,
  { checkoutId, paidCredits }: CheckoutState
) {
  if (paidCredits === null) return
  const reference = `checkout:${checkoutId}`
  yield* recordCredits({ tenantId, kind: "purchase", amount: paidCredits, reference, note: null })
})

const bookPaidBack = Effect.fnUntraced(function* (tenantId: string, payment: PaidBack) {
  const amount = -creditsPaidBack(payment)
  if (amount === 0) return
  const reference = `refund:${payment.chargeId}:${payment.refunded}`
  yield* recordCredits({ tenantId, kind: "refund", amount, reference, note: null })
})

const keepJob = Effect.fnUntraced(function* (tenantId: string, providerEventId: string, job: BillingJob) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Jobs).put({ tenantId, jobId: providerEventJobId(providerEventId), dueAt: now, createdAt: now, job })
})

const warn = (providerEvent: BillingEvent) =>
  Effect.logWarning(
    "A provider event of a payment names tenants that contradict each other; nothing follows from it"
  ).pipe(
    Effect.annotateLogs({
      providerEvent: providerEvent.providerEventId,
      type: providerEvent.type,
      customer: providerEvent.customerId
    })
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

/** What is written down of a provider event; runs inside a unit of work. */
const follow = Effect.fnUntraced(function* (tenantId: string, provider: string, providerEvent: BillingEvent) {
  const { customerId, fact, providerEventId } = providerEvent
  if (!(yield* bindCustomer(tenantId, customerId))) return yield* warn(providerEvent)
  const now = yield* Clock.currentTimeMillis
  if (!(yield* (yield* ProviderEvents).receive(tenantId, provider, providerEventId, now))) return
  switch (fact._tag) {
    case "Ignored":
      return
    case "Look":
      return yield* keepJob(tenantId, providerEventId, look)
    case "CheckoutToRead":
      return yield* keepJob(tenantId, providerEventId, { ...look, checkoutId: fact.checkoutId })
    case "CheckoutEnded":
      yield* recordCheckout(tenantId, fact.checkout)
      return yield* keepJob(tenantId, providerEventId, look)
    case "PaidBack":
      return yield* bookPaidBack(tenantId, fact.payment)
  }
})

/**
 * Takes what a provider of payments tells. How a tenant stands is never taken from a provider event, because provider events come in any
 * order: they only say that it is time to look. What a provider event alone tells (money for credits, money paid back) is booked
 * under a reference of its own, and so once.
 */
export const receiveBillingEvent = Effect.fn("receiveBillingEvent")(function* (
  provider: string,
  providerEvent: BillingEvent
) {
  if (providerEvent.fact._tag === "Ignored") return
  const { customerId } = providerEvent
  const stored = customerId === null ? [] : yield* (yield* BillingAccounts).ofCustomer(customerId)
  const { contradictory, tenantId } = ownerOf(providerEvent, stored)
  if (contradictory) return yield* warn(providerEvent)
  if (tenantId === null) return
  const known = yield* (yield* Tenants).get(tenantId).pipe(
    Effect.as(true),
    // What a tenant of old has paid still has to end.
    Effect.catchTag("TenantNotFound", () => Effect.succeed(stored.length > 0))
  )
  if (!known) return
  yield* (yield* Transactions).atomically(tenantId, follow(tenantId, provider, providerEvent))
})
