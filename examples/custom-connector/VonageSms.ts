/**
 * Texts through the SMS API of Vonage (https://developer.vonage.com/en/api/sms). The limits are in `README.md`. Tests:
 * `examples/custom-connector/test`.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import {
  maybe,
  readReference,
  referenceOf,
  type Refusal,
  type SmsAdapter,
  type SmsWebhook,
  type StatusReport,
  type Verdict
} from "@leadloom/connectors"
import { segmentsOf, type TextState } from "@leadloom/core"
import { Option, Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"

/** One part of a text. The API answers 200 to a refused text too. */
const Part = Schema.Struct({
  status: Schema.String,
  "message-id": maybe(Schema.String),
  "error-text": maybe(Schema.String)
})
const Sent = Schema.Struct({ messages: Schema.NonEmptyArray(Part) })
const Problem = Schema.Struct({ title: maybe(Schema.String), detail: maybe(Schema.String) })
const Event = Schema.Record(Schema.String, Schema.String)

const decodeSent = Schema.decodeUnknownOption(Sent)
const decodeProblem = Schema.decodeUnknownOption(Problem)
const decodeEvent = Schema.decodeUnknownOption(Schema.fromJsonString(Event))

/** The number is barred, so it receives no texts (status of a part). */
const barred = "7"
/**
 * The meanings of a part's status (https://developer.vonage.com/en/messaging/sms/guides/troubleshooting-sms). Others
 * refuse the text.
 */
const verdicts = new Map<string, Verdict>([
  // Throttled, no credit, too many connections: the text waits.
  ["1", "Unavailable"],
  ["9", "Unavailable"],
  ["10", "Unavailable"],
  // Invalid credentials, barred account: texts wait for the operator.
  ["4", "SignedOut"],
  ["8", "SignedOut"],
  // Vonage failed while it processed the text, so the text may have left.
  ["5", "OutcomeUnknown"]
])

/** `unknown` says nothing, so it is not here. */
const states = new Map<string, TextState>([
  ["accepted", "sent"],
  ["buffered", "sent"],
  ["delivered", "delivered"],
  ["expired", "undelivered"],
  ["failed", "failed"],
  ["rejected", "failed"]
])
/** Error codes of reports for numbers that do not exist: permanently absent, and illegal. */
const unreachable: ReadonlySet<string> = new Set(["3", "9"])

/** Vonage repeats an event for 24 hours. A replay has no effect, because its message id is known. */
const maxAgeMillis = 25 * 3_600_000

/** Vonage writes numbers without a plus. Short codes and names have no plus in E.164 either. */
const withPlus = (number: string): string => (/^\d{7,15}$/u.test(number) ? `+${number}` : number)

/** Vonage limits `client-ref` to 100 characters, and a reference has up to 109. */
const shorten = (reference: string): string => {
  const about = readReference(reference)
  return about === null ? reference : `${about.messageId}.${about.tenantId}`
}
const lengthen = (clientRef: string): string => {
  const [messageId = "", tenantId = ""] = clientRef.split(".")
  return referenceOf(tenantId, messageId)
}

/** Nobody else bounds the reason of a report. Postgres cannot store NUL. */
const bounded = (reason: string): string => reason.replaceAll("\0", "").trim().slice(0, 200)

const eventIn = ({ body }: SmsWebhook) => Option.getOrNull(decodeEvent(new TextDecoder().decode(body)))

/** Returns the HMAC of the parameters of an event in alphabetical order. */
const signatureOf = (event: typeof Event.Type, secret: Redacted.Redacted<string>): Buffer => {
  const hmac = createHmac("sha256", Redacted.value(secret))
  for (const name of Object.keys(event).toSorted())
    if (name !== "sig") hmac.update(`&${name}=${(event[name] ?? "").replaceAll(/[&=]/gu, "_")}`)
  return hmac.digest()
}

const isSignedWith = (secret: Redacted.Redacted<string>, webhook: SmsWebhook): boolean => {
  const event = eventIn(webhook)
  const age = webhook.now - Number(event?.["timestamp"] ?? Number.NaN) * 1_000
  if (event === null || !(Math.abs(age) <= maxAgeMillis)) return false
  const given = Buffer.from(event["sig"] ?? "", "hex")
  const right = signatureOf(event, secret)
  return given.length === right.length && timingSafeEqual(given, right)
}

const partsIn = (json: unknown) => Option.getOrNull(decodeSent(json))?.messages ?? null

const isAccepted = ({ status }: typeof Part.Type): boolean => status === "0"

/** The status is 200 whether Vonage accepts the text or not. If only some parts left, the outcome is unknown. */
const readRefusal = (json: unknown): Refusal | null => {
  const parts = partsIn(json)
  const part = parts?.find((each) => !isAccepted(each))
  if (parts === null || part === undefined) return null
  const verdict = parts.some(isAccepted) ? "OutcomeUnknown" : (verdicts.get(part.status) ?? "Refused")
  return { code: part.status, text: `${part.status} ${part["error-text"] ?? ""}`, verdict }
}

const readSent = (json: unknown) => {
  const id = partsIn(json)?.[0]["message-id"] ?? ""
  return id === "" ? null : ({ providerMessageId: id, state: "queued", reason: null, about: null } as const)
}

const readTexts = (webhook: SmsWebhook) => {
  const { messageId = "", msisdn = "", text, to = "" } = eventIn(webhook) ?? {}
  if (text === undefined) return []
  return [{ providerMessageId: messageId, from: withPlus(msisdn), to: withPlus(to), body: text }]
}

const readReports = (webhook: SmsWebhook): ReadonlyArray<StatusReport> => {
  const { "client-ref": clientRef, "err-code": code = "", messageId = "", status = "" } = eventIn(webhook) ?? {}
  const state = states.get(status)
  if (state === undefined || messageId === "") return []
  const reason = code === "" || code === "0" ? null : bounded(`${status}, error ${code}`)
  const about = unreachable.has(code) ? "unreachable" : null
  const reference = clientRef === undefined ? null : lengthen(clientRef)
  return [{ providerMessageId: messageId, state, reason, about, reference }]
}

export const vonage: SmsAdapter = {
  variables: {
    LEADLOOM_SMS_VONAGE_API_KEY: { default: null, text: "API key of the account." },
    LEADLOOM_SMS_VONAGE_API_SECRET: { default: null, text: "API secret of the account." },
    LEADLOOM_SMS_VONAGE_SIGNATURE_SECRET: { default: null, text: "Verifies the webhooks (SHA-256 HMAC)." },
    LEADLOOM_SMS_VONAGE_API_URL: { default: "https://rest.nexmo.com", text: "Base URL of the API." }
  },
  open: (settings) => {
    const key = Redacted.value(settings("LEADLOOM_SMS_VONAGE_API_KEY"))
    const secret = settings("LEADLOOM_SMS_VONAGE_API_SECRET")
    const signatureSecret = settings("LEADLOOM_SMS_VONAGE_SIGNATURE_SECRET")
    return {
      provider: {
        name: "Vonage",
        baseUrl: Redacted.value(settings("LEADLOOM_SMS_VONAGE_API_URL")),
        authorize: HttpClientRequest.basicAuth(key, secret),
        secrets: [secret, Redacted.make(`${key}:${Redacted.value(secret)}`)],
        problemOf: (json, { status }) => {
          const { detail, title } = Option.getOrElse(decodeProblem(json), (): typeof Problem.Type => ({}))
          return { code: null, text: `${status} ${detail ?? title ?? ""}` }
        },
        readRefusal
      },
      send: ({ body, from, reference, to }) => ({
        method: "POST",
        path: ["sms", "json"],
        form: new URLSearchParams({
          from: from.replace(/^\+/u, ""),
          to: to.replace(/^\+/u, ""),
          text: body,
          type: segmentsOf(body).encoding === "gsm7" ? "text" : "unicode",
          "client-ref": shorten(reference)
        })
      }),
      readSent,
      reportOf: (code) => (code === barred ? "unreachable" : null),
      isSigned: (webhook) => isSignedWith(signatureSecret, webhook),
      readTexts,
      readReports,
      probe: { method: "GET", path: ["account", "get-balance"] }
    }
  }
}
