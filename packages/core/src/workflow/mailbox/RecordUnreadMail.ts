import { Clock, Effect } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { Ids } from "../../port/system/Ids.ts"

const maxDetailLength = 500

/**
 * Records in the inbound ledger that a mail of an account could not be read, so that no mail disappears unnoticed.
 * `location` identifies the mail in the account.
 */
export const recordUnreadMail = Effect.fnUntraced(function* (grant: Grant, location: string, reason: string) {
  yield* (yield* Arrivals).record({
    arrivalId: yield* (yield* Ids).next("arr"),
    tenantId: grant.tenantId,
    channel: "email",
    source: grant.provider,
    outcome: "failed",
    messageId: null,
    detail: `${location}: ${reason}`.slice(0, maxDetailLength),
    receivedAt: yield* Clock.currentTimeMillis
  })
})
