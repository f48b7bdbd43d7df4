import { Clock, Effect, Stream } from "effect"
import { retryAfterMillis } from "../../domain/time/Retry.ts"
import type { UnsealFailed, Vault } from "../../port/system/Vault.ts"
import { Egress, type EgressAnswer, egressTimeoutMillis } from "../../port/system/Egress.ts"
import { type Attempt, maxStoredResponseBytes } from "../../domain/webhook/Delivery.ts"
import { deliveryHeaders, type EncodedEvent } from "./DeliveryRequest.ts"
import { openSigners, type Signers, signersAt } from "./Signers.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"

/** Decodes a response body. NUL characters are replaced, because Postgres cannot store them. */
const textOf = (body: Uint8Array): Effect.Effect<string> =>
  Effect.map(Stream.mkString(Stream.decodeText(Stream.make(body))), (text) => text.replaceAll("\0", "\uFFFD"))

const unreadable = "The deployment's secret key cannot decrypt the subscription's secret. Rotate the secret."

const unanswered = (at: number, error: string, millis: number): Attempt => ({
  at,
  status: null,
  millis,
  error,
  response: null,
  retryAfterMillis: null
})

const answered = (at: number, { body, headers, millis, status }: EgressAnswer): Effect.Effect<Attempt> => {
  const attempt = { at, status, millis, error: null, response: null, retryAfterMillis: null }
  if (status >= 200 && status < 300) return Effect.succeed(attempt)
  return Effect.map(textOf(body), (response) => ({
    ...attempt,
    error: `The receiver responded with status ${status}.`,
    response,
    retryAfterMillis: retryAfterMillis(headers["retry-after"], at + millis)
  }))
}

/**
 * Makes one attempt to deliver an event. A response with a status 2xx within 15 s is a success (specification,
 * "Outbound event types"). Never fails: an error is part of the returned attempt. For several attempts, pass `signers`,
 * so that the secrets are opened only once.
 */
export const attemptDelivery = Effect.fnUntraced(function* (
  subscription: Subscription,
  encoded: EncodedEvent,
  signers: Effect.Effect<Signers, UnsealFailed, Vault> = openSigners(subscription)
) {
  const at = yield* Clock.currentTimeMillis
  const { post } = yield* Egress
  const sending = Effect.flatMap(signers, (opened) =>
    post({
      url: subscription.url,
      headers: deliveryHeaders(subscription.webhookId, signersAt(opened, at), encoded, at),
      body: encoded.body,
      timeoutMillis: egressTimeoutMillis,
      maxResponseBytes: maxStoredResponseBytes
    })
  )
  return yield* sending.pipe(
    Effect.flatMap((answer) => answered(at, answer)),
    Effect.catchTags({
      EgressFailed: ({ millis, reason }) => Effect.succeed(unanswered(at, reason, millis)),
      EgressRefused: ({ reason }) => Effect.succeed(unanswered(at, reason, 0)),
      UnsealFailed: () => Effect.succeed(unanswered(at, unreadable, 0))
    })
  )
})
