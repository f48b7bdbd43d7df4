import { Principal } from "@leadloom/api/Access"
import { keyHolder } from "@leadloom/core/domain/access/Principal"
import type { MailRefused } from "@leadloom/core/domain/sending/Reservation"
import type { SendLimitReached } from "@leadloom/core/domain/sending/SendLimit"
import type { SentEmail } from "@leadloom/core/workflow/sending/SendOnce"
import type { SentText } from "@leadloom/core/workflow/sms/SendText"
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { setRateLimitHeaders } from "./RateHeaders.ts"

/** The Idempotency-Key of a request, under the name of its caller: two callers never share one. Null: none is given. */
export const idempotencyKeyOf = ({ "idempotency-key": key }: { readonly "idempotency-key"?: string }) =>
  key === undefined || key === ""
    ? Effect.succeed(null)
    : Effect.map(Principal, (principal) => `${keyHolder(principal)}:${key}`)

/** Says that the answer is an earlier one: the request has come before under its key. */
export const setReplayHeader = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "idempotent-replayed", "true"))
)

const isTold = (error: { readonly _tag: string }): error is MailRefused | SendLimitReached =>
  error._tag === "SendLimitReached" || error._tag === "MailRefused"

/**
 * Says in the headers where the hour of 50 sends stands and whether the answer is an earlier one. The hourly limit is
 * told with every outcome that has looked at it; it stands above the request limiter's headers.
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
