import { Clock, Effect } from "effect"
import { recordEvents } from "../webhook/Outbox.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Marks an account as expired until its owner signs in again, and reports this to partners once. Until then, outbound
 * mail waits. Has no effect when the account is disconnected or already expired.
 */
export const expireGrant = Effect.fnUntraced(function* (
  { grantId, tenantId }: Pick<Grant, "grantId" | "tenantId">,
  reason: string
) {
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const grants = yield* Grants
      const grant = yield* grants.find(tenantId, grantId)
      if (grant === null || grant.status === "expired") return
      const now = yield* Clock.currentTimeMillis
      yield* grants
        .update({ ...grant, status: "expired", updatedAt: now })
        .pipe(Effect.catchTag("GrantNotFound", () => Effect.void))
      const event: NewEvent = {
        type: "grant.expired",
        tenantId,
        data: { grant_id: grantId, provider: grant.provider, email: grant.email, reason: reason.slice(0, 500) }
      }
      yield* recordEvents([event], now)
    })
  )
}, withSpan("expireGrant"))

/** Marks an expired account as active, because its provider accepts the login again. */
export const activateGrant = Effect.fnUntraced(function* ({
  grantId,
  status,
  tenantId
}: Pick<Grant, "grantId" | "status" | "tenantId">) {
  if (status === "active") return
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const grants = yield* Grants
      const there = yield* grants.find(tenantId, grantId)
      if (there === null) return
      const updatedAt = yield* Clock.currentTimeMillis
      yield* grants
        .update({ ...there, status: "active", updatedAt })
        .pipe(Effect.catchTag("GrantNotFound", () => Effect.void))
    })
  )
})
