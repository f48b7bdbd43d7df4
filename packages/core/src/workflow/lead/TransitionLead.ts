import { Clock, Effect } from "effect"
import { recordTransition } from "../contact/RecordActivity.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { type LeadState, mayTransition, TransitionIllegal } from "../../domain/lead/LeadState.ts"
import { requireWritableLead } from "./FindLead.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Changes the state of a lead, and reports the change with its reason to partners. Has no effect when the lead already
 * has this state.
 */
export const transitionLead = Effect.fnUntraced(function* (
  tenantId: string,
  leadId: string,
  to: LeadState,
  reason: string | null
) {
  const now = yield* Clock.currentTimeMillis
  const leads = yield* Leads
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      if (before.state === to) return before
      const check = mayTransition(before.state, to)
      if (!check.ok) return yield* new TransitionIllegal({ from: before.state, to, legal: check.legal })
      const after = { ...before, state: to, updatedAt: now }
      yield* leads.update(after, before)
      yield* recordTransition(before, after, { actor: "agent", reason }, now)
      const why = { previous_state: before.state, reason }
      yield* recordEvents([leadEvent("lead.state_changed", after, why)], now)
      return after
    })
  )
}, withSpan("transitionLead"))
