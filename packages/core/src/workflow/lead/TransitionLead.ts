import { Clock, Effect } from "effect"
import { recordTransition } from "../contact/RecordActivity.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { type LeadState, mayTransition, TransitionIllegal } from "../../domain/lead/LeadState.ts"
import { requireWritableLead } from "./FindLead.ts"

/** Changes the state of a lead and reports the reason to partners. No effect when the lead is already in that state. */
export const transitionLead = Effect.fn("transitionLead")(function* (
  tenantId: string,
  leadId: string,
  to: LeadState,
  reason: string | null
) {
  const now = yield* Clock.currentTimeMillis
  const [events, ids, leads] = [yield* Events, yield* Ids, yield* Leads]
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      if (before.state === to) return before
      const check = mayTransition(before.state, to)
      if (!check.ok) return yield* new TransitionIllegal({ from: before.state, to, legal: check.legal })
      const after = { ...before, state: to, updatedAt: now }
      yield* leads.update(after)
      yield* recordTransition(before, after, { actor: "agent", reason }, now)
      const why = { previous_state: before.state, reason }
      yield* events.append(tenantId, [leadEvent("lead.state_changed", after, yield* ids.next("evt"), now, why)])
      return after
    })
  )
})
