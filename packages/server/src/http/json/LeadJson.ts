/**
 * Conversions between domain types and wire types. Wire schemas belong in `packages/api`. Tests:
 * `packages/server/test/http`, through the endpoints.
 */

import { millisOf } from "@leadloom/api/internal/schema/Field"
import type * as Entries from "@leadloom/api/internal/schema/LeadEntries"
import { leadChangeOf } from "@leadloom/api/internal/workspace/Leads"
import type * as Wire from "@leadloom/api/internal/workspace/Leads"
import type { CreateLeadInput } from "@leadloom/core/internal/workflow/lead/CreateLead"
import type { EntryResult, LeadEntry } from "@leadloom/core/internal/workflow/lead/LeadEntry"
import { trimToNull } from "@leadloom/core/internal/domain/text/TrimToNull"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"

const timeOf = (text: string | undefined): number | null => (text === undefined ? null : millisOf(text))

/** Decodes an entry. */
export const entryFromJson = (json: typeof Entries.LeadEntry.Type): LeadEntry => ({
  channel: json.channel,
  body: json.body,
  actor: json.actor,
  timestamp: timeOf(json.timestamp),
  subject: trimToNull(json.subject),
  metadata: json.metadata ?? {},
  externalId: json.external_id ?? null
})

/** Encodes the results of entries, with the count of each result. */
export const storedToJson = (
  leadId: string,
  results: ReadonlyArray<EntryResult>
): typeof Entries.EntriesStored.Type => {
  const stored = results.filter(({ outcome }) => outcome === "stored").length
  return {
    lead_id: leadId,
    stored,
    duplicates: results.length - stored,
    results: results.map(({ messageId, outcome, signalId }) => ({
      outcome,
      message_id: messageId,
      signal_id: signalId
    }))
  }
}

const contactOf = ({ contact = {}, contact_id }: typeof Wire.CreateLead.Type): CreateLeadInput["contact"] =>
  contact_id === undefined
    ? {
        name: trimToNull(contact.name),
        email: trimToNull(contact.email),
        phone: trimToNull(contact.phone),
        company: trimToNull(contact.company)
      }
    : { contactId: contact_id }

/** The default `source` of a lead. */
const defaultSource = "api"

/**
 * Decodes a new lead and applies the defaults: the channel is `webhook`, and the contact is the author of the message.
 */
export const createFromJson = (tenant: Tenant, json: typeof Wire.CreateLead.Type): CreateLeadInput => {
  const { channel = "webhook", message, run_pipeline = false, source = defaultSource, stage_id: stageId = null } = json
  const { lossReason: _lossReason, subject: _subject, ...fields } = leadChangeOf(json)
  const subject = trimToNull(json.subject)
  return {
    tenant,
    contact: contactOf(json),
    subject,
    channel,
    source,
    fields,
    stageId,
    message: message === undefined ? null : entryFromJson({ actor: "contact", ...message, channel, subject }),
    runPipeline: run_pipeline
  }
}
