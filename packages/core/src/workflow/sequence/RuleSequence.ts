import { Clock, Effect } from "effect"
import { maxSequenceVersions, notPaused, type Sequence, type SequenceFields } from "../../domain/sequence/Sequence.ts"
import { defaultSequenceLimits } from "../../domain/sequence/SequenceLimits.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Ids } from "../../port/system/Ids.ts"

/** The fields that the action of a rule determines. */
type RuleFields = Pick<SequenceFields, "name" | "steps" | "stopOn">

/** A rule holds no contact out, and the default limits pause its messages. */
const safeguards = { ...notPaused, holdoutPercent: 0, limits: defaultSequenceLimits }

const contentOf = ({ name, steps }: Pick<Sequence, "name" | "steps">): string => JSON.stringify([name, steps])

/** Returns the fields of the sequence of a rule that sends one message. */
export const ruleFields = (ruleId: string, step: Sequence["steps"][0]): RuleFields => ({
  name: `Rule ${ruleId}`,
  steps: [step],
  stopOn: []
})

/**
 * Returns the sequence of a rule with these fields: the known one, a new version of it, or a new sequence. Null if the
 * known one has `maxSequenceVersions` versions.
 */
export const plannedSequence = (
  known: Sequence | null,
  fields: RuleFields,
  created: Pick<Sequence, "ruleId" | "sequenceId" | "tenantId">,
  now: number
): Sequence | null => {
  if (known === null) {
    const times = { archivedAt: null, createdAt: now, updatedAt: now }
    return { ...fields, ...safeguards, ...times, version: 1, migratesTo: 0, ...created }
  }
  if (contentOf(known) === contentOf(fields)) return known
  return known.version >= maxSequenceVersions
    ? null
    : { ...known, ...fields, version: known.version + 1, updatedAt: now }
}

/**
 * Returns the sequence of a rule with these fields. Creates it, or adds a version if the rule has changed. Running
 * enrolments keep their version. Null if the sequence has `maxSequenceVersions` versions. Runs inside a unit of work.
 */
export const sequenceOfRule = Effect.fnUntraced(function* (tenantId: string, ruleId: string, fields: RuleFields) {
  const now = yield* Clock.currentTimeMillis
  const sequences = yield* Sequences
  const known = yield* sequences.ofRule(tenantId, ruleId)
  const sequenceId = known?.sequenceId ?? (yield* (yield* Ids).next("seq"))
  const sequence = plannedSequence(known, fields, { ruleId, sequenceId, tenantId }, now)
  if (sequence === null || sequence === known) return sequence
  if (known === null) yield* sequences.insert(sequence)
  else {
    const { steps, stopOn, version } = known
    yield* sequences.keep({ tenantId, sequenceId, version, steps, stopOn })
    yield* sequences.replace(sequence)
  }
  return sequence
})
