import { Api } from "@leadloom/api/internal/Api"
import { defaultPageSize } from "@leadloom/api/internal/admin/Simulations"
import { isoTime, millisOf } from "@leadloom/api/internal/schema/Field"
import { enrolmentToJson, historyToJson } from "@leadloom/api/internal/workspace/Sequences"
import type { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import type { EnrolmentTotals } from "@leadloom/core/internal/domain/simulation/CompareEnrolments"
import { defaultSimulated } from "@leadloom/core/internal/domain/simulation/Simulation"
import { type SimulatedContact, simulateSequence } from "@leadloom/core/internal/workflow/simulation/SimulateSequence"
import {
  type RuleSimulationResult,
  type SimulatedRun,
  simulateRule
} from "@leadloom/core/internal/workflow/simulation/SimulateRule"
import { triggerRunToJson } from "@leadloom/api/internal/workspace/Pipeline"
import type { TriggerRun } from "@leadloom/core/internal/domain/run/TriggerRun"
import type { RunTotals } from "@leadloom/core/internal/domain/simulation/CompareRuns"
import { Effect, Semaphore } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const millisOrNull = (text: string | undefined): number | null => (text === undefined ? null : millisOf(text))

const simulatedToJson = (enrolment: Enrolment) => {
  const { nextAt, state, step, stopReason, version } = enrolment
  return {
    version,
    state,
    stop_reason: stopReason,
    step,
    next_at: nextAt === null ? null : isoTime(nextAt),
    history: historyToJson(enrolment)
  }
}

const totalsToJson = ({ heldOut, ...totals }: EnrolmentTotals) => ({ ...totals, held_out: heldOut })

const contactToJson = ({ actual, at, contactId, differs, reason, simulated }: SimulatedContact) => ({
  contact_id: contactId,
  at: isoTime(at),
  simulated: simulated === null ? null : simulatedToJson(simulated),
  reason,
  actual: actual === null ? null : enrolmentToJson(actual),
  differs
})

const runTotalsToJson = ({ notMatched, ...totals }: RunTotals) => ({ ...totals, not_matched: notMatched })

const simulatedRunToJson = (
  { actions, leadId, reason, state, updatedAt }: TriggerRun,
  enrolments: SimulatedRun["enrolments"]
) => ({
  state,
  at: isoTime(updatedAt),
  lead_id: leadId,
  reason,
  actions: actions.map(({ outcome, reason: why, type }, position) => {
    const enrolment = enrolments[position] ?? null
    return { type, outcome, reason: why, enrolment: enrolment === null ? null : simulatedToJson(enrolment) }
  })
})

const causeToJson = ({ actual, cause, differs, enrolments, simulated }: SimulatedRun) => ({
  contact_id: cause.contactId,
  lead_id: cause.leadId,
  message_id: cause.messageId,
  task_id: cause.taskId,
  change: cause.change,
  cause_at: isoTime(cause.causeAt),
  run_at: isoTime(cause.runAt),
  simulated: simulated === null ? null : simulatedRunToJson(simulated, enrolments),
  actual: actual === null ? null : triggerRunToJson(actual),
  differs
})

const ruleSimulationToJson = ({
  items,
  nextCursor,
  period,
  reached,
  rule,
  trigger,
  ...found
}: RuleSimulationResult) => ({
  rule_id: rule.id,
  trigger: trigger.type,
  since: isoTime(period.since),
  until: isoTime(period.until),
  simulated_until: isoTime(reached),
  notes: found.notes,
  more: found.more,
  simulated: runTotalsToJson(found.simulated),
  actual: runTotalsToJson(found.actual),
  differing: found.differing,
  causes: items.map(causeToJson),
  next_cursor: nextCursor
})

/**
 * The maximum number of concurrent simulations per server. A simulation keeps one core busy, and the processing of
 * messages has priority.
 */
const atOnce = 1

/** Endpoints for simulations. */
export const layer = HttpApiBuilder.group(Api, "simulations", (handlers) =>
  Effect.map(Semaphore.make(atOnce), (semaphore) =>
    handlers.handleAll({
      sequence: Effect.fnUntraced(function* ({ params: { sequence_id, tenant_id }, payload }) {
        const simulation = {
          segmentId: payload.segment_id ?? null,
          ruleId: payload.rule_id ?? null,
          rule: payload.rule ?? null,
          steps: payload.steps ?? null,
          stopOn: payload.stop_on ?? null,
          since: millisOrNull(payload.since),
          until: millisOrNull(payload.until),
          limit: payload.max ?? defaultSimulated
        }
        const page = { limit: payload.limit ?? defaultPageSize, cursor: payload.cursor ?? null }
        const run = simulateSequence(tenant_id, sequence_id, simulation, page)
        const { actual, differing, items, more, nextCursor, period, reached, simulated, undecided, version } =
          yield* answer(semaphore.withPermits(1)(run))
        return {
          version,
          since: isoTime(period.since),
          until: isoTime(period.until),
          simulated_until: isoTime(reached),
          more,
          undecided,
          simulated: totalsToJson(simulated),
          actual: totalsToJson(actual),
          differing,
          contacts: items.map(contactToJson),
          next_cursor: nextCursor
        }
      }),
      rule: Effect.fnUntraced(function* ({ params: { tenant_id }, payload }) {
        const simulation = {
          ruleId: payload.rule_id ?? null,
          rule: payload.rule ?? null,
          since: millisOrNull(payload.since),
          until: millisOrNull(payload.until),
          limit: payload.max ?? defaultSimulated
        }
        const page = { limit: payload.limit ?? defaultPageSize, cursor: payload.cursor ?? null }
        const run = simulateRule(tenant_id, simulation, page)
        return ruleSimulationToJson(yield* answer(semaphore.withPermits(1)(run)))
      })
    })
  )
)
