import { Clock, Effect } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { AssignedIds } from "../../port/provider/EmailTransport.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { changeDelivery } from "../provider/ChangeDelivery.ts"
import { queueAnswered } from "./QueueMailboxJobs.ts"
import { recordProviderIds } from "../intake/Recognise.ts"

/**
 * Marks a mail whose outcome was unknown as sent, because the provider has reported it. A mail in any other state does
 * not change.
 */
export const confirmReportedSend = Effect.fnUntraced(function* (
  tenantId: string,
  messageId: MessageId,
  providerGrantId: string,
  assigned: AssignedIds
) {
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const sends = yield* Sends
      const send = yield* sends.find(tenantId, messageId)
      if (send?.channel !== "email" || send.state !== "unknown") return
      const now = yield* Clock.currentTimeMillis
      const reason = "the provider reports the mail as sent"
      if (!(yield* sends.settle(send, "confirmed", reason, now))) return
      yield* changeDelivery(tenantId, messageId, "sent", reason)
      yield* recordProviderIds(send, { providerGrantId }, assigned)
      // A copy in the mailbox is the report, so only the flag of the answered mail is missing.
      yield* queueAnswered(send)
    })
  )
})
