import { Effect } from "effect"
import { recordTransition } from "../contact/RecordActivity.ts"
import type { AssignedLead, Inbound, JoinedThread } from "./Inbound.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { Ids } from "../../port/system/Ids.ts"
import { stageEvents } from "../deal/LeadPlaces.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { withState } from "../../domain/lead/Deal.ts"
import { beginLead, type Lead } from "../../domain/lead/Lead.ts"
import { stateChanges } from "../../domain/lead/LeadChange.ts"
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
  return { lead, change: "created", moved: [], changes: stateChanges(null, lead) } satisfies AssignedLead
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

/** Returns the state of a lead after one of its messages, with the actor and reason of a change. */
const afterMessage = ({ state }: Lead, inbound: Inbound) => {
  const { actor, auto, reopens, tenant } = inbound
  if (reopens === false) return { state, change: "none" } as const
  if (actor === "contact" && auto === null) {
    const reopened = afterContactWrote(state)
    return reopened === state
      ? ({ state, change: "none" } as const)
      : ({ state: reopened, change: "reopened" } as const)
  }
  const isAnswer = actor === "agent" && (auto === null || auto === "own")
  return isAnswer && state === "open" && tenant.config.deals.engageOnAnswer
    ? ({ state: "engaged", change: "engaged" } as const)
    : ({ state, change: "none" } as const)
}

/** The reasons of the changes that a message makes to the state of its lead. */
export const changeReasons = { reopened: "the contact wrote again", engaged: "a person answered", none: null } as const

/**
 * Updates a lead after one of its messages. A message that a person wrote reopens a lost or archived lead, and an
 * answer of the tenant engages an open one if the configuration says so, unless `Inbound.reopens` is false. Runs inside
 * a unit of work.
 */
export const ingestMessage = Effect.fnUntraced(function* (found: Lead, inbound: Inbound, now: number) {
  const { change, state } = afterMessage(found, inbound)
  const lead: Lead = {
    ...(change === "none" ? found : withState(found, state)),
    updatedAt: now,
    lastMessageAt: Math.max(found.lastMessageAt, inbound.timestamp)
  }
  yield* (yield* Leads).update(lead, found)
  const { [change]: reason } = changeReasons
  yield* recordTransition(found, lead, { actor: inbound.actor, reason }, now)
  const moved = yield* stageEvents(found, lead, reason)
  return { lead, change, moved, changes: stateChanges(found, lead) } satisfies AssignedLead
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
