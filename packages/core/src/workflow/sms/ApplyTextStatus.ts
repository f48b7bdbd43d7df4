import { Clock, Effect } from "effect"
import type { Delivery } from "../../domain/conversation/Message.ts"
import { isId } from "../../domain/Id.ts"
import { changeDelivery } from "../provider/ChangeDelivery.ts"
import { createReviewTask } from "../sending/SettleSend.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { applyNumberReport } from "../sending/RecordConsentChange.ts"
import { textKey } from "../../domain/conversation/OutgoingText.ts"
import type { TextMoved, TextState } from "../../domain/conversation/TextEvent.ts"
import { addReport } from "../provider/AddReport.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * The delivery state for each state that a provider reports. The provider has accepted every message that it reports,
 * so `queued` becomes `sent`.
 */
const deliveries: Readonly<Record<TextState, Delivery>> = {
  queued: "sent",
  sent: "sent",
  delivered: "delivered",
  undelivered: "bounced",
  failed: "failed"
}

/**
 * The order of delivery states. Provider events can arrive in any order, so a message changes only to a state of a
 * higher rank.
 */
const ranks: Readonly<Record<Delivery, number>> = {
  queued: 0,
  unknown: 0,
  sent: 1,
  delivered: 2,
  bounced: 2,
  failed: 2
}

/**
 * Applies a verified status report of a text. Changes the outcome `unknown` of the send to `confirmed`. Then changes
 * the delivery state, which never returns to an earlier state. A report that the contact has opted out, or that the
 * number cannot be reached, also changes the contact. Repeated and older reports have no effect.
 */
export const applyTextStatus = Effect.fnUntraced(function* (moved: TextMoved) {
  const { about, messageId, providerMessageId, state, tenantId } = moved
  if (!isId("msg", messageId)) return
  const follow = Effect.gen(function* () {
    const messages = yield* Messages
    const sends = yield* Sends
    const message = yield* messages.find(tenantId, messageId)
    const send = yield* sends.find(tenantId, messageId)
    if (message === null || send?.channel !== "sms") return
    const delivery = deliveries[state]
    const reason = moved.reason ?? `the provider reports the text as ${state}`
    yield* sends.settle(send, "confirmed", reason, yield* Clock.currentTimeMillis)
    if (message.providerMessageId === null)
      yield* messages.recordProviderIds(tenantId, messageId, { internetMessageId: null, providerMessageId }, [
        textKey(providerMessageId)
      ])
    if (ranks[delivery] <= ranks[message.delivery ?? "queued"]) return
    yield* changeDelivery(tenantId, messageId, delivery, reason)
    yield* addReport(tenantId, messageId, delivery, reason)
    yield* applyNumberReport(send, about, reason)
    if (delivery === "bounced" || delivery === "failed") yield* createReviewTask(send, "A text did not arrive")
  })
  yield* (yield* Transactions).atomically(tenantId, follow)
}, withSpan("applyTextStatus"))
