import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { isCompanyFact, type RecordFacts, recordFactsOf } from "../../domain/rule/RecordFact.ts"
import { isEnabled, type Rule } from "../../domain/rule/Rule.ts"
import { isAnswerTrigger, queuedTriggerOf } from "../../domain/rule/Trigger.ts"
import { recordFactsIn } from "../../domain/rule/UsedFacts.ts"
import { type TriggerRun, triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { findCompany } from "../contact/LinkCompany.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { never, type NotNow } from "./NotNow.ts"
import { readChanged } from "./ReadChanged.ts"

/** Everything on which the decision of a due run depends. */
export interface Due {
  readonly tenant: Tenant
  readonly rule: Rule
  readonly contact: Contact
  readonly lead: Lead | null
  readonly recordFacts: RecordFacts
}

/** The delay of a run whose message still waits for its provider, in milliseconds. */
const queuedMillis = 600_000

/** The delay of a run whose tenant is archived and may be restored, in milliseconds. */
const archivedMillis = 3_600_000

/** Returns why the contact of our message cannot be said to have given no answer; null if it has not. */
const answerOf = Effect.fnUntraced(function* (message: Message, contactId: string, now: number) {
  const { delivery, receivedAt, tenantId, timestamp } = message
  if (delivery === "failed" || delivery === "bounced") return never("our message did not reach the contact")
  if (yield* (yield* Messages).hasWrittenSince(tenantId, contactId, receivedAt))
    return never("the contact has written since")
  // Until it is sent, the conversation still waits for our answer.
  if (delivery === "queued")
    return { reason: "our message waits for its provider", until: now + queuedMillis } satisfies NotNow
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  if (conversation === undefined) return never("the conversation was deleted")
  if (conversation.waitingSince !== null) return never("the contact waits for our answer")
  if (conversation.answeredAt > timestamp) return never("our side has written a newer message")
  return null
})

/** Returns why the contact does not wait for an answer to its message; null if it does. */
const ourAnswerOf = Effect.fnUntraced(function* ({ tenantId, timestamp }: Message, contactId: string) {
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  const isWaiting = conversation !== undefined && conversation.waitingSince === timestamp
  return isWaiting ? null : never("our side has answered or closed the conversation")
})

/** Returns why the message of a run is no cause any more; null if it is. */
const answersOf = Effect.fnUntraced(function* (run: TriggerRun, { contactId }: Contact, now: number) {
  const message = run.messageId === null ? null : yield* (yield* Messages).find(run.tenantId, run.messageId)
  if (message === null) return never("the message was deleted")
  return yield* run.trigger === "no_answer" ? answerOf(message, contactId, now) : ourAnswerOf(message, contactId)
})

/** Returns the lead of the conversation of a contact; null if it has none. */
const leadOf = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  if (conversation === undefined || conversation.leadId === null) return null
  const find = (yield* Leads).get(tenantId, conversation.leadId)
  return yield* find.pipe(Effect.catchTag("LeadNotFound", () => Effect.succeed(null)))
})

/** Reads what a rule compares of a contact. Without a changed lead, the lead is that of the conversation. */
export const readAbout = Effect.fnUntraced(function* (
  tenant: Tenant,
  rule: Rule,
  contact: Contact,
  changed: Lead | null
) {
  const lead = changed ?? (yield* leadOf(tenant.tenantId, contact.contactId))
  const names = recordFactsIn([rule])
  const company = names.some(isCompanyFact) ? yield* findCompany(contact) : null
  const recordFacts = recordFactsOf(names, { contact, lead, company })
  return { tenant, rule, contact, lead, recordFacts } satisfies Due
})

/** Reads everything about a due run, or why it does not take place now. */
export const readDue = Effect.fnUntraced(function* (run: TriggerRun, now: number) {
  const { ruleId, tenantId } = run
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (tenant === null) return { reason: "the tenant is archived", until: now + archivedMillis } satisfies NotNow
  const rule = tenant.config.rules.find(({ id }) => id === ruleId)
  if (rule === undefined) return never("the rule was deleted")
  const trigger = queuedTriggerOf(rule)
  if (!isEnabled(rule)) return never("the rule was disabled")
  if (trigger?.type !== run.trigger) return never("the trigger of the rule was changed")
  const runAt = triggerTime(trigger, run, tenant.config.timeZone)
  if (runAt > now) return { reason: "the time of the trigger was extended", until: runAt } satisfies NotNow
  const contact = yield* resolveMergedContact(tenantId, run.contactId)
  if (contact === null) return never("the contact was deleted")
  if (contact.archivedAt !== null) return never("the contact is archived")
  const changed = isAnswerTrigger(trigger) ? null : yield* readChanged(run, trigger, contact)
  if (changed !== null && "until" in changed) return changed
  const notNow = isAnswerTrigger(trigger) ? yield* answersOf(run, contact, now) : null
  if (notNow !== null) return notNow
  return yield* readAbout(tenant, rule, contact, changed?.lead ?? null)
})
