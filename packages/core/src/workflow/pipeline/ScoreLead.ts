import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { assessWithoutModel } from "../../domain/run/AssessMessage.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { consumeUsage } from "../billing/Usage.ts"
import { recordScoring } from "../contact/RecordActivity.ts"
import { type PipelineInput, subjectOfInput } from "../intake/PipelineInput.ts"
import { requireWritableLead } from "../lead/FindLead.ts"
import { recordScore, type Scored, scoreEvents, withScore } from "../lead/Scores.ts"
import { withSpan } from "../WithSpan.ts"
import { keywordsVersion } from "../../domain/classification/KeywordClassifier.ts"

/** Replaces the message of a lead that has none. */
const noMessage = ({ channel, source, subject }: Lead): RunSubject["message"] => ({
  attachments: [],
  auto: null,
  body: "",
  channel,
  flags: [],
  metadata: {},
  receivedAlias: null,
  source,
  subject
})

const subjectOf = (tenant: Tenant, lead: Lead, contact: Contact, message: Message | null, now: number): RunSubject => ({
  tenant,
  message: message ?? noMessage(lead),
  contact,
  contactIsNew: contact.createdAt === (message?.receivedAt ?? lead.createdAt),
  lead,
  leadIsNew: lead.createdAt === message?.receivedAt,
  overtaken: false,
  repliesToday: 0,
  lastByPersonAt: null,
  modelConfigured: false,
  keywordsVersion,
  now
})

/**
 * Scores a lead with its contact's newest message and the current configuration, as a run would do. Asks no model. With
 * the classifier `model`, uses the former classification. Stores the score in the lead and in its history, and reports
 * it to partners.
 */
export const scoreLead = Effect.fnUntraced(function* (tenant: Tenant, leadId: string) {
  const now = yield* Clock.currentTimeMillis
  const { tenantId } = tenant
  const [contacts, leads, messages] = [yield* Contacts, yield* Leads, yield* Messages]
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const lead = yield* requireWritableLead(tenantId, leadId)
      const contact = yield* contacts.get(tenantId, lead.contactId).pipe(Effect.catchTag("ContactNotFound", Effect.die))
      const message = yield* messages.latestFromContact(tenantId, lead.leadId)
      const { classification, score } = assessWithoutModel(
        subjectOf(tenant, lead, contact, message, now),
        lead.classification
      )
      const scored: Scored = { classification, score, messageId: message?.messageId ?? null, signalId: null }
      const after = withScore(lead, scored, now)
      yield* leads.update(after, lead)
      const record = yield* recordScore(after, scored, now)
      yield* recordScoring(lead, after, "agent", now)
      yield* recordEvents(scoreEvents(lead, after, scored), now)
      return record
    })
  )
}, withSpan("scoreLead"))

/** Scores a message and its contact. Stores only the use of the plan. */
export const scoreContact = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  yield* consumeUsage(input.tenant.tenantId, "actions")
  return assessWithoutModel(yield* subjectOfInput(input.tenant, input.request, yield* Clock.currentTimeMillis)).score
}, withSpan("scoreContact"))
