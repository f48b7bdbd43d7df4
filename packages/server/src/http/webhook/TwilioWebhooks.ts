import { readStatus, readText } from "@leadloom/connectors/twilio/TwilioEvent"
import { applyTextStatus } from "@leadloom/core/workflow/sms/ApplyTextStatus"
import { ingestText } from "@leadloom/core/workflow/sms/IngestText"
import { Effect } from "effect"
import { fromTwilio, twimlResponse } from "./TwilioSigned.ts"

/** Path of inbound texts. */
export const twilioSmsPath = "/api/v1/webhook/providers/twilio/sms"
/** Path of status events of outbound texts. */
export const twilioStatusPath = "/api/v1/webhook/providers/twilio/status"

/** The response to Twilio. It is empty TwiML, because Twilio would send plain text as a reply. */
const emptyResponse = twimlResponse('<?xml version="1.0" encoding="UTF-8"?><Response/>')

/** Handles an inbound text. An invalid one is accepted too, because a retry would not help. */
export const receiveTwilioText = fromTwilio(({ form }) => {
  const providerEvent = readText(new URLSearchParams(form))
  return Effect.as(providerEvent === null ? Effect.succeed(null) : ingestText(providerEvent), emptyResponse)
})

/** Handles the status of an outbound text. */
export const receiveTwilioStatus = fromTwilio(({ form, query }) => {
  const moved = readStatus(new URLSearchParams(form), query)
  return Effect.as(moved === null ? Effect.void : applyTextStatus(moved), emptyResponse)
})
