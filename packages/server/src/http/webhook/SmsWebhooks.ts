import { readReference, type SmsAccount, textArrived } from "@leadloom/connectors/internal/sms/SmsAccount"
import { reportsOf } from "@leadloom/connectors/internal/sms/SmsLayer"
import {
  type SmsProviderName,
  smsProviders,
  type SmsWebhookDescription
} from "@leadloom/core/internal/domain/provider/SmsProviders"
import { applyTextStatus } from "@leadloom/core/internal/workflow/sms/ApplyTextStatus"
import { ingestText } from "@leadloom/core/internal/workflow/sms/IngestText"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import type { Route } from "../middleware/Methods.ts"
import { ProviderSecrets } from "../middleware/ProviderSecrets.ts"
import { missingSignature, refuseSignature } from "./SignatureRefused.ts"
import { twimlResponse } from "./TwilioSigned.ts"
import { log } from "../../LogEvents.ts"

const names = Object.keys(smsProviders) as ReadonlyArray<SmsProviderName>

const pathOf = (name: SmsProviderName, kind: "sms" | "status") => `/api/v1/webhook/providers/${name}/${kind}` as const

/** Returns the path of the status reports of outbound texts. */
export const smsStatusPath = (name: SmsProviderName): string => pathOf(name, "status")

/** The webhook routes of all SMS providers. */
export const smsRoutes: ReadonlyArray<Route> = names.flatMap((name): ReadonlyArray<Route> => [
  ["POST", pathOf(name, "sms"), `${name}.text`],
  ["POST", pathOf(name, "status"), `${name}.textStatus`]
])

/**
 * Returns the response to an accepted webhook. For Twilio it is empty TwiML, because Twilio would send plain text as a
 * reply to the contact.
 */
const accepted = (name: SmsProviderName): HttpServerResponse.HttpServerResponse =>
  smsProviders[name].response === "twiml"
    ? twimlResponse('<?xml version="1.0" encoding="UTF-8"?><Response/>')
    : HttpServerResponse.empty({ status: 200 })

const received = Effect.fnUntraced(function* (name: SmsProviderName, account: SmsAccount, publicUrl: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers, originalUrl } = request
  const { signatureHeader }: SmsWebhookDescription = smsProviders[name]
  if (signatureHeader !== null && !headers[signatureHeader.toLowerCase()]) return missingSignature
  const body = new Uint8Array(yield* request.arrayBuffer)
  const { pathname, search } = new URL(originalUrl, "http://here")
  const now = yield* Clock.currentTimeMillis
  const webhook = { url: `${publicUrl}${pathname}${search}`, headers, body, now }
  if (!account.isSigned(webhook)) return yield* refuseSignature
  // A provider may send inbound texts and status reports to either route. An invalid text is accepted, because a retry
  // would not help.
  for (const text of account.readTexts(webhook)) {
    const arrived = textArrived(text)
    if (arrived !== null) yield* ingestText(arrived)
  }
  for (const { reference, ...progress } of reportsOf(account, webhook)) {
    const about = readReference(reference === undefined ? search : (reference ?? ""))
    if (about !== null) yield* applyTextStatus({ _tag: "TextMoved", ...about, ...progress })
  }
  return accepted(name)
})

/**
 * Handles a webhook of an SMS provider. The server's size limit applies first. The signature is checked before any
 * field is used.
 */
const receive = (name: SmsProviderName) =>
  Effect.gen(function* () {
    const { publicUrl, sms } = yield* ProviderSecrets
    const account = sms.get(name)
    if (account === undefined || publicUrl === null) return failure({ status: 503, message: notConfigured(name) })
    return yield* received(name, account, publicUrl)
  }).pipe(
    Effect.catchTag("StoreUnavailable", ({ reason }) =>
      Effect.as(log("webhook.failed", { provider: name, reason }), failureOf(503, { headers: { "retry-after": "1" } }))
    )
  )

const notConfigured = (name: SmsProviderName): string =>
  name === "twilio"
    ? "LEADLOOM_TWILIO_AUTH_TOKEN is not set, so webhooks of Twilio cannot be verified."
    : `The variables of ${name} are not set, so its webhooks cannot be verified.`

/** Adds the webhook routes of all SMS providers. */
export const layer = HttpRouter.use((router) =>
  Effect.forEach(
    names,
    (name) =>
      Effect.andThen(
        router.add("POST", pathOf(name, "sms"), receive(name)),
        router.add("POST", pathOf(name, "status"), receive(name))
      ),
    { discard: true }
  )
)
