import { Clock, Effect } from "effect"
import { checkLossReason, withState } from "../../domain/lead/Deal.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { type LeadState, mayTransition, TransitionIllegal } from "../../domain/lead/LeadState.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { reportMove } from "../deal/ReportMove.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import { requireWritableLead } from "./FindLead.ts"

/** Returns the lead in another state, if the contract and the settings of the tenant allow the transition. */
export const inState = Effect.fnUntraced(function* (lead: Lead, to: LeadState, lossReason: string | null) {
  const { config } = yield* (yield* Tenants).get(lead.tenantId)
  const check = mayTransition(lead.state, to)
  if (!check.ok) return yield* new TransitionIllegal({ from: lead.state, to, legal: check.legal })
  const refused = checkLossReason(config.deals, to, lossReason)
  if (refused !== null) return yield* refused
  return withState(lead, to, lossReason)
})

/** Stores a lead that a person has moved, its timeline entry and its events. Runs inside a unit of work. */
export const keepMoved = Effect.fnUntraced(function* (before: Lead, after: Lead, reason: string | null, now: number) {
  yield* (yield* Leads).update(after, before)
  yield* recordEvents(yield* reportMove(before, after, { actor: "agent", reason }, now), now)
  return after
})

/**
 * Changes the state of a lead, and reports the change with its reason to partners. The lead moves to the first stage of
 * the new state. Has no effect when the lead already has this state.
 */
export const transitionLead = Effect.fnUntraced(function* (
  tenantId: string,
  leadId: string,
  to: LeadState,
  reason: string | null,
  lossReason: string | null = null
) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      if (before.state === to) return before
      const after: Lead = { ...(yield* inState(before, to, lossReason)), updatedAt: now }
      return yield* keepMoved(before, after, reason, now)
    })
  )
}, withSpan("transitionLead"))
