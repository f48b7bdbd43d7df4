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
  // An email joins a lead only through a thread, even when a custom event contains the email without a thread. A public
  // form proves no identity, so it always opens a new lead and reopens none.
  if (inbound.channel === "email" || inbound.unproven === true) return null
  return yield* leads.newestNotWon(tenantId, contact.contactId)
})

/**
 * Updates a lead after one of its messages. A message that a person wrote reopens a lost or archived lead, unless
 * `Inbound.reopens` is false. Runs inside a unit of work.
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
 * Finds or opens the lead of a message. Runs inside a unit of work.
 *
 * - An email joins the lead of its thread.
 * - A message without a thread (text, chat, event, call) joins one of the contact's leads that are neither won nor
 *   merged: the one with the newest message on any channel.
 * - A public form, and a message for which no lead is found, opens a new lead.
 * - For automatic mail without a lead, the result is null.
 */
export const assignLead = Effect.fnUntraced(function* (
  inbound: Inbound,
  contact: Contact,
  thread: JoinedThread | null,
  now: number
) {
  const found = yield* findLead(inbound, contact, thread)
  if (found !== null) return yield* ingestMessage(found, inbound, now)
  // The tenant's own mail, bounces and automatic replies never open a lead, because they contain no enquiry of a
  // person.
  const opensLead = inbound.actor === "contact" && (inbound.auto === null || inbound.auto === "list")
  return opensLead ? yield* newLead(inbound, contact, thread, now) : null
})
