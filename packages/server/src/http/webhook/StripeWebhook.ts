import { stripeVersion } from "@leadloom/connectors/stripe/StripeConfig"
import { type NoticeRead, readNotice, signatureHeader } from "@leadloom/connectors/stripe/StripeNotice"
import { takeBillingNotice } from "@leadloom/core/workflow/billing/TakeBillingNotice"
import { Clock, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { refuseSignature } from "./SignatureRefused.ts"

/** Where Stripe tells of payments. */
export const stripePath = "/api/v1/webhook/providers/stripe"

const warnOfVersion = ({ foreignVersion, notice }: NoticeRead) =>
  foreignVersion === null
    ? Effect.void
    : Effect.logWarning("An event of Stripe is in another version than this server reads; it is only looked up").pipe(
        Effect.annotateLogs({ event: notice.noticeId, type: notice.type, version: foreignVersion, ours: stripeVersion })
      )

/** Takes one event. What we do not know of it is taken too, and nothing follows from it. */
export const takeStripeNotice = Effect.gen(function* () {
  const { stripeWebhook } = yield* ProviderSecrets
  if (stripeWebhook.length === 0)
    return failure({ status: 503, message: "LEADLOOM_STRIPE_WEBHOOK_SECRET is not set: events cannot be verified." })
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = new Uint8Array(yield* request.arrayBuffer)
  const header = request.headers[signatureHeader]
  const read = readNotice(stripeWebhook, body, header, yield* Clock.currentTimeMillis)
  if (read._tag === "NoticeRefused") {
    if (read.why === "malformed") return failureOf(400)
    if (read.why === "signature") return yield* refuseSignature(header ?? "")
    return failure({ status: 401, message: "The signature is older than five minutes, or one of the clocks is wrong." })
  }
  yield* warnOfVersion(read)
  yield* takeBillingNotice("stripe", read.notice)
  return HttpServerResponse.empty({ status: 200 })
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.as(
      Effect.logError("The store is unavailable", { reason }),
      failureOf(503, { headers: { "retry-after": "1" } })
    )
  )
)
