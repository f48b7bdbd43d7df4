import { Clock, Effect } from "effect"
import { countedFrom } from "../../domain/sequence/SequenceLimits.ts"
import { type EnrolledGroup, Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { withSpan } from "../WithSpan.ts"
import { readSequence } from "./Sequences.ts"

/** The number of the newest enrolments of a sequence that its statistics count. */
export const maxCountedEnrolments = 10_000

/** The numbers of one group. */
export type GroupNumbers = Pick<EnrolledGroup, "answered" | "contacts" | "won">

const none: GroupNumbers = { contacts: 0, answered: 0, won: 0 }

/**
 * Returns what became of the contacts of a sequence: those who got its messages, and the holdout group. The newest
 * `maxCountedEnrolments` enrolments count.
 */
export const readSequenceStatistics = Effect.fnUntraced(function* (tenantId: string, id: string) {
  const { resumedAt, sequenceId } = yield* readSequence(tenantId, id)
  const from = countedFrom(yield* Clock.currentTimeMillis, resumedAt)
  const counts = yield* (yield* Sequences).countsSince(tenantId, sequenceId, from)
  const groups = yield* (yield* Enrolments).groups(tenantId, sequenceId, maxCountedEnrolments)
  const numbersOf = (isOut: boolean): GroupNumbers => groups.find(({ heldOut }) => heldOut === isOut) ?? none
  const since = groups.length === 0 ? null : Math.min(...groups.map((group) => group.since))
  return { enrolled: numbersOf(false), heldOut: numbersOf(true), since, counts }
}, withSpan("readSequenceStatistics"))
