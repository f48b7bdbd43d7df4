import { Effect } from "effect"
import { messageIdKey } from "./AcceptMessage.ts"
import type { AssignedIds } from "../../port/provider/EmailTransport.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import type { KnownId } from "../../domain/email/thread/Thread.ts"
import { normalizeMessageId } from "../../domain/email/MessageId.ts"
import type { MailReservation } from "../../domain/sending/Reservation.ts"

/** FROZEN. The header in which a mail that we send through a provider says which one it is: providers rename mail. */
export const sentMessageHeader = "x-leadloom-message"

/** FROZEN. The key under which a mail of a provider is a copy of one that it has brought or taken before. */
export const providerKey = (providerGrantId: string, providerMessageId: string): string =>
  `provider:${providerGrantId}:${providerMessageId}`

/**
 * FROZEN. A provider's thread in the index of ids. It holds no `@` and white space, so that no Message-ID is spelled like
 * it.
 */
export const providerThread = (providerGrantId: string, providerThreadId: string): string =>
  `thread of ${providerGrantId}: ${providerThreadId}`

/**
 * Notes what a provider calls a mail of ours: it is a copy when it is reported back, and the answer to it joins its
 * thread. Runs inside a unit of work.
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
