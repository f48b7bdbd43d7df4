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
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/**
 * Records the credits of a paid checkout. Repeated calls have no effect, because the reference of the entry names the
 * checkout.
 */
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
  log("billing.event_ignored", {
    provider_event: providerEvent.providerEventId,
    event_type: providerEvent.type,
    customer: providerEvent.customerId
  })

/** Stores the customer id when the account has none. Returns false when the account already has another one. */
const bindCustomer = Effect.fnUntraced(function* (tenantId: string, customerId: string | null) {
  const accounts = yield* BillingAccounts
  const account = (yield* accounts.find(tenantId)) ?? newAccount(tenantId)
  if (customerId === null || account.customerId === customerId) return true
  if (account.customerId !== null) return false
  yield* accounts.save({ ...account, customerId })
  return true
})

/** Applies a provider event. Runs inside a unit of work. */
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
 * Receives an event of the payment provider. Events can arrive in any order, so the billing state is never taken from
 * an event; an event only triggers a refresh. Data that only the event contains (paid credits, refunds) is recorded
 * under a reference of its own, and therefore only once.
 */
export const receiveBillingEvent = Effect.fnUntraced(function* (provider: string, providerEvent: BillingEvent) {
  if (providerEvent.fact._tag === "Ignored") return
  const { customerId } = providerEvent
  const stored = customerId === null ? [] : yield* (yield* BillingAccounts).ofCustomer(customerId)
  const { contradictory, tenantId } = ownerOf(providerEvent, stored)
  if (contradictory) return yield* warn(providerEvent)
  if (tenantId === null) return
  const known = yield* (yield* Tenants).get(tenantId).pipe(
    Effect.as(true),
    // Events for an archived tenant are still needed, because its subscription must be cancelled.
    Effect.catchTag("TenantNotFound", () => Effect.succeed(stored.length > 0))
  )
  if (!known) return
  yield* (yield* Transactions).atomically(tenantId, follow(tenantId, provider, providerEvent))
}, withSpan("receiveBillingEvent"))
