import { Effect } from "effect"
import type { ContactId, MessageId, SignalId } from "../../domain/Id.ts"
import { GuardEvaluations } from "../../port/repository/pipeline/GuardEvaluations.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { Ids } from "../../port/system/Ids.ts"
import type { GuardRecord, GuardStage } from "../../domain/guardrail/GuardRecord.ts"
import type { GuardEvaluation } from "../../domain/guardrail/Guardrail.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Stores the guard evaluations of a reply in their order, and counts them. Runs inside the unit of work that applies
 * the resulting decision.
 */
export const recordGuardEvaluations = Effect.fnUntraced(function* (requested: {
  readonly tenantId: string
  readonly signalId: SignalId
  readonly contactId: ContactId
  readonly messageId: MessageId
  readonly evaluations: ReadonlyArray<GuardEvaluation>
  /** The time of the evaluations in epoch milliseconds. */
  readonly at: number
  /** The stage of the check. Absent for a reply that was just written. */
  readonly stage?: GuardStage
}) {
  const { at, contactId, evaluations, messageId, signalId, stage = "reply", tenantId } = requested
  if (evaluations.length === 0) return
  const ids = yield* Ids
  const records = yield* Effect.forEach(evaluations, (evaluation) =>
    Effect.map(ids.next("gev"), (evaluationId): GuardRecord => {
      const { guardrailId, kind, outcome, reason } = evaluation
      const what = { guardrailId, kind, outcome, reason: describeReason(reason) }
      return { ...what, evaluationId, tenantId, stage, signalId, messageId, contactId, createdAt: at }
    })
  )
  yield* (yield* GuardEvaluations).insert(tenantId, records)
}, withSpan("recordGuardEvaluations"))
