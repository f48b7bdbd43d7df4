import { stripeVersion } from "@leadloom/connectors/stripe/StripeConfig"
import { type ProviderEventRead, readProviderEvent, signatureHeader } from "@leadloom/connectors/stripe/StripeEvent"
import { receiveBillingEvent } from "@leadloom/core/workflow/billing/ReceiveBillingEvent"
import { Clock, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { refuseSignature } from "./SignatureRefused.ts"

/** Where Stripe tells of payments. */
export const stripePath = "/api/v1/webhook/providers/stripe"

const warnOfVersion = ({ foreignVersion, providerEvent }: ProviderEventRead) =>
  foreignVersion === null
    ? Effect.void
    : Effect.logWarning("An event of Stripe is in another version than this server reads; it is only looked up").pipe(
        Effect.annotateLogs({
          event: providerEvent.providerEventId,
          type: providerEvent.type,
          version: foreignVersion,
          ours: stripeVersion
        })
      )

/** Takes one event. What we do not know of it is taken too, and nothing follows from it. */
export const receiveStripeEvent = Effect.gen(function* () {
  const { stripeWebhook } = yield* ProviderSecrets
  if (stripeWebhook.length === 0)
    return failure({ status: 503, message: "LEADLOOM_STRIPE_WEBHOOK_SECRET is not set: events cannot be verified." })
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = new Uint8Array(yield* request.arrayBuffer)
  const header = request.headers[signatureHeader]
  const read = readProviderEvent(stripeWebhook, body, header, yield* Clock.currentTimeMillis)
  if (read._tag === "ProviderEventRejected") {
    if (read.why === "malformed") return failureOf(400)
    if (read.why === "signature") return yield* refuseSignature(header ?? "")
    return failure({ status: 401, message: "The signature is older than five minutes, or one of the clocks is wrong." })
  }
  yield* warnOfVersion(read)
  yield* receiveBillingEvent("stripe", read.providerEvent)
  return HttpServerResponse.empty({ status: 200 })
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.as(
      Effect.logError("The store is unavailable", { reason }),
      failureOf(503, { headers: { "retry-after": "1" } })
    )
  )
)
