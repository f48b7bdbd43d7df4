import { Clock, Effect } from "effect"
import type { Delivery } from "../../domain/conversation/Message.ts"
import type { MessageId } from "../../domain/Id.ts"
import { isReported } from "../../domain/sending/DeliveryStep.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"

/** Adds a provider's report to the delivery history of a message. Runs inside a unit of work. */
export const addReport = Effect.fnUntraced(function* (
  tenantId: string,
  messageId: MessageId,
  delivery: Delivery,
  reason: string | null
) {
  if (!isReported(delivery)) return
  const at = yield* Clock.currentTimeMillis
  const step = { at, step: delivery, attempt: null, reason: reason?.slice(0, 500) ?? null }
  yield* (yield* Sends).addStep(tenantId, messageId, step)
})
