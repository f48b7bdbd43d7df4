import { readStatus, readText } from "@leadloom/connectors/twilio/TwilioEvent"
import { applyTextStatus } from "@leadloom/core/workflow/sms/ApplyTextStatus"
import { ingestText } from "@leadloom/core/workflow/sms/IngestText"
import { Effect } from "effect"
import { fromTwilio, twimlResponse } from "./TwilioSigned.ts"

/** Where Twilio brings texts. */
export const twilioSmsPath = "/api/v1/webhook/providers/twilio/sms"
/** Where Twilio tells what becomes of ours. */
export const twilioStatusPath = "/api/v1/webhook/providers/twilio/status"

/** What is said to Twilio: nothing. A plain text in here would be sent as a reply. */
const emptyResponse = twimlResponse('<?xml version="1.0" encoding="UTF-8"?><Response/>')

/** Takes one text. What is none is answered all the same: asking again would not help. */
export const receiveTwilioText = fromTwilio(({ form }) => {
  const providerEvent = readText(new URLSearchParams(form))
  return Effect.as(providerEvent === null ? Effect.succeed(null) : ingestText(providerEvent), emptyResponse)
})

/** Takes what became of a text of ours. */
export const receiveTwilioStatus = fromTwilio(({ form, query }) => {
  const moved = readStatus(new URLSearchParams(form), query)
  return Effect.as(moved === null ? Effect.void : applyTextStatus(moved), emptyResponse)
})
