import { Effect } from "effect"
import type { Inbound, JoinedThread, MailEnvelope } from "./Inbound.ts"
import type { LeadId, ThreadId } from "../../domain/Id.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { joinDeals } from "../../domain/lead/SetDeal.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { normalizeSubject } from "../../domain/email/Fingerprint.ts"
import {
  idsToLookUp,
  type KnownId,
  matchThread,
  type NewId,
  type ProviderWitness,
  type ThreadRecord
} from "../../domain/email/thread/Thread.ts"
import { threadReason } from "../../domain/email/thread/ThreadReason.ts"

/**
 * The maximum number of participants that are stored per mail. It limits the rows for a mail with thousands of
 * recipients.
 */
const participantsPerMail = 50

const oldestFirst = (a: { readonly createdAt: number }, b: { readonly createdAt: number }) => a.createdAt - b.createdAt

/** Orders threads by age, the oldest first. */
export const sortThreads = (found: ReadonlyArray<ThreadRecord>): ReadonlyArray<ThreadRecord> =>
  found.toSorted((a, b) => oldestFirst(a, b) || (a.threadId < b.threadId ? -1 : 1))

/** Merges the leads of merged threads into the oldest one. Returns the id of that lead. */
const mergeLeads = Effect.fnUntraced(function* (tenantId: string, leadIds: ReadonlyArray<LeadId>, now: number) {
  const leads = yield* Leads
  const [first, ...rest] = leadIds
  if (first === undefined || rest.length === 0) return first ?? null
  const records: ReadonlyArray<Lead> = yield* Effect.forEach(leadIds, (id) =>
    leads.get(tenantId, id).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  )
  const [stays, ...younger] = records.toSorted((a, b) => oldestFirst(a, b) || (a.leadId < b.leadId ? -1 : 1))
  if (stays === undefined) return null
  const from = younger.map((lead) => lead.leadId)
  yield* leads.markMerged(tenantId, stays.leadId, from, now)
  yield* leads.update({ ...joinDeals(stays, younger), updatedAt: now }, stays)
  yield* (yield* Messages).moveLead(tenantId, stays.leadId, from)
  return stays.leadId
})

/** Merges threads into the oldest one. At most one of them is corrected. */
const mergeThreads = Effect.fnUntraced(function* (tenantId: string, found: ReadonlyArray<ThreadRecord>, now: number) {
  const threads = yield* Threads
  const [stays, ...younger] = sortThreads(found)
  if (stays === undefined || younger.length === 0) return stays ?? null
  const leadId = yield* mergeLeads(
    tenantId,
    [stays, ...younger].flatMap((thread) => (thread.leadId === null ? [] : [thread.leadId])),
    now
  )
  yield* threads.merge(
    tenantId,
    stays.threadId,
    younger.map((thread) => thread.threadId)
  )
  if (leadId !== null && leadId !== stays.leadId) yield* threads.setLead(tenantId, stays.threadId, leadId)
  const corrected = found.some((thread) => thread.corrected)
  if (corrected && !stays.corrected) yield* threads.markCorrected(tenantId, [stays.threadId])
  return { ...stays, leadId, corrected }
})

const isKnown = (witness: ProviderWitness | null): boolean => witness !== null && witness.threadId !== null

const openThread = Effect.fnUntraced(function* (tenantId: string, baseSubject: string, now: number) {
  const thread: ThreadRecord = {
    threadId: yield* (yield* Ids).next("thr"),
    tenantId,
    leadId: null,
    baseSubject,
    createdAt: now,
    corrected: false
  }
  yield* (yield* Threads).insert(thread)
  return thread
})

/** Returns the thread to which the provider's thread id belongs, and the facts that confirm or contradict it. */
const witnessOf = Effect.fnUntraced(function* (tenantId: string, mail: MailEnvelope, row: KnownId | undefined) {
  const threads = yield* Threads
  const thread = row === undefined ? null : yield* threads.find(tenantId, row.threadId)
  if (thread === null) return { threadId: null, threadSubject: "", sharesParticipant: false }
  const all = [...(mail.from === null ? [] : [mail.from]), ...mail.to, ...mail.cc]
  const people = all.filter((email) => email !== mail.receivedAlias).slice(0, participantsPerMail)
  const shared = yield* threads.participants(tenantId, thread.threadId, people)
  return { threadId: thread.threadId, threadSubject: thread.baseSubject, sharesParticipant: shared.size > 0 }
})

/** Returns the threads that a mail merges: all that it links, but of the corrected ones only the first. */
const mergeable = (found: ReadonlyArray<ThreadRecord>): ReadonlyArray<ThreadRecord> => {
  const first = found.find(({ corrected }) => corrected)
  return found.filter((thread) => !thread.corrected || thread === first)
}

/**
 * Finds the thread of a mail by its ids, or opens a new one. If a mail links several threads, they are merged, unless a
 * person separated them. An equal subject alone never links mails. Runs inside a unit of work.
 */
export const joinThread = Effect.fnUntraced(function* (inbound: Inbound, mail: MailEnvelope, now: number) {
  const threads = yield* Threads
  const { tenantId } = inbound.tenant
  const subject = inbound.subject ?? ""
  const ids = { ownId: mail.internetMessageId, references: mail.references }
  const alias = mail.provider?.thread ?? null
  const known = yield* threads.known(tenantId, [...idsToLookUp(ids), ...(alias === null ? [] : [alias])])
  const witness =
    alias === null
      ? null
      : yield* witnessOf(
          tenantId,
          mail,
          known.find(({ id }) => id === alias)
        )
  const match = matchThread<ThreadId>(
    { ...ids, subject, provider: witness },
    known.filter(({ id }) => id !== alias)
  )
  const candidates = yield* Effect.forEach(match.join === null ? [] : [match.join, ...match.merge], (threadId) =>
    threads.find(tenantId, threadId)
  )
  const found = mergeable(candidates.filter((thread) => thread !== null))
  const existing = found.length > 1 ? yield* mergeThreads(tenantId, found, now) : (found[0] ?? null)
  const baseSubject = normalizeSubject(subject)
  const thread = existing ?? (yield* openThread(tenantId, baseSubject, now))
  const { threadId } = thread
  // An unknown thread id of the provider becomes an alias of the thread. A known one stays with its thread.
  const isAlias = alias !== null && !isKnown(witness)
  const aliases: ReadonlyArray<NewId> = isAlias ? [{ id: alias, seen: true, weak: false }] : []
  yield* threads.register(
    tenantId,
    [...match.register, ...aliases].map((id) => ({ ...id, threadId }))
  )
  const sender = mail.from
  const before = existing === null || sender === null ? null : yield* threads.participants(tenantId, threadId, [sender])
  const people = [...new Set([...(sender === null ? [] : [sender]), ...mail.to, ...mail.cc])]
  yield* threads.addParticipants(tenantId, threadId, people.slice(0, participantsPerMail))
  const joined: JoinedThread = {
    threadId,
    leadId: thread.leadId,
    opened: existing === null,
    senderUnknown: before !== null && sender !== null && !before.has(sender),
    subjectChanged: existing !== null && thread.baseSubject !== baseSubject,
    reason: threadReason({
      ...match,
      repliesTo: mail.repliesTo,
      firstReference: mail.references[0]?.id ?? null,
      providerThread: alias,
      isProviderThreadKnown: isKnown(witness)
    })
  }
  return joined
})
