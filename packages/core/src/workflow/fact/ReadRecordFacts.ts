/**
 * Reads the values of stored records that rules compare, on demand. The facts themselves belong to `domain/rule`. Tests:
 * `packages/testkit/src/suite/pipeline/RecordFactSuite.ts`.
 */
import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { isOptedOut } from "../../domain/consent/OptOut.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { conversationAsOf } from "../../domain/conversation/InboxState.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { placeOf } from "../../domain/lead/SalesPipeline.ts"
import { type FactRecords, recordFactsOf, sourceOf } from "../../domain/rule/RecordFact.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { type MessageKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { readPipelines } from "../deal/LeadPlaces.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import { hasOptedOut } from "../sending/MailSendContext.ts"
import { findCompany } from "../contact/LinkCompany.ts"

/** The fields of a contact that facts need. */
type FactContact = Pick<
  Contact,
  "attributes" | "companyId" | "companyRemoved" | "customFields" | "email" | "phone" | "tenantId"
>

/** The fields of a lead that facts need. */
type FactLead = Pick<Lead, "assigneeId" | "customFields" | "pipelineId" | "stageId" | "state" | "teamId" | "tenantId">

/** The records from which values are read. */
export interface FactSubject {
  readonly contact: FactContact
  /** The id of the contact; null: the contact is not stored. */
  readonly contactId: string | null
  readonly lead: FactLead | null
  /** The message of the run. Only older messages count. Null: all messages count. */
  readonly before: MessageKey | null
}

const readInbox = Effect.fnUntraced(function* (tenantId: string, contactId: string | null, now: number) {
  if (contactId === null) return null
  const [conversation] = yield* (yield* Conversations).among(tenantId, [contactId])
  return conversation === undefined ? null : conversationAsOf(conversation, now)
})

const readPlace = Effect.fnUntraced(function* (lead: FactLead | null) {
  if (lead === null) return null
  const { pipeline, stage } = placeOf(yield* readPipelines(lead.tenantId), lead)
  return { pipelineId: pipeline.pipelineId, stageId: stage.stageId }
})

const readNumberOptOut = Effect.fnUntraced(function* ({ config, tenantId }: Tenant, phone: string | null) {
  const number = phone === null ? null : parsePhoneMemoized(phone, config.defaultCountry)
  if (number === null) return null
  const optOuts = yield* (yield* OptOuts).of(tenantId, yield* spellingsOf(number))
  return optOuts.some(({ ownPhone }) => isOptedOut(optOuts, ownPhone))
})

/**
 * Reads the named values (`recordFactsIn`). Reads nothing for an empty list, and only the records that one of the names
 * needs.
 */
export const readNamedFacts = Effect.fnUntraced(function* (
  tenant: Tenant,
  names: ReadonlyArray<string>,
  { before, contact, contactId, lead }: FactSubject,
  now: number
) {
  const { tenantId } = tenant
  const sources = new Set(names.map(sourceOf))
  const { email } = contact
  const records: FactRecords = {
    contact,
    lead,
    company: sources.has("company") ? yield* findCompany(contact) : null,
    place: sources.has("place") ? yield* readPlace(lead) : null,
    inbox: sources.has("inbox") ? yield* readInbox(tenantId, contactId, now) : null,
    activity:
      sources.has("activity") && contactId !== null
        ? yield* (yield* Messages).activity(tenantId, contactId, before)
        : [],
    optedOut: {
      email: sources.has("email") && email !== null ? yield* hasOptedOut(tenantId, [normalizeEmail(email)]) : null,
      phone: sources.has("phone") ? yield* readNumberOptOut(tenant, contact.phone) : null
    }
  }
  return recordFactsOf(names, records)
})

/**
 * Returns the values that the tenant's rules for messages read on demand, as a part of a subject. Returns an empty
 * object and reads nothing if the rules need none.
 */
export const readRecordFacts = Effect.fnUntraced(function* (tenant: Tenant, subject: FactSubject, now: number) {
  const { recordFacts: names } = yield* (yield* CompiledConfigs).of(tenant)
  if (names.length === 0) return {}
  return { recordFacts: yield* readNamedFacts(tenant, names, subject, now) } satisfies Pick<RunSubject, "recordFacts">
})
