import { Clock, Effect } from "effect"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identitiesOf } from "../../domain/contact/Identity.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { type ResolvedContact, resolveContact } from "../contact/ResolveContact.ts"
import type { Channel } from "../../domain/Channel.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { OutboundEvent } from "../../domain/webhook/Event.ts"
import { beginLead, type Lead, LeadRequestInvalid } from "../../domain/lead/Lead.ts"
import type { LeadEntry } from "./LeadEntry.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { ingestEntry } from "./IngestEntry.ts"

/** Whose lead it is: a contact that is known, or what one is recognised by. */
export type LeadContact =
  | { readonly contactId: string }
  | {
      readonly name: string | null
      readonly email: string | null
      readonly phone: string | null
      readonly company: string | null
    }

/** A lead that somebody makes by hand. */
export interface CreateLeadInput {
  readonly tenant: Tenant
  readonly contact: LeadContact
  readonly subject: string | null
  readonly channel: Channel
  readonly source: string
  readonly assignee: string | null
  /** What the matter began with; null: nothing has been said yet. */
  readonly message: LeadEntry | null
  readonly runPipeline: boolean
}

const fields = { email: "contact.email", phone: "contact.phone", externalId: "contact" } as const

/** The contact that is meant: the one of the id, or the one that holds an identity, made where nobody does. */
const contactMeant = Effect.fnUntraced(function* ({ contact, tenant }: CreateLeadInput, now: number) {
  const { config, tenantId } = tenant
  if ("contactId" in contact) {
    const found = yield* requireUnmergedContact(tenantId, contact.contactId)
    return { contact: found, change: "none" } satisfies ResolvedContact
  }
  if (Object.values(contact).every((value) => value === null)) {
    return yield* new LeadRequestInvalid({ issues: [{ path: "contact", message: "This says nothing of anybody." }] })
  }
  const { identities, issues } = identitiesOf(contact, config.defaultCountry, parsePhoneMemoized)
  if (issues.length > 0) {
    return yield* new LeadRequestInvalid({
      issues: issues.map(({ field, message }) => ({ path: fields[field], message }))
    })
  }
  const valueOf = (kind: string) => identities.find((identity) => identity.kind === kind)?.value ?? null
  const { company, name } = contact
  return yield* resolveContact(
    tenantId,
    identities,
    { name, company, email: valueOf("email"), phone: valueOf("phone") },
    now
  )
})

const report = Effect.fnUntraced(function* (lead: Lead, { change, contact }: ResolvedContact, now: number) {
  const ids = yield* Ids
  const events: Array<OutboundEvent> = []
  if (change !== "none") events.push(contactEvent(`contact.${change}`, contact, yield* ids.next("evt"), now))
  events.push(leadEvent("lead.received", lead, yield* ids.next("evt"), now))
  yield* (yield* Events).append(lead.tenantId, events)
})

/**
 * Makes a lead by hand: always a new one, also where the contact has an open lead, because somebody asks for it. A first
 * message is stored as an appended entry is.
 */
export const createLead = Effect.fn("createLead")(function* (input: CreateLeadInput) {
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
      const lead = { ...beginLead(beginning, now), assignee: input.assignee }
      yield* leads.insert(lead)
      if (message === null) {
        yield* report(lead, resolved, now)
        return lead
      }
      const place = { tenant, leadId, contact: resolved.contact, source }
      const state = { resolved, assigned: { lead, change: "created" as const } }
      return (yield* ingestEntry(place, state, message, runPipeline, now)).state.assigned.lead
    })
  )
})
