import { Effect } from "effect"
import { newPace } from "../../domain/budget/Budget.ts"
import type { EnrolmentId } from "../../domain/Id.ts"
import type { Rule } from "../../domain/rule/Rule.ts"
import { findRule, RuleNotFound } from "../../domain/rule/RuleList.ts"
import { queuedTriggerOf } from "../../domain/rule/Trigger.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { Sequence } from "../../domain/sequence/Sequence.ts"
import { type Period, SimulationInvalid } from "../../domain/simulation/Simulation.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Segments } from "../../port/repository/contact/Segments.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { PastFacts } from "../../port/repository/pipeline/PastFacts.ts"
import { type PastRun, PastRuns } from "../../port/repository/pipeline/Runs.ts"
import { listEnriched } from "../contact/ListEnriched.ts"
import { decideAgain, hasInputs, sideOf } from "../pipeline/RunBacktest.ts"
import { withProposedRule } from "./ProposedRule.ts"
import type { Candidate } from "./RunEnrolments.ts"

/** Who enters the sequence. At most one field is not null. All null: the contacts who really entered it. */
export interface EntryCriterion {
  /** A segment whose present members enter at the start of the period. */
  readonly segmentId: string | null
  /** A rule of the tenant that starts the sequence. */
  readonly ruleId: string | null
  /** A rule that is not saved. It replaces the one with its id. */
  readonly rule: Rule | null
}

/** The contacts that may enter, in the order of time, and what limits the list. */
export interface CandidateList {
  readonly candidates: ReadonlyArray<Candidate>
  /** True if the period has more of them than the limit. */
  readonly more: boolean
  /** The messages that could not be decided again, as in a back-test. */
  readonly undecided: number
}

/** What the list of candidates depends on. */
export interface CandidateScope {
  readonly tenant: Tenant
  readonly sequence: Sequence
  readonly isProposed: boolean
  readonly period: Period
  readonly limit: number
  /** The enrolments that really began in the period, oldest first. */
  readonly actual: ReadonlyArray<Enrolment>
}

/** Returns an id for a simulated enrolment. Ids sort like the order of the candidates. */
const simulatedId = (index: number): EnrolmentId => `enr_simulated_${String(index).padStart(6, "0")}`

/** Repeats the real enrolments. */
const fromEnrolments = ({ actual, isProposed, limit }: CandidateScope): CandidateList => ({
  candidates: actual.slice(0, limit).map((enrolment) => ({
    enrolmentId: enrolment.enrolmentId,
    contactId: enrolment.contactId,
    at: enrolment.createdAt,
    leadId: enrolment.leadId,
    enrolledBy: enrolment.enrolledBy,
    enrolledByUser: enrolment.enrolledByUser,
    repliesAfter: enrolment.repliesAfter,
    version: isProposed ? null : (enrolment.history[0]?.version ?? enrolment.version),
    action: null,
    actual: enrolment
  })),
  more: actual.length > limit,
  undecided: 0
})

const membersPerPage = 250

/** Returns the present members of a segment, oldest first, up to a limit. */
const fromSegment = Effect.fnUntraced(function* ({ limit, period, tenant }: CandidateScope, segmentId: string) {
  const { tenantId } = tenant
  const { filters } = yield* (yield* Segments).get(tenantId, segmentId)
  const candidates: Array<Candidate> = []
  let cursor: string | null = null
  do {
    const page: Effect.Success<ReturnType<typeof listEnriched>> = yield* listEnriched(tenantId, filters, {
      cursor,
      limit: membersPerPage,
      sort: "created"
    })
    for (const { contact } of page.contacts) {
      if (contact.createdAt >= period.until) continue
      candidates.push({
        enrolmentId: simulatedId(candidates.length),
        contactId: contact.contactId,
        at: Math.max(period.since, contact.createdAt),
        leadId: undefined,
        enrolledBy: "simulation",
        enrolledByUser: null,
        repliesAfter: null,
        version: null,
        action: null,
        actual: null
      })
    }
    cursor = page.nextCursor
    yield* Effect.yieldNow
  } while (cursor !== null && candidates.length <= limit)
  return { candidates: candidates.slice(0, limit), more: candidates.length > limit, undecided: 0 }
})

/** Returns the rule of the criterion, and the tenant with it. Fails unless it reacts to messages. */
const ruleOf = Effect.fnUntraced(function* (
  tenant: Tenant,
  sequence: Sequence,
  { rule: proposed, ruleId }: EntryCriterion
) {
  const { config } = tenant
  const rule = proposed ?? findRule(config.rules, ruleId ?? "")?.rule ?? null
  if (rule === null) return yield* new RuleNotFound({ ruleId: ruleId ?? "" })
  const path = proposed === null ? "rule_id" : "rule"
  const fail = (message: string) => new SimulationInvalid({ issues: [{ path, message }] })
  const trigger = queuedTriggerOf(rule)
  if (trigger !== null)
    return yield* fail(
      `The rule has the trigger ${trigger.type}. Simulate the rule, or send a rule that reacts to messages.`
    )
  if (!rule.actions.some((action) => action.type === "start_sequence" && action.sequence === sequence.sequenceId))
    return yield* fail("The rule does not start this sequence. Add the action start_sequence.")
  const changed = yield* withProposedRule(tenant, rule, path)
  return { rule, tenant: changed }
})

/** The number of runs per read, as in a back-test. */
const runsPerPage = 50

/** Returns the messages in whose runs the rule would have started the sequence. */
const fromRule = Effect.fnUntraced(function* (scope: CandidateScope, criterion: EntryCriterion) {
  const { actual, limit, period, sequence } = scope
  const { rule, tenant } = yield* ruleOf(scope.tenant, sequence, criterion)
  const side = sideOf(tenant)
  const past = yield* PastRuns
  const pace = newPace()
  const found: Array<PastRun> = []
  let undecided = 0
  let cursor: string | null = null
  for (let ended = false; !ended;) {
    const page: ReadonlyArray<PastRun> = yield* past.page(tenant.tenantId, runsPerPage, cursor)
    for (const run of page) {
      if (run.createdAt >= period.until || run.createdAt < period.since) continue
      const decision = hasInputs(run, [side]) ? yield* decideAgain(side, run, pace) : null
      if (decision === null) undecided++
      else if (
        decision.wanted.some(
          ({ action, ruleId }) =>
            ruleId === rule.id && action.type === "start_sequence" && action.sequence === sequence.sequenceId
        )
      )
        found.push(run)
    }
    const oldest = page.at(-1)
    cursor = oldest?.signalId ?? null
    ended = oldest === undefined || oldest.createdAt < period.since || found.length > limit
    yield* Effect.yieldNow
  }
  const started = found.slice(0, limit).toReversed()
  const messages = yield* (yield* Messages).findAll(
    tenant.tenantId,
    started.map(({ messageId }) => messageId)
  )
  const receivedAt = new Map<string, number>(messages.map((message) => [message.messageId, message.receivedAt]))
  const byCause = new Map<string, Enrolment>()
  for (const one of actual)
    if (one.enrolledBy === `rule:${rule.id}`) byCause.set(`${one.contactId}:${one.repliesAfter}`, one)
  const candidates = started.map((run, index): Candidate => {
    const { contactId, createdAt, messageId } = run
    const cause = { receivedAt: receivedAt.get(messageId) ?? createdAt }
    const its = byCause.get(`${contactId}:${cause.receivedAt}`) ?? null
    return {
      enrolmentId: simulatedId(index),
      contactId,
      at: createdAt,
      leadId: its === null ? undefined : its.leadId,
      enrolledBy: `rule:${rule.id}`,
      enrolledByUser: null,
      repliesAfter: cause.receivedAt,
      version: null,
      action: { byRule: true, cause },
      actual: its
    }
  })
  const list: CandidateList = { candidates, more: found.length > limit, undecided }
  return list
})

/** Returns the contacts that enter the sequence by a criterion. */
export const candidatesOf = Effect.fnUntraced(function* (scope: CandidateScope, criterion: EntryCriterion) {
  const { rule, ruleId, segmentId } = criterion
  if (segmentId !== null) return yield* fromSegment(scope, segmentId)
  if (rule !== null || ruleId !== null) return yield* fromRule(scope, criterion)
  return fromEnrolments(scope)
})

/** Reads the enrolments that really began in the period, oldest first, at most one more than the limit. */
export const actualEnrolments = Effect.fnUntraced(function* (
  tenantId: string,
  sequenceId: string,
  { since, until }: Period,
  limit: number
) {
  return yield* (yield* PastFacts).enrolments(tenantId, sequenceId, since, until, limit + 1)
})
