import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { type Macro, MacroInvalid } from "../../domain/rule/Macro.ts"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Macros } from "../../port/repository/conversation/Macros.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { performActions, reportLeadChange } from "../action/PerformActions.ts"
import { performSequenceActions } from "../action/SequenceActions.ts"
import { renderActions } from "../action/RenderActions.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"

/** The result of a macro. */
export interface MacroRun {
  readonly macro: Macro
  readonly contact: Contact
  readonly actions: ReadonlyArray<RunAction>
}

const newestMessage = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const [message = null] = yield* (yield* Messages).before(tenantId, contactId, null, 1)
  return message
})

/** Renders the actions of a macro outside the unit of work, because a template may be slow. */
const render = Effect.fnUntraced(function* (tenant: Tenant, macro: Macro, contact: Contact, message: Message | null) {
  const now = yield* Clock.currentTimeMillis
  const wanted: ReadonlyArray<RequestedAction> = macro.actions.map((action) => ({ ruleId: macro.macroId, action }))
  const subject = { tenant, contact, now, message: message ?? { subject: null, body: "" } }
  return yield* runBudgeted(tenant.tenantId, (budget) => renderActions(subject, wanted, budget)).pipe(
    Effect.catchTag("BudgetExceeded", ({ reason }) =>
      Effect.fail(
        new MacroInvalid({ issues: [{ path: "actions", message: `The macro exceeds its budget: ${reason}` }] })
      )
    )
  )
})

/** Stores the lead if the actions changed it. Returns the outbound events about it. */
const storeLead = Effect.fnUntraced(function* (before: Lead | null, after: Lead | null, { name }: Macro, now: number) {
  if (before === null || after === null || before === after) return []
  const changed = { ...after, updatedAt: now }
  yield* (yield* Leads).update(changed, before)
  return yield* reportLeadChange(before, changed, { actor: "agent", reason: `the macro ${name}` }, now)
})

/**
 * Carries out the actions of a macro for a contact, in one unit of work. They concern the contact's newest lead that is
 * not won. Events are those of the single actions. Returns the outcome of every action.
 */
export const runMacro = Effect.fnUntraced(function* (tenant: Tenant, macroId: string, contactId: string) {
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const [macros, leads] = [yield* Macros, yield* Leads]
  const macro = yield* macros.get(tenantId, macroId)
  const message = yield* newestMessage(tenantId, contactId)
  const wanted = yield* render(tenant, macro, yield* requireUnmergedContact(tenantId, contactId), message)
  const causeId = yield* (yield* Ids).next("run")
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireUnmergedContact(tenantId, contactId)
      const lead = yield* leads.newestNotWon(tenantId, before.contactId)
      const target = { tenant, contact: before, lead, message, signalId: null, causeId, eventAt: null, now }
      const { actions: performed, contact, events, lead: after } = yield* performActions(target, wanted)
      const moved = yield* storeLead(lead, after, macro, now)
      yield* recordEvents([...events, ...moved], now)
      const actions = yield* performSequenceActions(target, wanted, performed)
      return { macro, contact, actions } satisfies MacroRun
    })
  )
}, withSpan("runMacro"))
