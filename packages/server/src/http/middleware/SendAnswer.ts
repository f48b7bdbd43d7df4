import { Principal } from "@leadloom/api/internal/Access"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import type { SendOverride } from "@leadloom/core/internal/domain/consent/Override"
import type { MessageId, ThreadId } from "@leadloom/core/internal/domain/Id"
import type { Scheduled } from "@leadloom/core/internal/workflow/schedule/ScheduleSend"
import { keyHolder } from "@leadloom/core/internal/domain/access/Principal"
import type { MailRefused } from "@leadloom/core/internal/domain/sending/Reservation"
import type { SendLimitReached } from "@leadloom/core/internal/domain/sending/SendLimit"
import type { SentEmail } from "@leadloom/core/internal/workflow/sending/SendOnce"
import type { SentText } from "@leadloom/core/internal/workflow/sms/SendText"
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { setRateLimitHeaders } from "./RateHeaders.ts"

/**
 * Returns the Idempotency-Key of a request; null if there is none. The caller's name is added as a prefix, so that
 * different callers may use the same key.
 */
export const idempotencyKeyOf = ({ "idempotency-key": key }: { readonly "idempotency-key"?: string }) =>
  key === undefined || key === ""
    ? Effect.succeed(null)
    : Effect.map(Principal, (principal) => `${keyHolder(principal)}:${key}`)

/** Marks the response as the repetition of an earlier response to the same key. */
export const setReplayHeader = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "idempotent-replayed", "true"))
)

/** The parts of a result that the response to a send needs. */
interface SendOutcome {
  readonly messageId: MessageId
  readonly threadId: ThreadId | null
  readonly overridden: SendOverride | null
  /** The time of a message that is sent later. */
  readonly sendAt?: number
}

/** Returns the result of a message that is sent later, and marks a repeated response. */
export const laterAnswer = <E, R>(schedule: Effect.Effect<Scheduled, E, R>) =>
  Effect.gen(function* () {
    const { replayed, scheduled } = yield* schedule
    if (replayed) yield* setReplayHeader
    const { messageId, override: overridden, sendAt } = scheduled
    const outcome: SendOutcome = { messageId, threadId: null, overridden, sendAt }
    return outcome
  })

/** Returns the response field of a message that is sent later. Empty for other messages. */
export const laterReceiptOf = (outcome: SendOutcome | SentEmail | SentText): { readonly send_at?: string } =>
  "sendAt" in outcome && outcome.sendAt !== undefined ? { send_at: isoTime(outcome.sendAt) } : {}

const isTold = (error: { readonly _tag: string }): error is MailRefused | SendLimitReached =>
  error._tag === "SendLimitReached" || error._tag === "MailRefused"

/**
 * Adds the state of the hourly send limit to the headers, and marks a repeated response. The headers are on every
 * response for which this limit was checked. They replace the headers of the request limiter.
 */
export const setSendHeaders = <A extends SentEmail | SentText, Err extends { readonly _tag: string }, R>(
  send: Effect.Effect<A, Err, R>
) =>
  send.pipe(
    Effect.tap(({ rate, replayed }) =>
      Effect.andThen(rate === null ? Effect.void : setRateLimitHeaders(rate), replayed ? setReplayHeader : Effect.void)
    ),
    Effect.tapError((error) =>
      isTold(error)
        ? Effect.andThen(
            setRateLimitHeaders(error.rate),
            "replayed" in error && error.replayed ? setReplayHeader : Effect.void
          )
        : Effect.void
    )
  )
