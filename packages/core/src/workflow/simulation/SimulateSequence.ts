import { Clock, Effect } from "effect"
import { type PageRequest, readShortList } from "../../domain/conversation/ReadPage.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { Sequence } from "../../domain/sequence/Sequence.ts"
import {
  enrolmentUntil,
  type EnrolmentTotals,
  isSameCourse,
  totalsOf
} from "../../domain/simulation/CompareEnrolments.ts"
import { type Period, periodOf, SimulationInvalid } from "../../domain/simulation/Simulation.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { readSequence, requireValid } from "../sequence/Sequences.ts"
import { withSpan } from "../WithSpan.ts"
import { makeAsOf } from "./AsOf.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"
import { actualEnrolments, candidatesOf, type EntryCriterion } from "./Candidates.ts"
import { runEnrolments, type Simulated } from "./RunEnrolments.ts"

/** A request to simulate a sequence. */
export interface SequenceSimulation extends EntryCriterion {
  /** The steps and conditions to simulate; null: those of the stored sequence. */
  readonly steps: Sequence["steps"] | null
  readonly stopOn: Sequence["stopOn"] | null
  /** The period in epoch milliseconds. Null: see `periodOf`. */
  readonly since: number | null
  readonly until: number | null
  /** The maximum number of contacts, and of messages that start the sequence. */
  readonly limit: number
}

/** A contact with its simulated enrolment and with the real one. */
export interface SimulatedContact {
  readonly contactId: Enrolment["contactId"]
  /** The time of the simulated enrolment, or of the real one if only that one exists. */
  readonly at: number
  readonly simulated: Enrolment | null
  /** Why the contact would not have entered; null: it would have. */
  readonly reason: string | null
  readonly actual: Enrolment | null
  /** Whether the two differ in a step, an outcome, a reason, a state, or in a time by more than `toleranceMillis`. */
  readonly differs: boolean
}

export interface SequenceSimulationResult {
  readonly period: Period
  /** The time that the simulation has reached. It is earlier than the end of the period if `maxDecisions` did not suffice. */
  readonly reached: number
  readonly version: number
  /** Whether more contacts enter in the period than the limit. */
  readonly more: boolean
  /** The messages that could not be decided again. */
  readonly undecided: number
  readonly simulated: EnrolmentTotals
  readonly actual: EnrolmentTotals
  readonly differing: number
  readonly items: ReadonlyArray<SimulatedContact>
  readonly nextCursor: string | null
}

const contactOf = ({ candidate, enrolment, reason }: Simulated, reached: number): SimulatedContact => {
  const actual = candidate.actual === null ? null : enrolmentUntil(candidate.actual, reached)
  const isSame = enrolment !== null && actual !== null && isSameCourse(enrolment, actual)
  const { at, contactId } = candidate
  return { contactId, at, simulated: enrolment, reason, actual, differs: !isSame }
}

/** Returns all contacts of the simulation in the order of time: those that it enrols, and those that really entered. */
const contactsOf = (
  results: ReadonlyArray<Simulated>,
  actual: ReadonlyArray<Enrolment>,
  reached: number
): ReadonlyArray<SimulatedContact> => {
  const paired = new Set(results.map(({ candidate }) => candidate.actual?.enrolmentId))
  const others = actual.filter(({ enrolmentId }) => !paired.has(enrolmentId))
  const alone = others.map((enrolment): SimulatedContact => ({
    contactId: enrolment.contactId,
    at: enrolment.createdAt,
    simulated: null,
    reason: null,
    actual: enrolmentUntil(enrolment, reached),
    differs: true
  }))
  return [...results.map((result) => contactOf(result, reached)), ...alone].toSorted(
    (one, other) => one.at - other.at || (keyOf(one)[1] < keyOf(other)[1] ? -1 : 1)
  )
}

const keyOf = ({ actual, at, simulated, contactId }: SimulatedContact): readonly [number, string] => [
  at,
  simulated?.enrolmentId ?? actual?.enrolmentId ?? contactId
]

/** Returns the sequence to simulate. Fails with `SequenceInvalid` if the proposed one could not be saved. */
const proposedOf = Effect.fnUntraced(function* (stored: Sequence, { steps, stopOn }: SequenceSimulation) {
  if (steps === null && stopOn === null) return null
  const proposed: Sequence = { ...stored, steps: steps ?? stored.steps, stopOn: stopOn ?? stored.stopOn }
  yield* requireValid(stored.tenantId, proposed)
  return proposed
})

const checkCriterion = ({ rule, ruleId, segmentId }: EntryCriterion) => {
  const given = [rule, ruleId, segmentId].filter((one) => one !== null).length
  const message = "Send only one of `segment_id`, `rule_id` and `rule`."
  return given <= 1 ? Effect.void : Effect.fail(new SimulationInvalid({ issues: [{ path: "rule", message }] }))
}

/** The enrolments of such a sequence depend on the past states of its rule, which are not stored. */
const ofRule = (ruleId: string) => {
  const message = `The sequence belongs to the rule ${ruleId}, and its messages are not simulated. Simulate another one.`
  return new SimulationInvalid({ issues: [{ path: "sequence_id", message }] })
}

/**
 * Simulates a sequence in a period of the past, next to what really happened. Contacts answer as they really did, and a
 * simulated message changes nothing but the limits of messages. Decides with the code of the engine. Stores and sends
 * nothing, and counts no use.
 */
export const simulateSequence = Effect.fnUntraced(function* (
  tenantId: string,
  sequenceId: string,
  simulation: SequenceSimulation,
  page: PageRequest
) {
  const { limit, ruleId, segmentId } = simulation
  const tenant = yield* (yield* Tenants).get(tenantId)
  const stored = yield* readSequence(tenantId, sequenceId)
  yield* checkCriterion(simulation)
  if (stored.ruleId !== null) return yield* ofRule(stored.ruleId)
  const period = periodOf(simulation, yield* Clock.currentTimeMillis)
  if (!("until" in period)) return yield* period
  const proposed = yield* proposedOf(stored, simulation)
  const sequence = proposed ?? stored
  const began = yield* actualEnrolments(tenantId, stored.sequenceId, period, limit)
  const scope = { tenant, sequence, isProposed: proposed !== null, period, limit, actual: began }
  const { candidates, more, undecided } = yield* candidatesOf(scope, simulation)
  const actual = began.slice(0, limit)
  const time: SimulatedTime = {
    tenantId,
    since: period.since,
    ruleName: null,
    sequence: proposed,
    replaced: new Set(actual.map(({ enrolmentId }) => enrolmentId)),
    now: period.since,
    current: "",
    enrolments: new Map(),
    slots: []
  }
  const asOf = yield* makeAsOf(time)
  const { reached, results } = yield* runEnrolments({ tenant, sequence, time, asOf, until: period.until }, candidates)
  const contacts = contactsOf(results, actual, reached)
  const filters = { sequenceId, segmentId, ruleId, since: period.since, until: period.until, limit }
  const shown = yield* readShortList(
    { scope: { tenantId, list: "simulation", filters }, items: contacts, keyOf },
    {
      limit: page.limit,
      ...(page.cursor !== null && { cursor: page.cursor })
    }
  )
  const found: SequenceSimulationResult = {
    period,
    reached,
    version: sequence.version,
    more: more || began.length > limit,
    undecided,
    simulated: totalsOf(contacts.flatMap((contact) => contact.simulated ?? [])),
    actual: totalsOf(contacts.flatMap((contact) => contact.actual ?? [])),
    differing: contacts.filter(({ differs }) => differs).length,
    ...shown
  }
  return found
}, withSpan("simulateSequence"))
