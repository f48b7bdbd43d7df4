import { Clock, Effect } from "effect"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { OutboundEvent } from "../../domain/webhook/Event.ts"
import type { Grant } from "../../domain/email/Grant.ts"

/**
 * Notes that the owner of an account has to sign in again, and tells partners, once: nothing is read or sent until then,
 * and what is to be sent waits. An account that is disconnected meanwhile, or known to be expired, is left alone.
 */
export const expireGrant = Effect.fn("expireGrant")(function* (
  { grantId, tenantId }: Pick<Grant, "grantId" | "tenantId">,
  reason: string
) {
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const grants = yield* Grants
      const grant = yield* grants.current(tenantId)
      if (grant === null || grant.grantId !== grantId || grant.status === "expired") return
      const now = yield* Clock.currentTimeMillis
      yield* grants
        .update({ ...grant, status: "expired", updatedAt: now })
        .pipe(Effect.catchTag("GrantNotFound", () => Effect.void))
      const event: OutboundEvent = {
        eventId: yield* (yield* Ids).next("evt"),
        type: "grant.expired",
        tenantId,
        timestamp: now,
        data: { grant_id: grantId, provider: grant.provider, email: grant.email, reason: reason.slice(0, 500) }
      }
      yield* (yield* Events).append(tenantId, [event])
    })
  )
})
