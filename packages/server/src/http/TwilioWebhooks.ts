import { readStatus, readText } from "@leadloom/connectors/twilio/TwilioNotice"
import { isSignedBy, signatureHeader } from "@leadloom/connectors/twilio/TwilioSignature"
import { followText } from "@leadloom/core/sms/FollowText"
import { takeText } from "@leadloom/core/sms/TakeText"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "./Failure.ts"
import { ProviderSecrets } from "./ProviderSecrets.ts"
import { refuseSignature } from "./SignatureRefused.ts"

/** Where Twilio brings texts. */
export const twilioSmsPath = "/api/v1/webhook/providers/twilio/sms"
/** Where Twilio tells what becomes of ours. */
export const twilioStatusPath = "/api/v1/webhook/providers/twilio/status"

/** What is said to Twilio: nothing. A plain text in here would be sent as a reply. */
const silence = HttpServerResponse.text('<?xml version="1.0" encoding="UTF-8"?><Response/>', {
  contentType: "text/xml; charset=utf-8"
})

/** A request of Twilio's: its form, and the query that it called. */
export interface TwilioCalled {
  readonly form: URLSearchParams
  readonly query: URLSearchParams
}

const notConfigured = "LEADLOOM_TWILIO_AUTH_TOKEN is not set: what comes from Twilio cannot be verified."

/**
 * Answers what Twilio tells: 503 where nothing is configured, 401 where the signature is not its own (over the public URL
 * of the configuration, never over a Host), 200 with nothing to do once what follows is written down.
 */
export const verified = <E extends { readonly _tag: string; readonly reason: string }, R>(
  take: (called: TwilioCalled) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    const { twilio } = yield* ProviderSecrets
    if (twilio === null) return failure({ status: 503, message: notConfigured })
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = new Uint8Array(yield* request.arrayBuffer)
    const { pathname, search } = new URL(request.originalUrl, "http://localhost")
    const signature = request.headers[signatureHeader]
    const contentType = request.headers["content-type"] ?? null
    const url = `${twilio.publicUrl}${pathname}${search}`
    if (!isSignedBy(twilio.authTokens, { url, body, contentType, signature }))
      return yield* refuseSignature(signature ?? "")
    const form = new URLSearchParams(new TextDecoder().decode(body))
    return yield* take({ form, query: new URLSearchParams(search) }).pipe(
      Effect.as(silence),
      Effect.catch(({ reason }) =>
        Effect.as(
          Effect.logError("The store is unavailable", { reason }),
          failureOf(503, { headers: { "retry-after": "1" } })
        )
      )
    )
  })

/** Takes one text. What is none is answered all the same: asking again would not help. */
export const takeTwilioText = verified(({ form }) => {
  const notice = readText(form)
  return notice === null ? Effect.void : Effect.asVoid(takeText(notice))
})

/** Takes what became of a text of ours. */
export const takeTwilioStatus = verified(({ form, query }) => {
  const moved = readStatus(form, query)
  return moved === null ? Effect.void : followText(moved)
})
