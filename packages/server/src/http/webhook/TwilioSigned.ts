import { type Form, readForm } from "@leadloom/connectors/internal/twilio/CallEvent"
import { isSignedBy, signatureHeader } from "@leadloom/connectors/internal/twilio/TwilioSignature"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { missingSignature, refuseSignature } from "./SignatureRefused.ts"
import { log } from "../../LogEvents.ts"

/** A verified request of Twilio: the form in its body, and the query of the called URL. */
export interface TwilioRequest {
  readonly form: Form
  readonly query: URLSearchParams
  readonly publicUrl: string
}

const notConfigured = failure({
  status: 503,
  message: "LEADLOOM_TWILIO_AUTH_TOKEN is not set, so webhooks of Twilio cannot be verified."
})

/** Returns a TwiML document. */
export const twimlResponse = (document: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document, { contentType: "text/xml; charset=utf-8" })

/**
 * Verifies a webhook of Twilio and passes it to `receive`. The server's size limit applies first. The signature over
 * the public URL and the form is checked before any field is used.
 */
export const fromTwilio = <R>(
  receive: (request: TwilioRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, StoreUnavailable, R>
) =>
  Effect.gen(function* () {
    const { twilio } = yield* ProviderSecrets
    if (twilio === null) return notConfigured
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, originalUrl } = request
    if (!headers[signatureHeader]) return missingSignature
    const body = new Uint8Array(yield* request.arrayBuffer)
    const { pathname, search, searchParams } = new URL(originalUrl, "http://here")
    const signed = {
      url: `${twilio.publicUrl}${pathname}${search}`,
      body,
      contentType: headers["content-type"] ?? null,
      signature: headers[signatureHeader]
    }
    if (!isSignedBy(twilio.authTokens, signed)) return yield* refuseSignature
    return yield* receive({ form: readForm(body), query: searchParams, publicUrl: twilio.publicUrl })
  }).pipe(
    Effect.catchTag("StoreUnavailable", ({ reason }) =>
      Effect.as(
        log("webhook.failed", { provider: "twilio", reason }),
        failureOf(503, { headers: { "retry-after": "1" } })
      )
    )
  )
