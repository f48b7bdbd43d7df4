/**
 * Creates, changes, scores and lists leads, and stores conversations from other systems. The rules for scores do not
 * belong here (`domain/lead`). Tests: `packages/testkit/src/suite/lead`, `packages/core/test/domain/lead`.
 */
import { Clock, Effect } from "effect"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identitiesOf } from "../../domain/contact/Identity.ts"
import { profileOf } from "../../domain/contact/Resolve.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { type ResolvedContact, resolveContact } from "../contact/ResolveContact.ts"
import type { Channel } from "../../domain/Channel.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { beginLead, type Lead, LeadRequestInvalid } from "../../domain/lead/Lead.ts"
import type { LeadEntry } from "./LeadEntry.ts"
import { newLeadChanges } from "../../domain/lead/LeadChange.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { requireStage } from "../deal/LeadPlaces.ts"
import { type LeadFields, setLeadFields } from "./UpdateLead.ts"
import { ingestEntry } from "./IngestEntry.ts"
import { withSpan } from "../WithSpan.ts"

/** The contact of a new lead: the id of an existing contact, or identities by which it is found or created. */
export type LeadContact =
  | { readonly contactId: string }
  | {
      readonly name: string | null
      readonly email: string | null
      readonly phone: string | null
      readonly company: string | null
    }

/** A lead that a client creates with its own data. */
export interface CreateLeadInput {
  readonly tenant: Tenant
  readonly contact: LeadContact
  readonly subject: string | null
  readonly channel: Channel
  readonly source: string
  /** The fields that a person may set later too. */
  readonly fields: Omit<LeadFields, "subject" | "lossReason">
  /** The stage of the new lead, which has the state `open`. Null selects the first stage of the default pipeline. */
  readonly stageId: string | null
  /** The first message. If it is null, the lead is created without a message. */
  readonly message: LeadEntry | null
  readonly runPipeline: boolean
}

const fields = { email: "contact.email", phone: "contact.phone", externalId: "contact" } as const

/**
 * Returns the contact with the given id, or the one with the given identities. The latter is created if it does not
 * exist.
 */
const contactMeant = Effect.fnUntraced(function* ({ contact, tenant }: CreateLeadInput, now: number) {
  const { config, tenantId } = tenant
  if ("contactId" in contact) {
    const found = yield* requireUnmergedContact(tenantId, contact.contactId)
    return { contact: found, change: "none" } satisfies ResolvedContact
  }
  if (Object.values(contact).every((value) => value === null)) {
    return yield* new LeadRequestInvalid({
      issues: [{ path: "contact", message: "No value was sent. Send at least one of name, email, phone and company." }]
    })
  }
  const { identities, issues } = identitiesOf(contact, config.defaultCountry, parsePhoneMemoized)
  if (issues.length > 0) {
    return yield* new LeadRequestInvalid({
      issues: issues.map(({ field, message }) => ({ path: fields[field], message }))
    })
  }
  return yield* resolveContact(tenantId, identities, profileOf(identities, contact), now)
})

/** Puts a new lead into a stage. */
const inStage = Effect.fnUntraced(function* (lead: Lead, stageId: string | null) {
  if (stageId === null) return lead
  const { pipeline, stage } = yield* requireStage(lead.tenantId, stageId)
  if (stage.state === lead.state) return { ...lead, pipelineId: pipeline.pipelineId, stageId: stage.stageId }
  const message = `A new lead is open, and this stage has the state ${stage.state}.`
  return yield* new LeadRequestInvalid({ issues: [{ path: "stage_id", message }] })
})

/**
 * Creates a lead on request. A new lead is created even if the contact has an open one. A first message is stored like
 * an appended entry.
 */
export const createLead = Effect.fnUntraced(function* (input: CreateLeadInput) {
  const { message, runPipeline, tenant } = input
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const [ids, leads] = [yield* Ids, yield* Leads]
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const resolved = yield* contactMeant(input, now)
      const { contactId } = resolved.contact
      const { channel, source, subject } = input
      const lastMessageAt = Math.min(message?.timestamp ?? now, now)
      const leadId = yield* ids.next("lead")
      const beginning = { leadId, tenantId, contactId, threadId: null, channel, source, subject, lastMessageAt }
      const placed = yield* inStage(beginLead(beginning, now), input.stageId)
      const lead = yield* setLeadFields(placed, input.fields)
      yield* leads.insert(lead)
      if (message === null) {
        const { change, contact } = resolved
        const about = change === "none" ? [] : [contactEvent(`contact.${change}`, contact)]
        yield* recordEvents([...about, { ...leadEvent("lead.received", lead), changes: newLeadChanges(lead) }], now)
        return lead
      }
      const place = { tenant, leadId, contact: resolved.contact, source }
      const state = {
        resolved,
        assigned: { lead, change: "created" as const, moved: [], changes: newLeadChanges(lead) }
      }
      return (yield* ingestEntry(place, state, message, runPipeline, now)).state.assigned.lead
    })
  )
}, withSpan("createLead"))
