import { Effect } from "effect"
import { makeBudget, runLimits } from "../../domain/budget/Budget.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { RecordFacts } from "../../domain/rule/RecordFact.ts"
import type { Rule } from "../../domain/rule/Rule.ts"
import { triggerFactsOf } from "../../domain/rule/TriggerFacts.ts"
import { recordFactsIn } from "../../domain/rule/UsedFacts.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { readNamedFacts } from "../fact/ReadRecordFacts.ts"
import { explainRules } from "../pipeline/ExplainRun.ts"

/** A rule, and the records of the contact for which it runs. */
export interface RuleSubject {
  readonly tenant: Tenant
  readonly rule: Rule
  readonly contact: Contact
  readonly lead: Lead | null
  readonly recordFacts: RecordFacts
}

/** Returns the lead of the conversation of a contact; null if it has none. */
export const leadOf = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  if (conversation === undefined || conversation.leadId === null) return null
  const find = (yield* Leads).get(tenantId, conversation.leadId)
  return yield* find.pipe(Effect.catchTag("LeadNotFound", () => Effect.succeed(null)))
})

/** Reads the values that the condition of a rule needs. */
export const readSubject = Effect.fnUntraced(function* (
  { contact, lead, rule, tenant }: Omit<RuleSubject, "recordFacts">,
  now: number
) {
  const records = { contact, contactId: contact.contactId, lead, before: null }
  const recordFacts = yield* readNamedFacts(tenant, recordFactsIn([rule]), records, now)
  return { tenant, rule, contact, lead, recordFacts } satisfies RuleSubject
})

/** Evaluates the condition of a rule. Returns the facts, and the result with its reason. */
export const explain = Effect.fnUntraced(function* (subject: RuleSubject, now: number) {
  const { timeAt } = yield* (yield* CompiledConfigs).of(subject.tenant)
  const facts = triggerFactsOf({ ...subject, now, time: timeAt(now) })
  const [story = null] = yield* explainRules([subject.rule], facts, makeBudget(runLimits))
  return { facts, story }
})

/** Evaluates the condition of a rule, and explains the result. */
export const evaluate = Effect.fnUntraced(function* (subject: RuleSubject, now: number) {
  const { story } = yield* explain(subject, now)
  return { isMatched: story?.outcome === "matched", reason: story?.reason ?? "" }
})
