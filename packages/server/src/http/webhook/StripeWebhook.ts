import { stripeVersion } from "@leadloom/connectors/internal/stripe/StripeConfig"
import {
  type ProviderEventRead,
  readProviderEvent,
  signatureHeader
} from "@leadloom/connectors/internal/stripe/StripeEvent"
import { receiveBillingEvent } from "@leadloom/core/internal/workflow/billing/ReceiveBillingEvent"
import { Clock, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { missingSignature, refuseSignature } from "./SignatureRefused.ts"
import { log } from "../../LogEvents.ts"

/** The path of Stripe's webhook. */
export const stripePath = "/api/v1/webhook/providers/stripe"

const warnOfVersion = ({ foreignVersion, providerEvent }: ProviderEventRead) =>
  foreignVersion === null
    ? Effect.void
    : log("stripe.foreign_version", {
        provider_event: providerEvent.providerEventId,
        event_type: providerEvent.type,
        version: foreignVersion,
        ours: stripeVersion
      })

/** Handles one event. An unknown event is accepted, but has no effect. */
export const receiveStripeEvent = Effect.gen(function* () {
  const { stripeWebhook } = yield* ProviderSecrets
  if (stripeWebhook.length === 0)
    return failure({
      status: 503,
      message: "LEADLOOM_STRIPE_WEBHOOK_SECRET is not set, so webhooks of Stripe cannot be verified."
    })
  const request = yield* HttpServerRequest.HttpServerRequest
  const header = request.headers[signatureHeader]
  if (!header) return missingSignature
  const body = new Uint8Array(yield* request.arrayBuffer)
  const read = readProviderEvent(stripeWebhook, body, header, yield* Clock.currentTimeMillis)
  if (read._tag === "ProviderEventRejected") {
    if (read.why === "malformed") return failureOf(400)
    if (read.why === "signature") return yield* refuseSignature
    return failure({ status: 401, message: "The signature is older than five minutes, or a clock is wrong." })
  }
  yield* warnOfVersion(read)
  yield* receiveBillingEvent("stripe", read.providerEvent)
  return HttpServerResponse.empty({ status: 200 })
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.as(
      log("webhook.failed", { provider: "stripe", reason }),
      failureOf(503, { headers: { "retry-after": "1" } })
    )
  )
)
