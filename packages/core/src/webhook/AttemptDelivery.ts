import { Clock, Effect, Stream } from "effect"
import { retryAfterMillis } from "../RetryAfter.ts"
import { Egress, egressTimeoutMillis } from "../port/Egress.ts"
import { Hmac } from "../port/Hmac.ts"
import { type Attempt, responseBytesKept } from "./Delivery.ts"
import { deliveryHeaders, type Parcel } from "./DeliveryRequest.ts"
import type { Subscription } from "./Subscription.ts"

/** Bytes of a response as text, with what a database cannot hold replaced. */
const textOf = (body: Uint8Array): Effect.Effect<string> =>
  Effect.map(Stream.mkString(Stream.decodeText(Stream.make(body))), (text) => text.replaceAll("\0", "\uFFFD"))

/**
 * One attempt to deliver an event: any 2xx within 15 s is a success (specification, "Outbound event types"). It never
 * fails; what went wrong is in the attempt.
 */
export const attemptDelivery = Effect.fnUntraced(function* (subscription: Subscription, parcel: Parcel) {
  const at = yield* Clock.currentTimeMillis
  const request = {
    url: subscription.url,
    headers: deliveryHeaders(subscription, parcel, at, yield* Hmac),
    body: parcel.body,
    timeoutMillis: egressTimeoutMillis,
    maxResponseBytes: responseBytesKept
  }
  const unanswered = (error: string, millis: number): Attempt => ({
    at,
    status: null,
    millis,
    error,
    response: null,
    retryAfterMillis: null
  })
  return yield* (yield* Egress).post(request).pipe(
    Effect.flatMap(({ body, headers, millis, status }) => {
      const answered = { at, status, millis, error: null, response: null, retryAfterMillis: null }
      if (status >= 200 && status < 300) return Effect.succeed<Attempt>(answered)
      return Effect.map(textOf(body), (response): Attempt => ({
        ...answered,
        error: `The receiver answered ${status}.`,
        response,
        retryAfterMillis: retryAfterMillis(headers["retry-after"], at + millis)
      }))
    }),
    Effect.catchTags({
      EgressFailed: ({ millis, reason }) => Effect.succeed(unanswered(reason, millis)),
      EgressRefused: ({ reason }) => Effect.succeed(unanswered(reason, 0))
    })
  )
})
