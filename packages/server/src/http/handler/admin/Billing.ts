import { billingToJson, checkoutToJson, lineToJson } from "@leadloom/api/internal/admin/Billing"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/admin/Billing"
import { BadRequest } from "@leadloom/api/internal/errors"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import { tenantsOf } from "@leadloom/core/internal/domain/access/Principal"
import { activatePlan } from "@leadloom/core/internal/workflow/billing/ActivatePlan"
import { grantCredits } from "@leadloom/core/internal/workflow/billing/GrantCredits"
import { readCreditBalance, listCredits } from "@leadloom/core/internal/workflow/billing/ListCredits"
import { openPortal, startCheckout } from "@leadloom/core/internal/workflow/billing/Checkout"
import type { Purchase } from "@leadloom/core/internal/domain/billing/Payment"
import { readBilling } from "@leadloom/core/internal/workflow/billing/ReadBilling"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { idempotencyKeyOf, setReplayHeader } from "../../middleware/SendAnswer.ts"

/** The default number of entries per page. */
const defaultPageSize = 50

const purchaseOf = ({ credits, plan }: typeof Wire.StartCheckout.Type): Purchase =>
  plan === undefined ? { _tag: "CreditPurchase", credits: credits ?? 0 } : { _tag: "PlanPurchase", plan }

/** Returns the tenant in the query; without one, the only tenant that the caller may access. */
const tenantOf = Effect.fnUntraced(function* ({ tenant_id }: { readonly tenant_id?: string }) {
  if (tenant_id !== undefined) return tenant_id
  const tenants = tenantsOf(yield* Principal)
  const [only] = tenants
  if (tenants !== "all" && tenants.length === 1 && only !== undefined) return only
  return yield* BadRequest.of("The request does not name a tenant.", [
    { path: "tenant_id", message: "This credential has access to several tenants. Send ?tenant_id=…" }
  ])
})

/** Endpoints for plans, payments and credits. */
export const layer = HttpApiBuilder.group(Api, "billing", (handlers) =>
  handlers.handleAll({
    status: Effect.fnUntraced(function* ({ query }) {
      return billingToJson(yield* answer(readBilling(yield* tenantOf(query))))
    }),
    activate: Effect.fnUntraced(function* ({ headers, payload, query }) {
      const requested = activatePlan(yield* tenantOf(query), payload.plan ?? null, yield* idempotencyKeyOf(headers))
      const { checkout, report } = yield* answer(requested)
      if (checkout?.replayed === true) yield* setReplayHeader
      return { billing: billingToJson(report), checkout: orNull(checkout, checkoutToJson) }
    }),
    checkout: Effect.fnUntraced(function* ({ headers, payload, query }) {
      const requested = startCheckout(yield* tenantOf(query), purchaseOf(payload), yield* idempotencyKeyOf(headers))
      const page = yield* answer(requested)
      if (page.replayed) yield* setReplayHeader
      return checkoutToJson(page)
    }),
    portal: Effect.fnUntraced(function* ({ headers, query }) {
      return { url: yield* answer(openPortal(yield* tenantOf(query), yield* idempotencyKeyOf(headers))) }
    }),
    balance: Effect.fnUntraced(function* ({ query }) {
      const tenants = yield* Tenants
      const { tenantId } = yield* answer(tenants.get(yield* tenantOf(query)))
      return { tenant_id: tenantId, balance: yield* answer(readCreditBalance(tenantId)) }
    }),
    transactions: Effect.fnUntraced(function* ({ query: { cursor = null, limit = defaultPageSize, ...query } }) {
      const tenants = yield* Tenants
      const { tenantId } = yield* answer(tenants.get(yield* tenantOf(query)))
      const { items, nextCursor } = yield* answer(listCredits(tenantId, { limit, cursor }))
      return { transactions: items.map(lineToJson), next_cursor: nextCursor }
    }),
    grant: Effect.fnUntraced(function* ({ params, payload: { amount, kind = "grant", note = null, reference } }) {
      const { isNew, line } = yield* answer(grantCredits(params.tenant_id, { kind, amount, reference, note }))
      if (!isNew) yield* setReplayHeader
      return lineToJson(line)
    })
  })
)
