import { BillingAccount } from "@leadloom/core/internal/domain/billing/Account"
import { CreditTransaction as CreditTransactionNoun } from "@leadloom/core/internal/domain/billing/Credit"
import { CheckoutPage, paidPlans, subscriptionStatuses } from "@leadloom/core/internal/domain/billing/Payment"
import type { BillingReport } from "@leadloom/core/internal/workflow/billing/ReadBilling"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Conflict,
  IdempotencyConflict,
  IdempotencyInProgress,
  keyErrors,
  NotFound,
  ProviderError,
  ServiceUnavailable
} from "../errors.ts"
import {
  IdempotencyKey,
  isoTime,
  TenantPath,
  text,
  Timestamp,
  cursor,
  nextCursor,
  pageSize,
  unstated
} from "../schema/Field.ts"
import { computed, orNull, wire } from "../schema/Wire.ts"
import { Plan } from "./Usage.ts"
import { tenantId } from "../schema/Ids.ts"

const PaidPlan = Schema.Literals(paidPlans).annotate({ identifier: "PaidPlan", description: "A plan that costs money" })

const account = wire(BillingAccount, null, {
  pick: ["trialEndsAt", "periodStartsAt", "periodEndsAt", "cancelAtPeriodEnd"],
  names: { periodStartsAt: "current_period_start", periodEndsAt: "current_period_end" },
  computed: {
    subscribed_plan: computed(
      Schema.NullOr(Plan).annotate({ description: "The paid plan; null: there is none" }),
      ({ plan, subscriptionId }) => (subscriptionId === null ? null : plan)
    )
  }
})

export const BillingStatus = Schema.Struct({
  tenant_id: tenantId,
  plan: Plan.pipe(Schema.annotateKey({ description: "The plan whose limits apply now" })),
  status: Schema.Literals(subscriptionStatuses).annotate({
    description: "The status of the subscription in Stripe's terms"
  }),
  provider: Schema.Literals(["stripe", "local"]).annotate({ description: "The payment provider; local: no payments" }),
  ...account.schema.fields,
  grace_ends_at: Schema.NullOr(Timestamp).annotate({
    description: "The end of the grace period that follows a missed payment. The plan ends at this time"
  }),
  credits: Schema.Int.annotate({ description: "The balance of credits. Uses beyond the plan's limits consume credits" })
}).annotate({ identifier: "BillingStatus", description: "How a tenant pays and which plan applies" })

/** Encodes the billing state of a tenant. */
export const billingToJson = (report: BillingReport): typeof BillingStatus.Type => ({
  tenant_id: report.tenantId,
  plan: report.plan,
  status: report.status,
  provider: report.paidAtProvider ? "stripe" : "local",
  ...account.toJson(report.account),
  grace_ends_at: orNull(report.graceEndsAt, isoTime),
  credits: report.credits
})

export const { schema: Checkout, toJson: checkoutToJson } = wire(CheckoutPage, "Checkout", {
  description: "A page of the payment provider on which a person pays",
  omit: ["replayed"]
})

export const Activated = Schema.Struct({
  billing: BillingStatus.pipe(Schema.annotateKey({ description: "The state of billing" })),
  checkout: Schema.NullOr(Checkout).annotate({
    description: "The page on which the plan must be paid before it applies; null: the plan already applies"
  })
}).annotate({ identifier: "ActivatedPlan", description: "The state after the activation" })

export const ActivatePlan = Schema.Struct({
  plan: Schema.optionalKey(PaidPlan).pipe(
    Schema.annotateKey({ description: "Default: the current plan; for a trial: starter" })
  )
}).annotate({ identifier: "ActivatePlan", description: "The plan to activate" })

const oneOf = ({ credits, plan }: { readonly plan?: unknown; readonly credits?: unknown }): boolean =>
  (plan === undefined) !== (credits === undefined)

export const StartCheckout = Schema.Struct({
  plan: Schema.optionalKey(PaidPlan),
  credits: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))).annotate({
    description: "The number of credits to buy, 1 to 100,000"
  })
})
  .check(Schema.makeFilter(oneOf, { ...unstated, message: "Expected exactly one of plan and credits" }))
  .annotate({ identifier: "StartCheckout", description: "The object of the payment: either `plan` or `credits`" })

export const { schema: CreditTransaction, toJson: lineToJson } = wire(CreditTransactionNoun, "CreditTransaction", {
  description: "One immutable entry of the credit ledger",
  id: "transactionId",
  omit: ["tenantId", "number"],
  schemas: {
    amount: Schema.Int.annotate({ description: "The credits added; negative: the credits removed" }),
    reference: Schema.String.annotate({
      description: "The purpose of the transaction; a repeated reference has no further effect"
    })
  }
})

const max = 1_000_000_000

export const GrantCredits = Schema.Struct({
  kind: Schema.optionalKey(Schema.Literals(["grant", "adjustment", "expire"])).annotate({
    description: "Default: grant"
  }),
  amount: Schema.Int.check(Schema.isBetween({ minimum: -max, maximum: max })).annotate({
    description: "The credits to add; negative: the credits to remove"
  }),
  reference: text(120).annotate({
    description:
      "A reference of the operator, for example a contract number. A repeated reference has no further effect."
  }),
  note: Schema.optionalKey(Schema.NullOr(text(500))).annotate({
    description: "A note for people, at most 500 characters; null: none"
  })
}).annotate({ identifier: "GrantCredits", description: "Credits to add to or remove from a tenant" })

const query = {
  tenant_id: Schema.optionalKey(Schema.String).annotate({
    description: "The tenant; optional for a credential that reaches only one tenant"
  })
}
const ofProvider = [
  BadRequest,
  NotFound,
  Conflict,
  IdempotencyConflict,
  IdempotencyInProgress,
  ProviderError,
  ServiceUnavailable
] as const

export const BillingGroup = HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("status", "/billing/status", { query, success: BillingStatus, error: [BadRequest, NotFound] })
      .annotate(OpenApi.Summary, "Show how a tenant pays and which plan applies")
      .annotate(
        OpenApi.Description,
        "Without a payment provider, `provider` is `local` and plans apply without payment."
      )
      .annotate(Gate, gate("billing.status", { limiter: "admin" })),
    HttpApiEndpoint.post("activate", "/billing/activate", {
      query,
      headers: IdempotencyKey,
      payload: ActivatePlan,
      success: Activated,
      error: ofProvider
    })
      .annotate(OpenApi.Summary, "Activate a plan: end the trial, change the plan or withdraw the cancellation")
      .annotate(
        OpenApi.Description,
        "If the plan must be paid first, `checkout` contains the page; the plan applies after the payment."
      )
      .annotate(Gate, gate("billing.activate", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("checkout", "/billing/checkout", {
      query,
      headers: IdempotencyKey,
      payload: StartCheckout,
      success: Checkout.pipe(HttpApiSchema.status(201)),
      error: ofProvider
    })
      .annotate(OpenApi.Summary, "Create a payment page for a plan or for credits")
      .annotate(OpenApi.Description, "Answers 503 on a server without a payment provider.")
      .annotate(Gate, gate("billing.checkout", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("portal", "/billing/portal", {
      query,
      headers: IdempotencyKey,
      success: Schema.Struct({
        url: Schema.String.annotate({ description: "The URL of the page, valid for a few minutes" })
      }).annotate({ identifier: "BillingPortal", description: "The page on which the tenant manages its payments" }),
      error: ofProvider
    })
      .annotate(
        OpenApi.Summary,
        "Get the URL of the page on which the tenant manages invoices, card and cancellation; the URL is valid for a few minutes"
      )
      .annotate(OpenApi.Description, "Answers 503 on a server without a payment provider.")
      .annotate(Gate, gate("billing.portal", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.get("balance", "/billing/credits/balance", {
      query,
      success: Schema.Struct({
        tenant_id: tenantId,
        balance: Schema.Int.annotate({ description: "The number of credits" })
      }).annotate({
        identifier: "CreditBalance",
        description: "The credits that a tenant has"
      }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Show the credit balance of a tenant")
      .annotate(OpenApi.Description, "Uses beyond the plan's limits consume credits: one per action or model call.")
      .annotate(Gate, gate("billing.balance", { limiter: "admin" })),
    HttpApiEndpoint.get("transactions", "/billing/credits/transactions", {
      query: {
        ...query,
        limit: pageSize(100, 50),
        cursor
      },
      success: Schema.Struct({
        transactions: Schema.Array(CreditTransaction).annotate({ description: "The transactions, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "CreditTransactionPage", description: "A page of the credit ledger" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the credit transactions of a tenant, newest first")
      .annotate(OpenApi.Description, "The ledger is immutable. Each transaction states the balance after it.")
      .annotate(Gate, gate("billing.transactions", { limiter: "admin" })),
    HttpApiEndpoint.post("grant", "/admin/tenants/:tenant_id/credits", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: GrantCredits,
      success: CreditTransaction.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Add or remove credits of a tenant; a repeated reference has no further effect")
      .annotate(OpenApi.Description, "A reference that was used with other values is rejected with 409.")
      .annotate(Gate, gate("billing.grant", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Billing", description: "Plans, payments and credits of tenants" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
