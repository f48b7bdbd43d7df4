import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { attachmentKey } from "../../domain/email/MailSource.ts"
import type { TextReservation } from "../../domain/sending/Reservation.ts"
import { again, done, type QueuedJob } from "../../domain/job/Job.ts"
import type { MessageId } from "../../domain/Id.ts"
import { createReviewTask } from "../sending/SettleSend.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { SmsProvider, type TextMedia } from "../../port/provider/SmsProvider.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { afterFailure } from "../provider/AfterFailure.ts"
import { applyTextStatus } from "./ApplyTextStatus.ts"
import { maxFindTextAttempts, maxMediaBytes, maxMediaItems, type TextJob } from "../../domain/conversation/TextJob.ts"
import { textKey } from "../../domain/conversation/OutgoingText.ts"
import type { TextProgress } from "../../domain/conversation/TextEvent.ts"

type Of<Kind extends TextJob["kind"]> = QueuedJob<Extract<TextJob, { readonly kind: Kind }>>

/** Creates a task for a person, because the search for a text was not successful. */
const giveUp = (send: TextReservation) =>
  Effect.flatMap(Transactions, ({ atomically }) =>
    atomically(send.tenantId, createReviewTask(send, "It is unknown whether a text was sent"))
  )

/**
 * Confirms a send with the only text in the provider's list that can be the missing one. Returns false when there is
 * none or more than one, for example several texts with the same words. Texts that belong to another message are
 * ignored.
 */
const recognise = Effect.fnUntraced(function* (
  tenantId: string,
  messageId: MessageId,
  found: ReadonlyArray<TextProgress>
) {
  const keys = found.map(({ providerMessageId }) => textKey(providerMessageId))
  const holders = yield* (yield* Messages).holders(tenantId, keys)
  const taken = new Set(holders.flatMap((holder) => (holder.messageId === messageId ? [] : [holder.key])))
  const [one, ...others] = found.filter(({ providerMessageId }) => !taken.has(textKey(providerMessageId)))
  if (one === undefined || others.length > 0) return false
  yield* applyTextStatus({ _tag: "TextMoved", tenantId, messageId, ...one })
  return true
})

const findText = Effect.fnUntraced(function* ({ attempts, job, tenantId }: Of<"find_text">) {
  const { at, messageId, since = at } = job
  const send = yield* (yield* Sends).find(tenantId, messageId)
  if (send?.channel !== "sms" || send.state !== "unknown") return done
  const found = yield* (yield* SmsProvider).find({ tenantId, messageId, text: send.text }, { since, until: at })
  const { atomically } = yield* Transactions
  if (yield* atomically(tenantId, recognise(tenantId, messageId, found))) return done
  if (attempts < maxFindTextAttempts)
    return again("the provider does not list the text yet, or lists several identical texts")
  yield* giveUp(send)
  return done
})

/** The media type of a text's source. The attachments of a text are stored together with this source. */
const sourceType = "application/json"

const fetchMedia = Effect.fnUntraced(function* ({ job, tenantId }: Of<"fetch_media">) {
  const { media, messageId } = job
  const messages = yield* Messages
  const message = yield* messages.find(tenantId, messageId)
  if (message === null || message.raw !== null) return done
  const provider = yield* SmsProvider
  const { put } = yield* Objects
  const fetched: ReadonlyArray<TextMedia | null> = yield* Effect.forEach(
    media,
    ({ url }) =>
      // If one attachment is missing, the others are still stored.
      provider.media(url, maxMediaBytes).pipe(
        Effect.catchReasons("ProviderFailure", {
          Gone: () => Effect.succeed(null),
          Refused: () => Effect.succeed(null)
        })
      ),
    // The downloads are concurrent, because sequential ones could exceed the lease and delay other jobs.
    { concurrency: maxMediaItems }
  )
  const key = `raw_${messageId.slice("msg_".length)}`
  const bytes = utf8ToBytes(JSON.stringify({ body: message.body, media: media.map(({ url }) => url) }))
  yield* put(tenantId, key, bytes)
  for (const [index, one] of fetched.entries())
    if (one !== null) yield* put(tenantId, attachmentKey(key, index), one.bytes)
  const attachments = message.attachments.map((attachment, index) => {
    const one = fetched[index] ?? null
    if (one === null) return attachment
    return { ...attachment, contentType: one.contentType, size: one.bytes.length, stored: true as const }
  })
  const raw = { key, size: bytes.length, mediaType: sourceType }
  const { atomically } = yield* Transactions
  const kept = yield* atomically(tenantId, messages.setContent(tenantId, messageId, raw, attachments))
  // The message was erased meanwhile, so the new objects are removed.
  if (!kept) {
    const { remove } = yield* Objects
    const keys = [key, ...media.map((_, index) => attachmentKey(key, index))]
    yield* Effect.forEach(keys, (one) => remove(tenantId, one), { discard: true })
  }
  return done
})

/** Runs one job at the SMS provider. */
export const runTextJob = (queued: QueuedJob<TextJob>) => {
  const { job } = queued
  return Effect.gen(function* () {
    if (job.kind === "find_text") return yield* findText({ ...queued, job })
    return yield* fetchMedia({ ...queued, job })
  }).pipe(
    Effect.catchTags({
      ProviderFailure: (failure) => afterFailure(queued, failure, Effect.succeed(done)),
      ObjectsUnavailable: ({ reason }) => Effect.succeed(again(reason))
    })
  )
}
