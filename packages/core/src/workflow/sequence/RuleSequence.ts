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

/**
 * Returns the sequence of a rule with these fields. Creates it, or adds a version if the rule has changed. Running
 * enrolments keep their version. Null if the sequence has `maxSequenceVersions` versions. Runs inside a unit of work.
 */
export const sequenceOfRule = Effect.fnUntraced(function* (tenantId: string, ruleId: string, fields: RuleFields) {
  const now = yield* Clock.currentTimeMillis
  const sequences = yield* Sequences
  const known = yield* sequences.ofRule(tenantId, ruleId)
  if (known === null) {
    const sequenceId = yield* (yield* Ids).next("seq")
    const times = { archivedAt: null, createdAt: now, updatedAt: now }
    const created = { version: 1, migratesTo: 0, ruleId }
    const sequence: Sequence = { ...fields, ...safeguards, ...times, ...created, tenantId, sequenceId }
    yield* sequences.insert(sequence)
    return sequence
  }
  if (contentOf(known) === contentOf(fields)) return known
  const { sequenceId, steps, stopOn, version } = known
  if (version >= maxSequenceVersions) return null
  yield* sequences.keep({ tenantId, sequenceId, version, steps, stopOn })
  const changed: Sequence = { ...known, ...fields, version: version + 1, updatedAt: now }
  yield* sequences.replace(changed)
  return changed
})
