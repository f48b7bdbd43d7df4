import type { Context } from "effect"
import type { Call } from "../domain/call/Call.ts"
import type { ContactMerge, MovedKind } from "../domain/contact/ContactMerge.ts"
import type { Message } from "../domain/conversation/Message.ts"
import type { ContactId } from "../domain/Id.ts"
import { pass } from "./MemoryPass.ts"
import { keyOf, type MemoryState, ofTenant } from "./MemoryState.ts"

type Memory = Context.Service.Shape<typeof MemoryState>
type Items = Map<MovedKind, Set<string>>

/** The contact's number in a call, and in a text; null: hidden, or not told. */
const numberOfCall = ({ direction, fromNumber, toNumber }: Call): string | null =>
  direction === "inbound" ? fromNumber : toNumber
const numberOfText = ({ actor, channel, from, to }: Message): string | null => {
  if (channel !== "sms") return null
  return actor === "contact" ? from : (to[0] ?? null)
}

/** Which numbers go back, and which stay with the primary contact. */
const numbersOf = (state: Memory, { primaryId, tenantId }: ContactMerge, items: Items) => {
  const returned = items.get("identity") ?? new Set()
  const goes = (number: string | null): boolean => number !== null && returned.has(`phone:${number}`)
  const stays = (number: string | null): boolean =>
    number !== null && !goes(number) && state.identities.get(keyOf(tenantId, `phone:${number}`)) === primaryId
  return { goes, stays }
}

type Way = Parameters<typeof pass>[1]

/** Passes messages and calls on that are younger than a merge; `moved` gathers the messages. */
const passYoung = (state: Memory, way: Way, watermark: number, moved: Set<string>) => ({
  calls: (wanted: (call: Call) => boolean): void => {
    pass(
      state.calls,
      way,
      ({ callId }) => callId,
      (call) => call.startedAt > watermark && wanted(call)
    )
  },
  messages: (wanted: (message: Message) => boolean): void => {
    const ids = pass(
      state.messages,
      way,
      ({ messageId }) => messageId,
      (message) => message.receivedAt > watermark && wanted(message)
    )
    for (const messageId of ids) moved.add(messageId)
  }
})

/** What is of a lead goes with it, but for what was said with a number that stays. */
const passOfLeads = (
  state: Memory,
  { from, tenantId, to }: Way,
  young: ReturnType<typeof passYoung>,
  is: { readonly ofLead: (leadId: string | null) => boolean; readonly staying: (number: string | null) => boolean }
): void => {
  const messagesOfCalls = (wanted: (call: Call) => boolean): ReadonlySet<string> =>
    new Set(ofTenant(state.calls, tenantId).flatMap((call) => (wanted(call) ? (call.messageId ?? []) : [])))
  young.calls((call) => is.ofLead(call.leadId) && !is.staying(numberOfCall(call)))
  const there = messagesOfCalls(({ contactId }) => contactId === to)
  const here = messagesOfCalls((call) => call.contactId === from && is.staying(numberOfCall(call)))
  const isHere = (message: Message): boolean =>
    is.staying(numberOfText(message)) || (message.channel === "voice" && here.has(message.messageId))
  young.messages((message) => there.has(message.messageId) || (is.ofLead(message.leadId) && !isHere(message)))
}

/** Leads that only the duplicate has written to since. */
const passNewLeads = (state: Memory, way: Way, watermark: number): ReadonlySet<string> => {
  const { from, tenantId, to } = way
  const written = (leadId: string, contactId: ContactId): boolean =>
    ofTenant(state.messages, tenantId).some(
      (message) => message.leadId === leadId && message.actor === "contact" && message.contactId === contactId
    )
  return pass(
    state.leads,
    way,
    ({ leadId }) => leadId,
    ({ createdAt, leadId }) => createdAt > watermark && written(leadId, to) && !written(leadId, from)
  )
}

/** What came for the duplicate after the merge, by what went back already; answers with the messages. */
export const passSince = (state: Memory, merge: ContactMerge, items: Items): ReadonlySet<string> => {
  const { duplicateId: to, primaryId: from, tenantId, watermark } = merge
  const way = { tenantId, from, to }
  const leads = items.get("lead") ?? new Set()
  const identities = items.get("identity") ?? new Set()
  const isOfLead = (leadId: string | null): boolean => leadId !== null && leads.has(leadId)
  const { goes, stays } = numbersOf(state, merge, items)
  const moved = new Set<string>()
  const young = passYoung(state, way, watermark, moved)
  const is = { ofLead: isOfLead, staying: stays }
  young.messages((message) => identities.has(`email:${message.from ?? ""}`) || goes(numberOfText(message)))
  young.calls((call) => goes(numberOfCall(call)))
  passOfLeads(state, way, young, is)
  for (const leadId of passNewLeads(state, way, watermark)) leads.add(leadId)
  passOfLeads(state, way, young, is)
  const isYoung = (createdAt: number, leadId: string | null): boolean => createdAt > watermark && isOfLead(leadId)
  pass(
    state.tasks,
    way,
    ({ taskId }) => taskId,
    ({ createdAt, leadId }) => isYoung(createdAt, leadId)
  )
  pass(
    state.drafts,
    way,
    ({ draftId }) => draftId,
    ({ createdAt, leadId }) => isYoung(createdAt, leadId)
  )
  pass(
    state.activities,
    way,
    ({ activityId }) => activityId,
    ({ at, leadId }) => isYoung(at, leadId)
  )
  return moved
}
