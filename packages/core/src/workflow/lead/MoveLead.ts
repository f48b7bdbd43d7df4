import { Clock, Effect } from "effect"
import type { Lead } from "../../domain/lead/Lead.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { requireWritableLead } from "./FindLead.ts"
import { requireStage } from "../deal/LeadPlaces.ts"
import { inState, keepMoved } from "./TransitionLead.ts"

/**
 * Moves a lead to a stage of any pipeline of its tenant. If the stage has another lead state, performs the transition
 * with its rules. Has no effect when the lead already is in this stage.
 */
export const moveLead = Effect.fnUntraced(function* (
  tenantId: string,
  leadId: string,
  stageId: string,
  reason: string | null,
  lossReason: string | null
) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      const { pipeline, stage } = yield* requireStage(tenantId, stageId)
      const { pipelineId } = pipeline
      if (before.stageId === stage.stageId && before.state === stage.state) return before
      const moved = before.state === stage.state ? before : yield* inState(before, stage.state, lossReason)
      const after: Lead = { ...moved, pipelineId, stageId: stage.stageId, updatedAt: now }
      return yield* keepMoved(before, after, reason, now)
    })
  )
}, withSpan("moveLead"))
