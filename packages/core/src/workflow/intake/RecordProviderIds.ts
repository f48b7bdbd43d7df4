import { Effect } from "effect"
import { messageIdKey } from "./AcceptMessage.ts"
import type { AssignedIds } from "../../port/provider/EmailTransport.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import type { KnownId } from "../../domain/email/thread/Thread.ts"
import { normalizeMessageId } from "../../domain/email/MessageId.ts"
import type { MailReservation } from "../../domain/sending/Reservation.ts"

/**
 * FROZEN. The header with the Message-ID of mail that is sent through a provider, because providers replace the
 * Message-ID.
 */
export const sentMessageHeader = "x-leadloom-message"

/** FROZEN. The dedup key of a mail at a provider. */
export const providerKey = (providerGrantId: string, providerMessageId: string): string =>
  `provider:${providerGrantId}:${providerMessageId}`

/**
 * FROZEN. The id of a provider's thread in the index of ids. It contains spaces and no `@`, so it cannot equal a
 * Message-ID.
 */
export const providerThread = (providerGrantId: string, providerThreadId: string): string =>
  `thread of ${providerGrantId}: ${providerThreadId}`

/**
 * Stores the provider's ids of a sent mail. A report of the mail is then recognised as a duplicate, and an answer joins
 * its thread. Runs inside a unit of work.
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
