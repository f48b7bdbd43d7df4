import type {
  TextArrived,
  TextMediaReference,
  TextProgress,
  TextState
} from "@leadloom/core/internal/domain/conversation/TextEvent"
import type { InboundText, StatusReport } from "../sms/SmsAccount.ts"

/** The states of a message (https://www.twilio.com/docs/messaging/api/message-resource) and our equivalents. */
const states: Readonly<Record<string, TextState>> = {
  accepted: "queued",
  scheduled: "queued",
  queued: "queued",
  sending: "queued",
  sent: "sent",
  delivered: "delivered",
  read: "delivered",
  partially_delivered: "delivered",
  undelivered: "undelivered",
  failed: "failed",
  canceled: "failed"
}

/**
 * The meanings of error codes for the number (https://www.twilio.com/docs/api/errors). 30003 has none: the phone is
 * switched off or has no signal, and the next text may reach it.
 */
const meanings: Readonly<Record<number, TextProgress["about"]>> = {
  21610: "opted_out",
  21211: "unreachable",
  21614: "unreachable",
  30005: "unreachable",
  30006: "unreachable"
}

/** Returns the meaning of an error code for the number; null when it has none. */
export const aboutOf = (code: number | null): TextProgress["about"] => (code === null ? null : (meanings[code] ?? null))

/** Converts a state of Twilio and its reason; null for an unknown state. */
export const progressOf = (
  providerMessageId: string,
  status: string,
  code: number | null,
  words: string | null = null
): TextProgress | null => {
  const state = states[status.toLowerCase()]
  if (state === undefined) return null
  const reason = code === null ? null : words === null || words === "" ? `Twilio ${code}` : `${code}: ${words}`
  return { providerMessageId, state, reason, about: aboutOf(code) }
}

/** A form with its repeated names. If a name is repeated, its first value counts. */
type Form = URLSearchParams

const textOf = (form: Form, name: string): string => form.get(name)?.trim() ?? ""

const sidOf = (form: Form): string => textOf(form, "MessageSid") || textOf(form, "SmsSid")

const codeOf = (form: Form): number | null => {
  const code = textOf(form, "ErrorCode")
  return /^\d{1,9}$/u.test(code) && code !== "0" ? Number(code) : null
}

const mediaOf = (form: Form): ReadonlyArray<TextMediaReference> =>
  Array.from({ length: Math.min(20, Number(textOf(form, "NumMedia")) || 0) }, (_, index) => ({
    url: textOf(form, `MediaUrl${index}`),
    contentType: textOf(form, `MediaContentType${index}`).toLowerCase() || "application/octet-stream"
  })).filter(({ url }) => url !== "")

const requestedOf = (form: Form): TextArrived["requested"] => {
  switch (textOf(form, "OptOutType").toUpperCase()) {
    case "STOP":
      return "stop"
    case "START":
      return "start"
    case "HELP":
      return "help"
    default:
      return null
  }
}

/** The stored details of a text: the sender's location according to the network, and the number of segments. */
const kept: ReadonlyArray<readonly [name: string, as: string]> = [
  ["FromCity", "from_city"],
  ["FromState", "from_state"],
  ["FromZip", "from_zip"],
  ["FromCountry", "from_country"],
  ["NumSegments", "segments"]
]

/** Reads an inbound text; empty when the form reports the status of an outbound one. */
export const readTexts = (form: Form): ReadonlyArray<InboundText> => {
  const details = kept.map(([name, as]) => [as, textOf(form, name)]).filter(([, value]) => value !== "")
  return textOf(form, "MessageStatus") !== ""
    ? []
    : [
        {
          providerMessageId: sidOf(form),
          from: textOf(form, "From"),
          to: textOf(form, "To"),
          body: form.get("Body") ?? "",
          media: mediaOf(form),
          requested: requestedOf(form),
          details: Object.fromEntries(details)
        }
      ]
}

/** Reads the status of an outbound text; empty for an unknown text or status. */
export const readReports = (form: Form): ReadonlyArray<StatusReport> => {
  const status = textOf(form, "MessageStatus") || textOf(form, "SmsStatus")
  const progress = progressOf(sidOf(form).slice(0, 64), status, codeOf(form))
  return progress === null || progress.providerMessageId === "" ? [] : [progress]
}
