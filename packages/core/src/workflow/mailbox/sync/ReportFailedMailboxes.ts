import { Clock, Effect } from "effect"
import { connectionFailedMillis, type MailboxSync } from "../../../domain/mailbox/MailboxSync.ts"
import type { NewEvent } from "../../../domain/webhook/Event.ts"
import { Grants } from "../../../port/repository/conversation/Grants.ts"
import { MailboxSyncs } from "../../../port/repository/conversation/MailboxSyncs.ts"
import { Transactions } from "../../../port/system/Transactions.ts"
import { recordEvents } from "../../webhook/Outbox.ts"
import { withSpan } from "../../WithSpan.ts"

/** The number of failures that one run reports. */
const reportedFailures = 200

const timeText = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())

/** Reports one failure, unless it has ended or another server has reported it. Runs inside a unit of work. */
const report = Effect.fnUntraced(function* (sync: MailboxSync, now: number) {
  const { error, failingSince, grantId, lastSyncAt, tenantId } = sync
  const grant = yield* (yield* Grants).find(tenantId, grantId)
  if (!(yield* (yield* MailboxSyncs).markReported(sync)) || grant === null) return
  const event: NewEvent = {
    type: "email.connection_failed",
    tenantId,
    data: {
      grant_id: grantId,
      provider: grant.provider,
      email: grant.email,
      error: error ?? "",
      failing_since: timeText(failingSince),
      last_sync_at: timeText(lastSyncAt)
    }
  }
  yield* recordEvents([event], now)
})

/** Reports the mailboxes that have failed for an hour (`connectionFailedMillis`), once per failure. */
export const reportFailedMailboxes = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  const failed = yield* (yield* MailboxSyncs).unreported(now - connectionFailedMillis, reportedFailures)
  const { atomically } = yield* Transactions
  yield* Effect.forEach(failed, (sync) => atomically(sync.tenantId, report(sync, now)), { discard: true })
}, withSpan("reportFailedMailboxes"))
