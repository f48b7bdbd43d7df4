import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { isReusedId } from "../../domain/email/Fingerprint.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { normalizeMessageId } from "../../domain/email/MessageId.ts"
import type { KnownId } from "../../domain/email/thread/Thread.ts"
import type { MessageId } from "../../domain/Id.ts"
import { isTombstone, tombstone } from "../../domain/privacy/Erasure.ts"
import type { MailReservation } from "../../domain/sending/Reservation.ts"
import type { AssignedIds } from "../../port/provider/EmailTransport.ts"
import { type DedupKey, type DedupKeyHolder, Messages } from "../../port/repository/conversation/Messages.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { Ids } from "../../port/system/Ids.ts"
import type { Inbound } from "./Inbound.ts"

/** The prefix of dedup keys from Message-IDs. Only such a key can belong to two different mails. */
export const messageIdKey = "mid:"

/**
 * The prefix of dedup keys from the Message-IDs of copies that have another Message-ID than the stored message. They
 * belong to the message, but do not identify further copies.
 */
export const copiedIdKey = "cid:"

/**
 * FROZEN. The header that contains the Message-ID of mail that is sent through a provider. It is necessary, because
 * providers replace the Message-ID.
 */
export const sentMessageHeader = "x-leadloom-message"

/** FROZEN. Returns the dedup key of a mail at a provider. */
export const providerKey = (providerGrantId: string, providerMessageId: string): string =>
  `provider:${providerGrantId}:${providerMessageId}`

/**
 * FROZEN. Returns the id of a provider's thread in the thread index. It contains spaces and no `@`, so it cannot equal
 * a Message-ID.
 */
export const providerThread = (providerGrantId: string, providerThreadId: string): string =>
  `thread of ${providerGrantId}: ${providerThreadId}`

/** An earlier arrival of the same message. */
export type Earlier =
  /**
   * A copy of a stored message. `sameRequest` is true when both requests have the same fingerprint, or when one of them
   * had no `Idempotency-Key`.
   */
  | { readonly _tag: "Copy"; readonly of: Message; readonly sameRequest: boolean }
  /** A copy of a message that was erased with its contact. It must not be stored again. */
  | { readonly _tag: "Erased"; readonly sameRequest: boolean }

/** A message without an earlier arrival. */
export interface Unseen {
  readonly _tag: "New"
  /** True if a different mail has the same Message-ID. That mail keeps the dedup key. */
  readonly reusedId: boolean
  /** The dedup keys that the message will have. */
  readonly keys: ReadonlyArray<DedupKey>
  /** The dedup keys and their tombstones. The message is new only if no other message has one of them. */
  readonly absent: ReadonlyArray<DedupKey>
}

/** The result of the search for an earlier arrival. */
export type Recognised = Earlier | Unseen

/** A new message whose dedup keys are already stored under its id. */
export interface ClaimedMessage {
  readonly _tag: "New"
  readonly messageId: MessageId
  readonly reusedId: boolean
}

const unseen = (keys: ReadonlyArray<DedupKey>, pepper: Uint8Array, reusedId = false): Unseen => ({
  _tag: "New",
  reusedId,
  keys,
  absent: [...keys, ...keys.map((key) => tombstone(key, pepper))]
})

/** Returns a message as new before any search. `claimMessage` searches if one of its dedup keys already exists. */
export const presumeNew = (inbound: Inbound): Effect.Effect<Unseen, never, Secrets> =>
  Effect.map(Secrets, ({ pepper }) => unseen(inbound.dedupKeys, pepper))

const isReuse = (stored: Message, inbound: Inbound): boolean =>
  isReusedId(
    { from: stored.from ?? "", subject: stored.subject ?? "", dateSeconds: Math.floor(stored.timestamp / 1000) },
    {
      from: inbound.mail?.from ?? "",
      subject: inbound.subject ?? "",
      dateSeconds: Math.floor(inbound.timestamp / 1000)
    }
  )

/**
 * Returns whether a message has the same fingerprint as the request. The keys and the fingerprint of an erased message
 * are tombstones.
 */
const isSameRequest = ({ fingerprint, key }: DedupKeyHolder, inbound: Inbound, pepper: Uint8Array): boolean => {
  if (fingerprint === null || inbound.fingerprint === undefined) return true
  return fingerprint === (isTombstone(key) ? tombstone(inbound.fingerprint, pepper) : inbound.fingerprint)
}

/**
 * Searches for an earlier arrival of a message. Once a message is a duplicate, it stays one. Writes nothing, so a
 * caller can run it before its unit of work and avoid work for a duplicate. `claimMessage` accepts the result.
 */
export const recognise = Effect.fnUntraced(function* (inbound: Inbound) {
  const messages = yield* Messages
  const { pepper } = yield* Secrets
  const { dedupKeys, tenant } = inbound
  const all = unseen(dedupKeys, pepper)
  const holders = yield* messages.holders(tenant.tenantId, all.absent)
  const sameRequest = holders.every((holder) => isSameRequest(holder, inbound, pepper))
  if (holders.some(({ key }) => isTombstone(key))) return { _tag: "Erased", sameRequest } as Recognised
  const sure = holders.find((holder) => !holder.key.startsWith(messageIdKey))
  const holder = sure ?? holders[0]
  if (holder === undefined) return all as Recognised
  const stored = yield* messages.find(tenant.tenantId, holder.messageId)
  // The dedup key exists, but its message was erased between the two reads.
  if (stored === null) return { _tag: "Erased", sameRequest } as Recognised
  if (sure === undefined && isReuse(stored, inbound)) {
    const free = dedupKeys.filter((key) => holders.every((other) => other.key !== key))
    return unseen(free, pepper, true) as Recognised
  }
  return { _tag: "Copy", of: stored, sameRequest } as Recognised
})

const register = Effect.fnUntraced(function* (inbound: Inbound, { absent, keys, reusedId }: Unseen) {
  const messageId = yield* (yield* Ids).next("msg")
  const { fingerprint = null, tenant } = inbound
  const messages = yield* Messages
  const isFirst =
    keys.length === 0 || (yield* messages.claimKeys(tenant.tenantId, messageId, { absent, fingerprint, keys }))
  const claimed: ClaimedMessage | null = isFirst ? { _tag: "New", messageId, reusedId } : null
  return claimed
})

/**
 * Stores the dedup keys of a new message, or returns its earlier arrival. If copies arrive concurrently, only the first
 * one gets the keys. `recognised` is an earlier result of `recognise`, if there is one. A copy that has arrived since
 * then is still recognised. Runs inside a unit of work, before any other write of the message.
 */
export const claimMessage = Effect.fnUntraced(function* (inbound: Inbound, recognised?: Recognised) {
  const expected = recognised ?? (yield* presumeNew(inbound))
  if (expected._tag === "Erased") return expected
  if (expected._tag === "Copy") {
    // The original may have been erased or moved to another lead since then.
    const of = yield* (yield* Messages).find(inbound.tenant.tenantId, expected.of.messageId)
    const earlier: Earlier = of === null ? { ...expected, _tag: "Erased" } : { ...expected, of }
    return earlier
  }
  const claimed = yield* register(inbound, expected)
  if (claimed !== null) return claimed
  const found = yield* recognise(inbound)
  if (found._tag !== "New") return found
  return (
    (yield* register(inbound, found)) ?? (yield* Effect.die(new Error("a dedup key changed within a unit of work")))
  )
})

/**
 * Stores the provider's ids of a sent mail. When the provider reports this mail later, it is recognised as a duplicate,
 * and an answer to it joins its thread. Runs inside a unit of work.
 */
export const recordProviderIds = Effect.fnUntraced(function* (
  { mail, messageId, tenantId }: MailReservation,
  { providerGrantId }: Pick<Grant, "providerGrantId">,
  { internetMessageId, providerMessageId, providerThreadId }: AssignedIds
) {
  const messages = yield* Messages
  const message = yield* messages.find(tenantId, messageId)
  if (message === null || providerGrantId === null) return
  const given = internetMessageId === null ? null : normalizeMessageId(internetMessageId)
  const keys = [providerKey(providerGrantId, providerMessageId), ...(given === null ? [] : [messageIdKey + given])]
  const names = { internetMessageId: given ?? mail.internetMessageId, providerMessageId }
  yield* messages.recordProviderIds(tenantId, messageId, names, keys)
  const { threadId } = message
  if (threadId === null) return
  const ids = [given, providerThreadId === null ? null : providerThread(providerGrantId, providerThreadId)]
  const known = ids.flatMap((id): ReadonlyArray<KnownId> =>
    id === null ? [] : [{ id, threadId, seen: true, weak: false }]
  )
  yield* (yield* Threads).register(tenantId, known)
})
