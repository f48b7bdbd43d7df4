import { Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { enrolmentOfKey } from "../../domain/sequence/Enrolment.ts"
import { optOutMillis } from "../../domain/sequence/SequenceLimits.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"

/**
 * Counts a bounce or a complaint for the sequence of a message. Has no effect for other messages. Runs inside a unit of
 * work, once per message.
 */
export const countReturned = Effect.fnUntraced(function* (message: Message, field: "bounced" | "complained") {
  const { messageId, receivedAt, tenantId } = message
  const send = yield* (yield* Sends).find(tenantId, messageId)
  const enrolmentId = send === null ? null : enrolmentOfKey(send.key)
  if (enrolmentId === null) return
  const enrolment = yield* (yield* Enrolments).find(tenantId, enrolmentId)
  if (enrolment === null) return
  yield* (yield* Sequences).countIncident(tenantId, enrolment.sequenceId, receivedAt, field)
})

/** The maximum number of sequences for which one opt-out counts. */
const maxCounted = 20

/**
 * Counts an opt-out of a contact for the sequences that have sent it a message in the last seven days. Each enrolment
 * counts once, so that a contact who changes its mind cannot pause a sequence. Runs inside a unit of work.
 */
export const countOptOut = Effect.fnUntraced(function* (tenantId: string, contactId: string, at: number) {
  const enrolments = yield* Enrolments
  const sequences = yield* Sequences
  const messaged = yield* enrolments.messagedSince(tenantId, contactId, at - optOutMillis, maxCounted)
  for (const enrolment of messaged) {
    const { lastSentAt, optedOutAt, sequenceId } = enrolment
    if (optedOutAt !== null || lastSentAt === null) continue
    yield* enrolments.replace({ ...enrolment, optedOutAt: at })
    yield* sequences.countIncident(tenantId, sequenceId, lastSentAt, "optedOut")
  }
})
