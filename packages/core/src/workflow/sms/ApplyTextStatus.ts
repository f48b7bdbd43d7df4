import { Clock, Effect } from "effect"
import type { Delivery } from "../../domain/conversation/Message.ts"
import { isId } from "../../domain/Id.ts"
import { createReviewTask } from "../sending/SettleSend.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { applyNumberReport } from "../sending/RecordConsentChange.ts"
import { textKey } from "../../domain/conversation/OutgoingText.ts"
import type { TextMoved, TextState } from "../../domain/conversation/TextEvent.ts"

/** What a state at the provider is here. Whatever it tells of, it has taken. */
const deliveries: Readonly<Record<TextState, Delivery>> = {
  queued: "sent",
  sent: "sent",
  delivered: "delivered",
  undelivered: "bounced",
  failed: "failed"
}

/** ProviderEvents come in any order: a message only moves on, and its end stays its end. */
const ranks: Readonly<Record<Delivery, number>> = {
  queued: 0,
  unknown: 0,
  sent: 1,
  delivered: 2,
  bounced: 2,
  failed: 2
}

/**
 * Follows what a provider tells of a text of ours, after it has been verified: delivery moves forward, a send whose
 * outcome was unknown is settled, and what is said of the number is heeded. The same again, or something older, changes
 * nothing.
 */
export const applyTextStatus = Effect.fn("applyTextStatus")(function* (moved: TextMoved) {
  const { about, messageId, providerMessageId, state, tenantId } = moved
  if (!isId("msg", messageId)) return
  const follow = Effect.gen(function* () {
    const messages = yield* Messages
    const sends = yield* Sends
    const message = yield* messages.find(tenantId, messageId)
    const send = yield* sends.find(tenantId, messageId)
    if (message === null || send?.channel !== "sms") return
    const delivery = deliveries[state]
    const reason = moved.reason ?? `the provider reports it as ${state}`
    yield* sends.settle(send, "confirmed", reason, yield* Clock.currentTimeMillis)
    if (message.providerMessageId === null)
      yield* messages.recordProviderIds(tenantId, messageId, { internetMessageId: null, providerMessageId }, [
        textKey(providerMessageId)
      ])
    if (ranks[delivery] <= ranks[message.delivery ?? "queued"]) return
    yield* messages.setDelivery(tenantId, messageId, delivery)
    yield* applyNumberReport(send, about, reason)
    if (delivery === "bounced" || delivery === "failed") yield* createReviewTask(send, "A text did not arrive")
  })
  yield* (yield* Transactions).atomically(tenantId, follow)
})
