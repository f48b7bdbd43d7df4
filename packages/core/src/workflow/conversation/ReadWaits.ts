import { Clock, Effect } from "effect"
import { signalIdOf } from "../../domain/classification/Signal.ts"
import type { Wait } from "../../domain/conversation/Wait.ts"
import type { MessageId } from "../../domain/Id.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"

/** The number of messages whose waits are read. A wait ends after at most one day, so only new messages can wait. */
const maxMessages = 100

/**
 * Returns the waits among the newest of these messages (oldest first): inbound messages that the pipeline processes
 * later, and outbound messages that are sent later. A message that is processed or sent right now does not wait.
 */
export const readWaits = Effect.fnUntraced(function* (tenantId: string, messageIds: ReadonlyArray<MessageId>) {
  const newest = messageIds.slice(-maxMessages)
  const now = yield* Clock.currentTimeMillis
  const processing = yield* (yield* Signals).waits(tenantId, newest.map(signalIdOf), now)
  const sending = yield* (yield* Sends).waits(tenantId, newest, now)
  return new Map<string, Wait>([...processing, ...sending].map((wait) => [wait.messageId, wait]))
})
