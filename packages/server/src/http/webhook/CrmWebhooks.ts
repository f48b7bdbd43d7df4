import { readProviderEvent, signatureHeader } from "@leadloom/connectors/internal/highlevel/HighLevelEvent"
import { receiveCrmEvent } from "@leadloom/core/internal/workflow/crm/ReceiveCrmEvent"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import type { Route } from "../middleware/Methods.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { missingSignature, refuseSignature } from "./SignatureRefused.ts"
import { log } from "../../LogEvents.ts"

/** The path of HighLevel's webhook, which all locations share. */
export const highLevelPath = "/api/v1/webhook/providers/highlevel"

/** Routes for the CRM's webhook. They are outside the contract, because the provider defines their formats. */
export const crmRoutes: ReadonlyArray<Route> = [["POST", highLevelPath, "highLevel.notice"]]

const receiveProviderEvent = Effect.gen(function* () {
  const { crmWebhookKeys } = yield* ProviderSecrets
  if (crmWebhookKeys.length === 0)
    return failure({
      status: 503,
      message: "LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY is not set, so webhooks of the CRM cannot be verified."
    })
  const request = yield* HttpServerRequest.HttpServerRequest
  const signature = request.headers[signatureHeader]
  if (!signature) return missingSignature
  const body = new Uint8Array(yield* request.arrayBuffer)
  const read = readProviderEvent(crmWebhookKeys, body, signature, yield* Clock.currentTimeMillis)
  if (read._tag === "ProviderEventRead") {
    yield* receiveCrmEvent(read.providerEventId, read.providerEvent)
    return HttpServerResponse.empty({ status: 200 })
  }
  if (read.why === "malformed") return failureOf(400)
  // The signature of a replayed event is genuine. The event therefore does not count as an attempt to guess a secret.
  if (read.why === "stale")
    return failure({ status: 401, message: "The provider event is older than five minutes, or a clock is wrong." })
  return yield* refuseSignature
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.as(
      log("webhook.failed", { provider: "highlevel", reason }),
      failureOf(503, { headers: { "retry-after": "1" } })
    )
  )
)

/** The route of the CRM's webhook. The signature authenticates a request. */
export const layer = HttpRouter.use((router) => router.add("POST", highLevelPath, receiveProviderEvent))
