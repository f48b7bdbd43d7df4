import { Effect } from "effect"
import { encodeId, type EnrolmentId } from "../../domain/Id.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import type { Action } from "../../domain/rule/Rule.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { Sequence } from "../../domain/sequence/Sequence.ts"
import { toleranceMillis } from "../../domain/simulation/CompareEnrolments.ts"
import { PastFacts } from "../../port/repository/pipeline/PastFacts.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { done, skipped } from "../action/AssignAction.ts"
import { messageStep } from "../action/SequenceActions.ts"
import { plannedSequence, ruleFields } from "../sequence/RuleSequence.ts"
import { readSequence } from "../sequence/Sequences.ts"
import { makeAsOf } from "./AsOf.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"
import type { CauseScope } from "./CauseScope.ts"
import type { SimulatedCause } from "./RunCauses.ts"
import { type Candidate, runEnrolments } from "./RunEnrolments.ts"

/** An action that starts a sequence or sends a message, and the run that requests it. */
interface Start {
  readonly run: TriggerRun
  readonly position: number
}

/** What would have become of an action that starts a sequence or sends a message. */
export interface StartedAction {
  readonly outcome: Pick<RunAction, "outcome" | "reason">
  /** The course of the enrolment; null: the contact would not have entered. */
  readonly enrolment: Enrolment | null
}

type StartAction = Extract<Action, { readonly type: "start_sequence" | "send_template" }>

/** Returns the sequence of an action, or why there is none. */
const sequenceOf = Effect.fnUntraced(function* ({ period, rule, tenant }: CauseScope, action: StartAction) {
  const { tenantId } = tenant
  if (action.type === "start_sequence")
    return yield* readSequence(tenantId, action.sequence).pipe(
      Effect.catchTag("SequenceNotFound", ({ sequenceId }) =>
        Effect.succeed(`the sequence ${sequenceId} does not exist`)
      )
    )
  const step = yield* messageStep(tenantId, action).pipe(
    Effect.catchTag("CannedReplyNotFound", ({ cannedReplyId }) =>
      Effect.succeed(`the canned reply ${cannedReplyId} does not exist`)
    )
  )
  if (step === null) return "the action has no text"
  if (typeof step === "string") return step
  const ruleId = rule.rule.id
  const known = yield* (yield* Sequences).ofRule(tenantId, ruleId)
  const sequenceId = known?.sequenceId ?? encodeId("seq", period.since, new Uint8Array(10))
  const planned = plannedSequence(known, ruleFields(ruleId, step), { ruleId, sequenceId, tenantId }, period.since)
  return planned ?? "the rule has had too many texts"
})

const simulatedId = (index: number): EnrolmentId => `enr_simulated_${String(index).padStart(6, "0")}`

/** Returns the real enrolment of the same start. */
const actualOf = (actual: ReadonlyArray<Enrolment>, { run }: Start): Enrolment | null =>
  actual.find(
    ({ contactId, createdAt }) => contactId === run.contactId && Math.abs(createdAt - run.updatedAt) <= toleranceMillis
  ) ?? null

/** Simulates the enrolments in one sequence. */
const runSequence = Effect.fnUntraced(function* (
  { period, rule, tenant }: CauseScope,
  sequence: Sequence,
  starts: ReadonlyArray<Start>,
  reached: number
) {
  const { tenantId } = tenant
  const { since, until } = period
  const past = yield* PastFacts
  const enrolledBy = `rule:${rule.rule.id}`
  const stored = yield* past.enrolments(tenantId, sequence.sequenceId, since, until, starts.length + maxOthers)
  const actual = stored.filter((enrolment) => enrolment.enrolledBy === enrolledBy)
  const time: SimulatedTime = {
    tenantId,
    since,
    ruleName: rule.rule.name,
    sequence,
    replaced: new Set(actual.map(({ enrolmentId }) => enrolmentId)),
    now: since,
    current: "",
    enrolments: new Map(),
    slots: []
  }
  const candidates = starts.map((start, index): Candidate => ({
    enrolmentId: simulatedId(index),
    contactId: start.run.contactId,
    at: start.run.updatedAt,
    leadId: start.run.leadId ?? undefined,
    enrolledBy,
    enrolledByUser: null,
    repliesAfter: null,
    version: null,
    action: { byRule: true, cause: null, trigger: rule.trigger.type },
    actual: actualOf(actual, start)
  }))
  const asOf = yield* makeAsOf(time)
  const tenants = yield* Tenants
  // A proposed rule is not stored, and its messages stop without it.
  return yield* runEnrolments({ tenant, sequence, time, asOf, until: reached }, candidates).pipe(
    Effect.provideService(Tenants, Tenants.of({ ...tenants, get: () => Effect.succeed(tenant) }))
  )
})

/** The maximum number of real enrolments in a sequence that do not belong to the rule. */
const maxOthers = 5_000

const outcomeOf = ({ name }: Sequence, enrolment: Enrolment | null, reason: string | null): StartedAction => {
  if (enrolment === null) return { outcome: skipped(reason ?? "the simulation ended earlier"), enrolment }
  if (enrolment.state === "held_out")
    return { outcome: skipped(`the contact is in the holdout group of ${name}`), enrolment: null }
  return { outcome: done(`in ${name}`), enrolment }
}

/** Returns the key of an action in the result of `runStarts`. */
export const startKey = ({ triggerRunId }: Pick<TriggerRun, "triggerRunId">, position: number): string =>
  `${triggerRunId}:${position}`

/**
 * Simulates the sequences and messages that the runs start, as a simulation of a sequence does. Returns what would have
 * become of each action.
 */
export const runStarts = Effect.fnUntraced(function* (
  scope: CauseScope,
  results: ReadonlyArray<SimulatedCause>,
  reached: number
) {
  const started = new Map<string, StartedAction>()
  for (const [position, action] of scope.rule.rule.actions.entries()) {
    if (action.type !== "start_sequence" && action.type !== "send_template") continue
    const starts = results.flatMap(({ run }) => (run?.state === "ran" ? [{ run, position }] : []))
    const sequence = yield* sequenceOf(scope, action)
    if (typeof sequence === "string") {
      for (const { run } of starts)
        started.set(startKey(run, position), { outcome: skipped(sequence), enrolment: null })
      continue
    }
    const { results: courses } = yield* runSequence(scope, sequence, starts, reached)
    for (const [index, { enrolment, reason }] of courses.entries()) {
      const run = starts[index]?.run
      if (run !== undefined) started.set(startKey(run, position), outcomeOf(sequence, enrolment, reason))
    }
  }
  return started
})
