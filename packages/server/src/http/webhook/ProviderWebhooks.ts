/**
 * Routes for webhooks of providers and for tool calls of voice assistants. The formats and signatures of providers
 * belong in `packages/connectors`. Tests: `packages/server/test/mail`, `test/call`, `test/billing` and
 * `test/http/crm`.
 */

import { readProviderEvent, signatureHeader } from "@leadloom/connectors/internal/nylas/NylasEvent"
import { receiveProviderEvent } from "@leadloom/core/internal/workflow/mailbox/ReceiveProviderEvent"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import type { Route } from "../middleware/Methods.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { missingSignature, refuseSignature } from "./SignatureRefused.ts"
import * as SmsWebhooks from "./SmsWebhooks.ts"
import { stripePath, receiveStripeEvent } from "./StripeWebhook.ts"
import { log } from "../../LogEvents.ts"

/** The path of the Nylas webhook. */
export const nylasPath = "/api/v1/webhook/providers/nylas"

/**
 * Routes for webhooks of Nylas, Stripe and the SMS providers. They are outside the contract, because the providers
 * define their formats.
 */
export const providerRoutes: ReadonlyArray<Route> = [
  ["GET", nylasPath, "nylas.challenge"],
  ["POST", nylasPath, "nylas.notice"],
  ["POST", stripePath, "stripe.notice"],
  ...SmsWebhooks.smsRoutes
]

/** The maximum length of a challenge in characters. The challenges of Nylas have a few dozen. */
const challengeLimit = 512

/** Returns the challenge unchanged as plain text. This proves to the provider that the endpoint exists. */
const answerChallenge = Effect.gen(function* () {
  const { challenge } = yield* HttpServerRequest.ParsedSearchParams
  if (typeof challenge !== "string" || challenge === "" || challenge.length > challengeLimit)
    return failure({ status: 400, message: "A handshake requires exactly one query parameter, challenge." })
  return HttpServerResponse.text(challenge, { contentType: "text/plain; charset=utf-8" })
})

/** Handles one provider event. An event about an unknown account is accepted, but has no effect. */
const receiveNylasEvent = Effect.gen(function* () {
  const { nylasWebhook } = yield* ProviderSecrets
  if (nylasWebhook === null)
    return failure({
      status: 503,
      message: "LEADLOOM_NYLAS_WEBHOOK_SECRET is not set, so webhooks of Nylas cannot be verified."
    })
  const request = yield* HttpServerRequest.HttpServerRequest
  const signature = request.headers[signatureHeader]
  if (!signature) return missingSignature
  const body = new Uint8Array(yield* request.arrayBuffer)
  const read = readProviderEvent(nylasWebhook, body, signature)
  if (read._tag === "ProviderEventRejected") return read.why === "signature" ? yield* refuseSignature : failureOf(400)
  yield* receiveProviderEvent(read.providerEvent)
  return HttpServerResponse.empty({ status: 200 })
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.as(log("webhook.failed", { provider: "nylas", reason }), failureOf(503, { headers: { "retry-after": "1" } }))
  )
)

/** Routes for webhooks of providers. The signature authenticates a request. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    yield* router.add("GET", nylasPath, answerChallenge)
    yield* router.add("POST", nylasPath, receiveNylasEvent)
    yield* router.add("POST", stripePath, receiveStripeEvent)
  })
).pipe(Layer.merge(SmsWebhooks.layer))
