import { Effect } from "effect"
import { recordTransition } from "../contact/RecordActivity.ts"
import type { AssignedLead, Inbound, JoinedThread } from "./Inbound.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { beginLead, type Lead } from "../../domain/lead/Lead.ts"
import { afterContactWrote } from "../../domain/lead/LeadState.ts"

const newLead = Effect.fnUntraced(function* (
  inbound: Inbound,
  contact: Contact,
  thread: JoinedThread | null,
  now: number
) {
  const { channel, source, subject, timestamp } = inbound
  const beginning = {
    leadId: yield* (yield* Ids).next("lead"),
    tenantId: inbound.tenant.tenantId,
    contactId: contact.contactId,
    threadId: thread?.threadId ?? null,
    channel,
    source,
    subject,
    lastMessageAt: timestamp
  }
  const lead = beginLead(beginning, now)
  yield* (yield* Leads).insert(lead)
  if (thread !== null) yield* (yield* Threads).setLead(lead.tenantId, thread.threadId, lead.leadId)
  return { lead, change: "created" } satisfies AssignedLead
})

const findLead = Effect.fnUntraced(function* (inbound: Inbound, contact: Contact, thread: JoinedThread | null) {
  const leads = yield* Leads
  const { tenantId } = inbound.tenant
  if (thread !== null) {
    if (thread.leadId === null) return null
    return yield* leads.get(tenantId, thread.leadId).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  }
  // An email joins a lead only through its thread, even when a source sent it without one. A public form proves no
  // identity, so it opens a lead of its own and reopens none.
  if (inbound.channel === "email" || inbound.unproven === true) return null
  return yield* leads.newestNotWon(tenantId, contact.contactId)
})

/**
 * Updates a lead after one of its messages. A message from a person reopens a lost or archived lead, unless it has no
 * request (`Inbound.reopens`). Runs inside a unit of work.
 */
export const ingestMessage = Effect.fnUntraced(function* (found: Lead, inbound: Inbound, now: number) {
  const byPerson = inbound.actor === "contact" && inbound.auto === null && inbound.reopens !== false
  const state = byPerson ? afterContactWrote(found.state) : found.state
  const lead: Lead = {
    ...found,
    state,
    updatedAt: now,
    lastMessageAt: Math.max(found.lastMessageAt, inbound.timestamp)
  }
  yield* (yield* Leads).update(lead, found)
  yield* recordTransition(found, lead, { actor: "contact", reason: "the contact wrote again" }, now)
  return { lead, change: state === found.state ? "none" : "reopened" } satisfies AssignedLead
})

/**
 * Finds the lead of a message. An email joins the lead of its thread. A message without a thread (text, chat, event, call)
 * joins the contact's newest lead that is not won, of any channel and age. A form and a message without such a lead open a
 * new one. Null for automatic mail without a lead. Runs inside a unit of work.
 */
export const assignLead = Effect.fnUntraced(function* (
  inbound: Inbound,
  contact: Contact,
  thread: JoinedThread | null,
  now: number
) {
  const found = yield* findLead(inbound, contact, thread)
  if (found !== null) return yield* ingestMessage(found, inbound, now)
  // Mail of the tenant, bounces and automatic replies never open a lead, because no person wrote with a request.
  const opensLead = inbound.actor === "contact" && (inbound.auto === null || inbound.auto === "list")
  return opensLead ? yield* newLead(inbound, contact, thread, now) : null
})
