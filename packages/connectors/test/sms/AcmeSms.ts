import { createHmac, timingSafeEqual } from "node:crypto"
import { Option, Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { maybe } from "../../src/provider/Lenient.ts"
import type { SmsAdapter } from "../../src/sms/SmsAdapters.ts"
import type { SmsWebhook } from "../../src/sms/SmsAccount.ts"

const Sent = Schema.Struct({ id: Schema.String, status: Schema.String, error: maybe(Schema.String) })
const Problem = Schema.Struct({ code: maybe(Schema.String), message: maybe(Schema.String) })
const Event = Schema.Struct({
  type: Schema.String,
  id: Schema.String,
  from: maybe(Schema.String),
  to: maybe(Schema.String),
  text: maybe(Schema.String),
  reference: maybe(Schema.String),
  status: maybe(Schema.String),
  error: maybe(Schema.String)
})

const states = new Map([
  ["accepted", "queued"],
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["failed", "failed"]
] as const)
/** Error codes that say something about the number. */
const reports = new Map([
  ["blocked", "opted_out"],
  ["no_such_number", "unreachable"]
] as const)

const lookUp = <A>(table: ReadonlyMap<string, A>, word: string | null | undefined): A | null =>
  table.get(word ?? "") ?? null

const progressOf = (id: string, status: string, error: string | null | undefined) => {
  const state = lookUp(states, status)
  return state === null ? null : { providerMessageId: id, state, reason: error ?? null, about: lookUp(reports, error) }
}

const eventIn = ({ body }: SmsWebhook) =>
  Option.getOrNull(Schema.decodeUnknownOption(Schema.fromJsonString(Event))(new TextDecoder().decode(body)))

/** Texts through Acme (https://acme.example/docs). */
export const acme: SmsAdapter = {
  variables: {
    LEADLOOM_SMS_ACME_TOKEN: { default: null, text: "Token of the account." },
    LEADLOOM_SMS_ACME_SIGNING_SECRET: { default: null, text: "Verifies the webhooks." },
    LEADLOOM_SMS_ACME_API_URL: { default: "https://api.acme.example/v1", text: "Base URL of the API." }
  },
  open: (settings) => {
    const token = settings("LEADLOOM_SMS_ACME_TOKEN")
    const signingSecret = settings("LEADLOOM_SMS_ACME_SIGNING_SECRET")
    return {
      provider: {
        name: "Acme",
        baseUrl: Redacted.value(settings("LEADLOOM_SMS_ACME_API_URL")),
        authorize: HttpClientRequest.bearerToken(token),
        secrets: [token],
        problemOf: (json, { status }) => {
          const problem = Option.getOrNull(Schema.decodeUnknownOption(Problem)(json))
          return { code: problem?.code ?? null, text: `${status} ${problem?.message ?? ""}` }
        }
      },
      send: ({ body, from, reference, to }) => ({
        method: "POST",
        path: ["messages"],
        json: { from, to, text: body, reference }
      }),
      readSent: (json) => {
        const sent = Option.getOrNull(Schema.decodeUnknownOption(Sent)(json))
        return sent === null ? null : progressOf(sent.id, sent.status, sent.error)
      },
      reportOf: (code) => lookUp(reports, code),
      isSigned: ({ body, headers }) => {
        const given = Buffer.from(headers["x-acme-signature"] ?? "", "hex")
        const right = createHmac("sha256", Redacted.value(signingSecret)).update(body).digest()
        return given.length === right.length && timingSafeEqual(given, right)
      },
      readTexts: (webhook) => {
        const event = eventIn(webhook)
        if (event?.type !== "inbound") return []
        return [{ providerMessageId: event.id, from: event.from ?? "", to: event.to ?? "", body: event.text ?? "" }]
      },
      readReports: (webhook) => {
        const event = eventIn(webhook)
        const progress = event?.type === "report" ? progressOf(event.id, event.status ?? "", event.error) : null
        return progress === null ? [] : [{ ...progress, reference: event?.reference ?? null }]
      },
      probe: { method: "GET", path: ["account"] }
    }
  }
}
