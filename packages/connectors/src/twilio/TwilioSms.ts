// Texts through Twilio: requests, responses and webhooks. Consent is checked in core. Tests:
// `packages/connectors/test/twilio`.
import type { TextProgress } from "@leadloom/core/internal/domain/conversation/TextEvent"
import type { TextTimeRange } from "@leadloom/core/internal/port/provider/SmsProvider"
import { Option, type Redacted, Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import type { SmsAccount } from "../sms/SmsAccount.ts"
import { type TwilioConfig, twilioProvider } from "./TwilioConfig.ts"
import { aboutOf, progressOf, readReports, readTexts } from "./TwilioEvent.ts"
import { isSignedBy, signatureHeader } from "./TwilioSignature.ts"

/**
 * The time in milliseconds before and after the send within which a text is searched. The clocks of both sides may
 * differ by this time.
 */
const aroundMillis = 10 * 60_000

const Message = Schema.Struct({
  sid: maybe(Schema.String),
  status: maybe(Schema.String),
  body: maybe(Schema.String),
  from: maybe(Schema.String),
  error_code: maybe(Schema.Finite),
  error_message: maybe(Schema.String),
  date_created: maybe(Schema.String)
})

const Messages = Schema.Struct({ messages: listOf(Message) })

type MessageJson = typeof Message.Type

const isSame = ({ body, date_created }: MessageJson, sent: string, { since, until }: TextTimeRange): boolean => {
  // A text without a time cannot be identified, so it does not match.
  const at = Date.parse(date_created ?? "")
  return body === sent && at >= since - aroundMillis && at <= until + aroundMillis
}

const readProgress = ({ error_code, error_message, sid, status }: MessageJson): TextProgress | null =>
  sid ? progressOf(sid, status ?? "queued", error_code ?? null, error_message ?? null) : null

const messages = { path: ["Messages"], extension: ".json" } as const

const decodeMessage = Schema.decodeUnknownOption(Message)
const decodeMessages = Schema.decodeUnknownOption(Messages)

/** The account for texts. `tokens` verify webhooks: the current one, and the previous one during a rotation. */
export const twilioAccount = (
  config: TwilioConfig,
  tokens: ReadonlyArray<Redacted.Redacted> = [config.authToken]
): SmsAccount => ({
  provider: twilioProvider(config),
  send: ({ body, from, mediaUrls, statusUrl, to }) => ({
    ...messages,
    method: "POST",
    form: new URLSearchParams([
      ["To", to],
      ["From", from],
      ["Body", body],
      ["StatusCallback", statusUrl],
      ...mediaUrls.map((url): [string, string] => ["MediaUrl", url])
    ])
  }),
  sendsMedia: true,
  readSent: (json) => Option.getOrNull(Option.map(decodeMessage(json), readProgress)),
  reportOf: (code) => aboutOf(code === null ? null : Number(code)),
  isSigned: ({ body, headers, url }) =>
    isSignedBy(tokens, {
      url,
      body,
      contentType: headers["content-type"] ?? null,
      signature: headers[signatureHeader]
    }),
  readTexts: ({ body }) => readTexts(new URLSearchParams(new TextDecoder().decode(body))),
  readReports: ({ body }) => readReports(new URLSearchParams(new TextDecoder().decode(body))),
  find: {
    request: ({ text }, when) => ({
      ...messages,
      method: "GET",
      query: {
        To: text.to,
        From: text.from,
        "DateSent>": new Date(when.since - aroundMillis).toISOString().slice(0, 10),
        PageSize: "200"
      }
    }),
    read: (json, { text }, when) => {
      const page = Option.getOrNull(decodeMessages(json))
      if (page === null) return null
      const same = present(page.messages).filter((message) => isSame(message, text.body, when))
      return same.flatMap((message) => readProgress(message) ?? [])
    }
  },
  // Twilio signs the URLs of its storage, so they need no credential.
  mediaStorage: /(?:^|\.)(?:twiliocdn\.com|amazonaws\.com)$/iu,
  probe: { method: "GET", path: [], extension: ".json" }
})
