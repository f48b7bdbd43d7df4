/**
 * Takes in messages of every channel. `IngestEmail` names the steps of a mail from its bytes to its acceptance; all
 * other channels build an `Inbound` and join at `acceptMessage`. Classifying and answering do not belong here; see
 * `workflow/pipeline`.
 *
 * Tests: `packages/testkit/src/suite/intake`, `packages/core/test/workflow/intake`, `packages/core/test/domain/email`.
 */
import { Clock, Effect } from "effect"
import type { ArrivalOutcome } from "../../domain/conversation/Arrival.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type ResolvedContact, resolveContact, resolveUnverified } from "../contact/ResolveContact.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { assignLead } from "./AssignLead.ts"
import type { Accepted, Inbound } from "./Inbound.ts"
import { joinThread } from "./JoinThread.ts"
import { claimMessage, type ClaimedMessage, type Earlier } from "./Recognise.ts"
import { type MessagePlacement, storeMessage } from "./StoreMessage.ts"

/** Adds the line of the ledger that accounts for an arrival. */
const recordArrival = Effect.fnUntraced(function* (inbound: Inbound, accepted: Accepted, now: number) {
  yield* (yield* Arrivals).record({
    arrivalId: yield* (yield* Ids).next("arr"),
    tenantId: inbound.tenant.tenantId,
    channel: inbound.channel,
    source: inbound.source,
    outcome: accepted.outcome,
    messageId: accepted.messageId,
    detail: accepted.detail,
    receivedAt: now
  })
  return accepted
})

/** Returns the named contact, after merges, else the one that the identities resolve to. */
const contactOf = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  const { contactId, identities, profile, tenant } = inbound
  const byIdentity = (inbound.unproven === true ? resolveUnverified : resolveContact)(
    tenant.tenantId,
    identities,
    profile,
    now
  )
  if (contactId === undefined) return yield* byIdentity
  const contact = yield* resolveMergedContact(tenant.tenantId, contactId)
  const resolved: ResolvedContact = contact === null ? yield* byIdentity : { contact, change: "none" }
  return resolved
})

/** Finds or creates the contact, thread and lead of a new message. Runs inside a unit of work. */
export const placeMessage = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  const resolved = yield* contactOf(inbound, now)
  const thread = inbound.mail === null ? null : yield* joinThread(inbound, inbound.mail, now)
  const assigned = yield* assignLead(inbound, resolved.contact, thread, now)
  const place: MessagePlacement = { resolved, thread, assigned }
  return place
})

/** The result for a duplicate of an erased message. It stores nothing and reveals nothing about the original. */
const erasedCopy: Accepted = {
  outcome: "duplicate_of",
  messageId: null,
  contactId: null,
  leadId: null,
  threadId: null,
  signalId: null,
  detail: "A copy of a message that was erased."
}

/**
 * Returns the lead and the thread of a duplicate. When the duplicate has a Message-ID of its own, that id is registered,
 * so that an answer to it joins the thread.
 */
const placeOfCopy = Effect.fnUntraced(function* (inbound: Inbound, of: Message, now: number) {
  const { mail } = inbound
  if (mail === null || of.internetMessageId === null || mail.internetMessageId === of.internetMessageId) return of
  const references = [{ id: of.internetMessageId, weak: false }, ...mail.references]
  return yield* joinThread(inbound, { ...mail, references }, now)
})

/** Accepts a duplicate: it adds a line to the ledger and returns the ids of the original. Runs inside a unit of work. */
export const acceptCopy = Effect.fnUntraced(function* (inbound: Inbound, earlier: Earlier, now: number) {
  if (earlier._tag === "Erased") return yield* recordArrival(inbound, erasedCopy, now)
  const { contactId, messageId } = earlier.of
  const { leadId, threadId } = yield* placeOfCopy(inbound, earlier.of, now)
  const detail = `A copy of ${messageId}.`
  const accepted: Accepted = { ...erasedCopy, messageId, contactId, leadId, threadId, detail }
  return yield* recordArrival(inbound, accepted, now)
})

const outcomeOf = ({ auto }: Inbound): ArrivalOutcome => {
  if (auto === "own" || auto === "bounce") return auto
  return auto === null ? "message" : "auto"
}

/** Accepts a new message at its place. Runs inside a unit of work. */
export const acceptNew = Effect.fnUntraced(function* (
  inbound: Inbound,
  claimed: ClaimedMessage,
  place: MessagePlacement,
  now: number
) {
  const stored = yield* storeMessage(inbound, claimed, place, now)
  const accepted: Accepted = { outcome: outcomeOf(inbound), ...stored, detail: inbound.detail }
  return yield* recordArrival(inbound, accepted, now)
})

/** Accepts a message after `claimMessage`, in the same unit of work. */
export const acceptClaimed = Effect.fnUntraced(function* (
  inbound: Inbound,
  claimed: ClaimedMessage | Earlier,
  now: number
) {
  if (claimed._tag !== "New") return yield* acceptCopy(inbound, claimed, now)
  return yield* acceptNew(inbound, claimed, yield* placeMessage(inbound, now), now)
})

/**
 * Accepts one message of any channel. Its unit of work commits the dedup keys, contact, thread, lead, message,
 * conversation head, signal, events and ledger line together, or nothing.
 */
export const acceptMessage = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  return yield* acceptClaimed(inbound, yield* claimMessage(inbound), now)
})

/**
 * Accepts a message from a request that may have an `Idempotency-Key`, in one unit of work. Fails with
 * `IdempotencyConflict` and writes nothing when another request used the same key.
 */
export const acceptRequest = Effect.fn("acceptRequest")(function* (inbound: Inbound) {
  const now = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    const claimed = yield* claimMessage(inbound)
    if (claimed._tag !== "New" && !claimed.sameRequest) return yield* new IdempotencyConflict()
    return yield* acceptClaimed(inbound, claimed, now)
  })
  return yield* (yield* Transactions).atomically(inbound.tenant.tenantId, unit)
})
