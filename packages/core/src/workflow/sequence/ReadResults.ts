import { Effect } from "effect"
import { countResults, maxResultEnrolments, sentEntries } from "../../domain/sequence/StepResults.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { TrackedLinks } from "../../port/repository/sequence/TrackedLinks.ts"
import { withSpan } from "../WithSpan.ts"
import { readSequence } from "./Sequences.ts"

/**
 * Returns how many messages the steps of a sequence have sent, and how many of them were answered or had a link that was
 * opened, by variant. Counts the
 * newest `maxResultEnrolments` enrolments.
 */
export const readResults = Effect.fnUntraced(function* (tenantId: string, sequenceId: string) {
  const enrolments = yield* Enrolments
  const sequence = yield* readSequence(tenantId, sequenceId)
  const recent = yield* enrolments.recent(tenantId, sequence.sequenceId, maxResultEnrolments)
  const sending = recent.flatMap(({ contactId, enrolmentId, history }) => {
    const [first] = sentEntries(history)
    return first === undefined ? [] : [{ enrolmentId, contactId, history, since: first.at }]
  })
  const answers = yield* enrolments.answers(tenantId, sending)
  const counted = sending.map(({ enrolmentId, history }) => ({
    history,
    answeredAt: answers.get(enrolmentId) ?? null
  }))
  const ids = sending.map(({ enrolmentId }) => enrolmentId)
  const opened = yield* (yield* TrackedLinks).openedMessages(tenantId, ids)
  return { enrolments: recent.length, results: countResults(counted, opened) }
}, withSpan("readResults"))
