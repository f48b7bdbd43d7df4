import { Effect } from "effect"
import { answersAfter, type Enrolment, enrolmentOfKey } from "../../domain/sequence/Enrolment.ts"
import type { Reservation } from "../../domain/sending/Reservation.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"

/**
 * Returns whether the contact has written since the enrolment or the message that caused it. A message that was stored
 * after the enrolment is an answer, also if the clock of its server dated it earlier.
 */
export const hasAnswered = Effect.fnUntraced(function* (enrolment: Enrolment, contactId: string) {
  if (enrolment.answeredAt !== null) return true
  return yield* (yield* Messages).hasWrittenSince(enrolment.tenantId, contactId, answersAfter(enrolment))
})

/**
 * Returns why a message of a sequence must not leave any more, because its enrolment has stopped or the contact has
 * answered since the reservation. Null for other messages, and if the message may leave.
 */
export const haltOfSequence = Effect.fnUntraced(function* ({ contactId, key, tenantId }: Reservation) {
  const enrolmentId = enrolmentOfKey(key)
  if (enrolmentId === null) return null
  const enrolment = yield* (yield* Enrolments).find(tenantId, enrolmentId)
  if (enrolment === null) return "the enrolment in the sequence was deleted"
  if (enrolment.state === "stopped") return "the enrolment in the sequence has stopped"
  if (enrolment.state === "paused") return "the enrolment in the sequence is paused"
  const sequence = yield* (yield* Sequences)
    .get(tenantId, enrolment.sequenceId)
    .pipe(Effect.catchTag("SequenceNotFound", () => Effect.succeed(null)))
  if (sequence !== null && sequence.pausedAt !== null) return "the sequence is paused"
  return (yield* hasAnswered(enrolment, contactId))
    ? "the contact has answered since the enrolment in the sequence"
    : null
})
