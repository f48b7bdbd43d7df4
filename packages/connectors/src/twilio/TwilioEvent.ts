import type { MessageId } from "@leadloom/core/domain/Id"
import { isId } from "@leadloom/core/domain/Id"
import type {
  TextArrived,
  TextMediaReference,
  TextMoved,
  TextProgress,
  TextState
} from "@leadloom/core/domain/conversation/TextEvent"

/** The states of a message (https://www.twilio.com/docs/messaging/api/message-resource) in our words. */
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
 * What a code tells of the number (https://www.twilio.com/docs/api/errors). 30003 tells nothing of it: the telephone is
 * switched off, or has no signal, and may be reached by the next text.
 */
const meanings: Readonly<Record<number, TextProgress["about"]>> = {
  21610: "opted_out",
  21211: "unreachable",
  21614: "unreachable",
  30005: "unreachable",
  30006: "unreachable"
}

/** What a code of Twilio tells of the number it speaks of; null: nothing. */
export const aboutOf = (code: number | null): TextProgress["about"] => (code === null ? null : (meanings[code] ?? null))

/** A state in Twilio's words, and why; null: none that we know. */
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

/** A form as it came; a name that comes twice counts once. */
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

/** What may be of use to a reader later: where the network thinks that the sender is, and what it was counted as. */
const kept: ReadonlyArray<readonly [name: string, as: string]> = [
  ["FromCity", "from_city"],
  ["FromState", "from_state"],
  ["FromZip", "from_zip"],
  ["FromCountry", "from_country"],
  ["NumSegments", "segments"]
]

const detailsOf = (form: Form): Readonly<Record<string, string>> =>
  Object.fromEntries(
    kept.flatMap(([name, as]) => {
      const value = textOf(form, name).slice(0, 100)
      return value === "" ? [] : [[as, value]]
    })
  )

/** Reads a text that came in; null: it is none. Postgres holds no NUL. */
export const readText = (form: Form): TextArrived | null => {
  const [sid, from, to] = [sidOf(form), textOf(form, "From"), textOf(form, "To")]
  if (sid === "" || from === "" || to === "") return null
  return {
    _tag: "TextArrived",
    providerMessageId: sid.slice(0, 64),
    from: from.slice(0, 64),
    to: to.slice(0, 64),
    body: form.get("Body")?.replaceAll("\0", "\uFFFD").toWellFormed() ?? "",
    media: mediaOf(form),
    requested: requestedOf(form),
    details: detailsOf(form)
  }
}

/** Where Twilio is asked to tell what becomes of a text: whose it is stands in the query, which is signed. */
export const statusQuery = (tenantId: string, messageId: MessageId): string =>
  new URLSearchParams({ tenant: tenantId, message: messageId }).toString()

/** Reads what became of a text of ours; null: it is of no text that we know, or says nothing that we know. */
export const readStatus = (form: Form, query: URLSearchParams): TextMoved | null => {
  const [tenantId, messageId, sid] = [query.get("tenant") ?? "", query.get("message") ?? "", sidOf(form)]
  if (tenantId === "" || sid === "" || !isId("msg", messageId)) return null
  const status = textOf(form, "MessageStatus") || textOf(form, "SmsStatus")
  const progress = progressOf(sid.slice(0, 64), status, codeOf(form))
  return progress === null ? null : { _tag: "TextMoved", tenantId, messageId, ...progress }
}
