/**
 * Saves sequences, enrols contacts, and runs the steps of enrolments. Reserving and transmitting a message belongs to
 * `workflow/sending`. Tests: `packages/testkit/src/suite/sequence`, `packages/core/test/domain/sequence`.
 */
import { Clock, Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId } from "../../domain/Id.ts"
import { cannedReplyVariables } from "../../domain/reply/CannedReply.ts"
import {
  emailStepVariables,
  maxSequences,
  maxSequenceVersions,
  notPaused,
  type SendStep,
  type Sequence,
  type SequenceFields,
  SequenceInvalid,
  SequenceLimitReached,
  SequenceNotFound,
  SequenceOutdated
} from "../../domain/sequence/Sequence.ts"
import { controlVariant, type StepChannel } from "../../domain/sequence/StepText.ts"
import { isUntilDate } from "../../domain/sequence/WaitUntil.ts"
import { workingHoursFault } from "../../domain/time/WorkingHours.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { below } from "../tenant/CheckConfig.ts"
import { templateIssue } from "../reply/CannedReplies.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the fields of a sequence that the audit trail records. */
const audited = ({ holdoutPercent, limits, name, sequenceId, steps, stopOn, version }: Sequence) => ({
  sequence_id: sequenceId,
  name,
  version,
  steps: steps.map((step) => step.name),
  stop_on: stopOn,
  holdout_percent: holdoutPercent,
  limits
})

type Issue = SequenceInvalid["issues"][number]

/** The templates of a text of a step. */
interface Texts {
  readonly subject?: string | null
  readonly body?: string
}

/** Returns the issues in the templates of a text on a channel. */
const textIssues = Effect.fnUntraced(function* (channel: StepChannel, texts: Texts) {
  const issues: Array<Issue> = []
  if (channel === "sms" && (texts.subject ?? null) !== null)
    issues.push({ path: "subject", message: "A text has no subject. Omit it." })
  for (const field of ["body", "subject"] as const) {
    const template = texts[field] ?? null
    const known = channel === "email" ? emailStepVariables : cannedReplyVariables
    const message = template === null ? null : yield* templateIssue(template, known)
    if (message !== null) issues.push({ path: field, message })
  }
  return issues
})

/** Returns the issues in a step that sends a message. */
const sendIssues = Effect.fnUntraced(function* (step: SendStep) {
  const { body, channel, fallback = [], variants = [] } = step
  const issues = [...(yield* textIssues(channel, step))]
  const names = new Set<string>([controlVariant])
  for (const [index, variant] of variants.entries()) {
    const path = `variants.${index}`
    if (names.has(variant.name))
      issues.push({ path: `${path}.name`, message: "The name is taken. Choose another one." })
    names.add(variant.name)
    issues.push(...(yield* textIssues(channel, variant)).map(below(path)))
  }
  for (const [index, other] of fallback.entries()) {
    const path = `fallback.${index}`
    if (other.channel === channel)
      issues.push({ path: `${path}.channel`, message: `The step already uses ${channel}. Choose another channel.` })
    issues.push(...(yield* textIssues(other.channel, other)).map(below(path)))
    if (other.body !== undefined) continue
    const inherited = [body, ...variants.map((variant) => variant.body)]
    for (const template of inherited) {
      const [issue] = yield* textIssues(other.channel, { body: template })
      if (issue !== undefined) {
        issues.push({ path: `${path}.body`, message: `The text of the step does not fit: ${issue.message}` })
        break
      }
    }
  }
  return issues
})

/** Returns the issues in waits for dates: the field must exist. A field that is deleted later counts as missing. */
const dateIssues = Effect.fnUntraced(function* (tenantId: string, steps: SequenceFields["steps"]) {
  const waits = [...steps.entries()].flatMap(([index, step]) =>
    step.kind === "wait" && isUntilDate(step.until)
      ? [{ path: `steps.${index}.until.field`, key: step.until.field }]
      : []
  )
  if (waits.length === 0) return []
  const fields = yield* (yield* CustomFields).list(tenantId, "contact")
  const dates = new Set(fields.filter(({ type }) => type === "date").map(({ key }) => key))
  const message = "Contacts have no custom field of the type date with this key. Create it first: POST …/fields"
  return waits.flatMap(({ key, path }): ReadonlyArray<Issue> => (dates.has(key) ? [] : [{ path, message }]))
})

/** Fails with `SequenceInvalid` unless the fields may be saved. */
export const requireValid = Effect.fnUntraced(function* (tenantId: string, { name, steps }: SequenceFields) {
  const issues: Array<Issue> = []
  if (name.trim() === "") issues.push({ path: "name", message: "The name is blank. Send a name." })
  const names = new Set<string>()
  for (const [index, step] of steps.entries()) {
    const path = `steps.${index}`
    if (names.has(step.name))
      issues.push({ path: `${path}.name`, message: "Another step has this name. Choose another one." })
    names.add(step.name)
    const fault = workingHoursFault(step.window ?? [])
    if (fault !== null) issues.push({ path: `${path}.window`, message: fault })
    if (step.kind === "send") issues.push(...(yield* sendIssues(step)).map(below(path)))
  }
  issues.push(...(yield* dateIssues(tenantId, steps)))
  if (issues.length > 0) return yield* new SequenceInvalid({ issues })
})

/** Returns a sequence that is not deleted. */
export const readSequence = Effect.fnUntraced(function* (tenantId: string, sequenceId: string) {
  const sequence = yield* (yield* Sequences).get(tenantId, sequenceId)
  return sequence.archivedAt === null ? sequence : yield* new SequenceNotFound({ sequenceId })
}, withSpan("readSequence"))

/** Returns a sequence that people have created. That of a rule changes only with the rule. */
const readChangeable = Effect.fnUntraced(function* (tenantId: string, sequenceId: string) {
  const sequence = yield* readSequence(tenantId, sequenceId)
  return sequence.ruleId === null ? sequence : yield* new SequenceNotFound({ sequenceId })
})

/** Creates a sequence. Fails with `SequenceLimitReached` when the tenant has `maxSequences`. */
export const createSequence = Effect.fnUntraced(function* (tenantId: string, fields: SequenceFields) {
  const now = yield* Clock.currentTimeMillis
  const sequenceId = yield* (yield* Ids).next("seq")
  const sequences = yield* Sequences
  yield* requireValid(tenantId, fields)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if ((yield* sequences.count(tenantId)) >= maxSequences)
        return yield* new SequenceLimitReached({ limit: maxSequences, of: "sequences" })
      const times = { archivedAt: null, createdAt: now, updatedAt: now }
      const created = { version: 1, migratesTo: 0, ruleId: null } as const
      const sequence: Sequence = { ...fields, ...times, ...notPaused, ...created, tenantId, sequenceId }
      yield* sequences.insert(sequence)
      yield* recordAuditChange({ before: null, after: audited(sequence) })
      return sequence
    })
  )
}, withSpan("createSequence"))

const sameContent = (one: SequenceFields, other: SequenceFields): boolean =>
  JSON.stringify([one.steps, one.stopOn]) === JSON.stringify([other.steps, other.stopOn])

/**
 * Changes a sequence. An absent field stays. Changed steps or conditions become a new version. Running enrolments keep
 * theirs, unless `migrate` is true: then they change to the new version before their next step (`nextStep`). Fails with
 * `SequenceOutdated` unless `versions` contains the current version; null permits every version.
 */
export const updateSequence = Effect.fnUntraced(function* (
  tenantId: string,
  sequenceId: string,
  change: Partial<SequenceFields>,
  migrate: boolean,
  versions: ReadonlyArray<number> | null = null
) {
  const now = yield* Clock.currentTimeMillis
  const sequences = yield* Sequences
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* readChangeable(tenantId, sequenceId)
      if (versions !== null && !versions.includes(before.version))
        return yield* new SequenceOutdated({ currentVersion: before.version })
      const changed: Sequence = { ...before, ...change, updatedAt: now }
      yield* requireValid(tenantId, changed)
      const isNew = !sameContent(before, changed)
      if (isNew && before.version >= maxSequenceVersions)
        return yield* new SequenceLimitReached({ limit: maxSequenceVersions, of: "versions" })
      const version = before.version + (isNew ? 1 : 0)
      const after: Sequence = { ...changed, version, migratesTo: migrate ? version : before.migratesTo }
      const { steps, stopOn } = before
      if (isNew)
        yield* sequences.keep({ tenantId, sequenceId: before.sequenceId, version: before.version, steps, stopOn })
      yield* sequences.replace(after)
      yield* recordAuditChange({ before: audited(before), after: audited(after) })
      return after
    })
  )
}, withSpan("updateSequence"))

/** Deletes a sequence. Its running enrolments stop at their next step and send nothing. */
export const deleteSequence = Effect.fnUntraced(function* (tenantId: string, sequenceId: string) {
  const now = yield* Clock.currentTimeMillis
  const sequences = yield* Sequences
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* readChangeable(tenantId, sequenceId)
      yield* sequences.replace({ ...before, archivedAt: now, updatedAt: now })
      yield* recordAuditChange({ before: audited(before), after: null })
    })
  )
}, withSpan("deleteSequence"))

const readKey = ([id]: CursorKey): string | null => (typeof id === "string" && isId("seq", id) ? id : null)

/** Returns a page of sequences, oldest first. */
export const listSequences = Effect.fnUntraced(function* (tenantId: string, page: PageRequest) {
  const sequences = yield* Sequences
  return yield* readPage(
    {
      scope: { tenantId, list: "sequences", filters: {} },
      fetch: (limit, after: string | null) => sequences.page(tenantId, limit, after),
      keyOf: ({ sequenceId }) => [sequenceId],
      readKey
    },
    page
  )
}, withSpan("listSequences"))
