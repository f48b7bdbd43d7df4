import { Clock, Effect } from "effect"
import { inboxEvent } from "../../domain/conversation/ConversationEvent.ts"
import { type Delivery, type Message, answersContact } from "../../domain/conversation/Message.ts"
import type { MessageId } from "../../domain/Id.ts"
import { deliveryEvent } from "../../domain/sending/DeliveryEvent.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { recordEvents } from "../webhook/Outbox.ts"

/** Returns whether the contact may have received a message with this delivery state. */
const mayHaveArrived = (delivery: Delivery): boolean =>
  delivery === "sent" || delivery === "delivered" || delivery === "unknown"

/** Ends the wait of the contact for an answer that was sent, or continues it. Reports a change of the wait. */
const adjustWait = Effect.fnUntraced(function* (message: Message, delivery: Delivery) {
  if (!answersContact(message)) return
  const { contactId, tenantId, timestamp } = message
  const conversations = yield* Conversations
  const isChanged = mayHaveArrived(delivery)
    ? yield* conversations.endWait(tenantId, contactId, timestamp)
    : yield* conversations.resumeWait(tenantId, contactId)
  if (!isChanged) return
  const rows = yield* conversations.among(tenantId, [contactId])
  const events = rows.map((row) => inboxEvent(tenantId, row, ["waiting_since"], "system"))
  yield* recordEvents(events, yield* Clock.currentTimeMillis)
})

/**
 * Lets the contact of a message that waits for another attempt wait further, because an answer counts only once it is
 * sent. Runs inside a unit of work.
 */
export const deferAnswer = Effect.fnUntraced(function* (tenantId: string, messageId: MessageId) {
  const message = yield* (yield* Messages).find(tenantId, messageId)
  if (message !== null) yield* adjustWait(message, "queued")
})

/**
 * Stores the delivery state of an outbound message, reports it, and adjusts the wait of its contact: a message that
 * failed or bounced is not an answer. Runs inside a unit of work.
 */
export const changeDelivery = Effect.fnUntraced(function* (
  tenantId: string,
  messageId: MessageId,
  delivery: Delivery,
  reason: string | null
) {
  const messages = yield* Messages
  const message = yield* messages.find(tenantId, messageId)
  if (message === null) return
  yield* messages.setDelivery(tenantId, messageId, delivery)
  const event = deliveryEvent(message, delivery, reason?.slice(0, 500) ?? null)
  if (event !== null) yield* recordEvents([event], yield* Clock.currentTimeMillis)
  yield* adjustWait(message, delivery)
})
