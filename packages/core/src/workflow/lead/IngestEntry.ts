import { Effect } from "effect"
import type { ResolvedContact } from "../contact/ResolveContact.ts"
import { acceptClaimed } from "../intake/AcceptMessage.ts"
import { claimMessage } from "../intake/Recognise.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { ingestMessage } from "../intake/AssignLead.ts"
import type { AssignedLead } from "../intake/Inbound.ts"
import { entryInbound, type EntryTarget, type EntryResult, idKey, type LeadEntry } from "./LeadEntry.ts"

/** The lead and the contact, as changed by the previous entries. */
export interface EntryState {
  readonly resolved: ResolvedContact
  /** The assigned lead. Its `change` is `created` if the lead was created for the entry. */
  readonly assigned: AssignedLead
}

/** Restores an archived contact, because it has written. Returns the contact. */
const whenWriting = Effect.fnUntraced(function* ({ change, contact }: ResolvedContact, now: number) {
  if (contact.archivedAt === null) return { change, contact } satisfies ResolvedContact
  const revived = { ...contact, archivedAt: null, updatedAt: now }
  yield* (yield* Contacts).update(revived)
  return { change: "updated", contact: revived } satisfies ResolvedContact
})

const advance = Effect.fnUntraced(function* (
  { assigned, resolved }: EntryState,
  inbound: Parameters<typeof ingestMessage>[1],
  now: number
) {
  const ingested = yield* ingestMessage(assigned.lead, inbound, now)
  const state: EntryState = {
    resolved: inbound.actor === "contact" ? yield* whenWriting(resolved, now) : resolved,
    assigned: assigned.change === "created" ? { ...ingested, change: "created" } : ingested
  }
  return state
})

/**
 * Stores one entry of a lead like any other message: recognises a duplicate by its keys, updates the conversation head,
 * supersedes a pending draft, records outbound events, and writes a line of the inbound ledger. Runs inside a unit of
 * work.
 */
export const ingestEntry = Effect.fnUntraced(function* (
  place: EntryTarget,
  before: EntryState,
  entry: LeadEntry,
  runPipeline: boolean,
  now: number
) {
  const key = idKey(place.leadId, entry)
  const pipeline = runPipeline && entry.actor === "contact" ? "queue" : "none"
  const inbound = entryInbound(place, entry, key === null ? [] : [key], pipeline, now)
  const claimed = yield* claimMessage(inbound)
  const isNew = claimed._tag === "New"
  const state = isNew ? yield* advance(before, inbound, now) : before
  const given = Effect.succeed({ ...state, thread: null })
  const { messageId, signalId } = yield* acceptClaimed(inbound, claimed, given, now)
  if (messageId === null) return yield* Effect.die(new Error("an entry is always stored"))
  const result: EntryResult = { outcome: isNew ? "stored" : "duplicate", messageId, signalId }
  return { result, state }
})

/** Returns the state for the next entry. It is marked as unchanged, so that a change is reported only once. */
export const withoutReportedChange = ({ assigned, resolved }: EntryState): EntryState => ({
  resolved: { ...resolved, change: "none" },
  assigned: { ...assigned, change: "none", moved: [], changes: [] }
})
