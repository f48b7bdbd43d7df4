// Texts and calls through Twilio: requests, TwiML and webhooks. Consent is checked in core. Tests:
// `packages/connectors/test/twilio`.
import { demandClearance } from "@leadloom/core/domain/consent/Clearance"
import { handOverMillis } from "@leadloom/core/domain/sending/Reservation"
import { OutcomeUnknown } from "@leadloom/core/port/provider/EmailTransport"
import {
  SmsProvider,
  type TextFailure,
  type TextOrder,
  type TextReceipt,
  TextRefused,
  type TextTimeRange,
  TextUnavailable
} from "@leadloom/core/port/provider/SmsProvider"
import type { TextProgress } from "@leadloom/core/domain/conversation/TextEvent"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { listOf, maybe } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { endpoint, type TwilioConfig } from "./TwilioConfig.ts"
import { fetchMedia } from "./TwilioMedia.ts"
import { aboutOf, progressOf, statusQuery } from "./TwilioEvent.ts"
import { sendRequest, jsonOf, type TwilioFailure } from "./TwilioRequest.ts"

/** The account, and the URL for status callbacks. */
export interface TwilioSmsConfig extends TwilioConfig {
  /** The absolute URL for status callbacks, without a query. */
  readonly statusUrl: string
}

/** Well within `handOverMillis`, so that the caller can still store the outcome. */
const sendTimeoutMillis = handOverMillis - 2_000
const readTimeoutMillis = 20_000

/** The time range in milliseconds before and after the send in which a text is searched, because clocks differ. */
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

const refusalOf = ({ code, reason }: Extract<TwilioFailure, { readonly _tag: "TwilioRefused" }>): TextRefused =>
  new TextRefused({ reason, about: aboutOf(code) })

const sendingFailure = (failure: TwilioFailure): TextFailure => {
  if (failure._tag === "TwilioRefused") return refusalOf(failure)
  if (failure._tag === "TwilioUnavailable") return new TextUnavailable(failure)
  return new OutcomeUnknown({ reason: failure.reason })
}

/** Maps a failed read. A read has no side effects, so an unknown outcome is retried. */
const readingFailure = (failure: TwilioFailure): TextRefused | TextUnavailable =>
  failure._tag === "TwilioRefused"
    ? refusalOf(failure)
    : new TextUnavailable({
        reason: failure.reason,
        retryAfterMillis: failure._tag === "TwilioUnavailable" ? failure.retryAfterMillis : null
      })

const make = (config: TwilioSmsConfig, http: HttpClient.HttpClient) => {
  const url = `${endpoint(config, ["Messages"]) ?? ""}.json`

  const send = Effect.fn("TwilioSms.send")(function* ({ messageId, tenantId, text }: TextOrder) {
    const form = [
      ["To", text.to],
      ["From", text.from],
      ["Body", text.body],
      ["StatusCallback", `${config.statusUrl}?${statusQuery(tenantId, messageId)}`]
    ] as const
    const answer = yield* sendRequest(http, config, {
      method: "POST",
      url,
      form,
      timeoutMillis: sendTimeoutMillis
    }).pipe(Effect.mapError(sendingFailure))
    const accepted = Option.getOrNull(Schema.decodeUnknownOption(Message)(jsonOf(answer.body)))
    // A proxy may answer 200 to any request.
    if (!accepted?.sid) return yield* new OutcomeUnknown({ reason: "the response did not come from Twilio" })
    const failed = accepted.status === "failed" || accepted.status === "undelivered"
    if (failed)
      return yield* new TextRefused({ reason: wordsOf(accepted), about: aboutOf(accepted.error_code ?? null) })
    const response = `${answer.status} ${accepted.status ?? "taken"} as ${accepted.sid}`
    return { left: true, response, providerMessageId: accepted.sid } satisfies TextReceipt
  })

  const find = Effect.fn("TwilioSms.find")(function* ({ text }: TextOrder, when: TextTimeRange) {
    const query = {
      To: text.to,
      From: text.from,
      "DateSent>": new Date(when.since - aroundMillis).toISOString().slice(0, 10),
      PageSize: "200"
    }
    const answer = yield* sendRequest(http, config, {
      method: "GET",
      url,
      query,
      timeoutMillis: readTimeoutMillis
    }).pipe(Effect.mapError(readingFailure))
    const page = Option.getOrNull(Schema.decodeUnknownOption(Messages)(jsonOf(answer.body)))
    if (page === null)
      return yield* new TextUnavailable({ reason: "the response did not come from Twilio", retryAfterMillis: null })
    const same = present(page.messages).filter((message) => isSame(message, text.body, when))
    return same.flatMap((message) => readProgress(message) ?? [])
  })

  return { send, find }
}

const wordsOf = ({ error_code, error_message, status }: MessageJson): string =>
  [error_code ?? status ?? "failed", error_message ?? ""].filter((part) => part !== "").join(": ")

const isSame = ({ body, date_created }: MessageJson, sent: string, { since, until }: TextTimeRange): boolean => {
  // A text without a time cannot be identified, so it does not match.
  const at = Date.parse(date_created ?? "")
  return body === sent && at >= since - aroundMillis && at <= until + aroundMillis
}

const readProgress = ({ error_code, error_message, sid, status }: MessageJson): TextProgress | null =>
  sid ? progressOf(sid, status ?? "queued", error_code ?? null, error_message ?? null) : null

/** Provides sending of texts through Twilio. */
export const layer = (config: TwilioSmsConfig): Layer.Layer<SmsProvider> =>
  Layer.effect(
    SmsProvider,
    Effect.map(HttpClient.HttpClient, (http) => {
      const { find, send } = make(config, http)
      return SmsProvider.of({
        configured: true,
        send: (order, clearance) => {
          const target = { tenantId: order.tenantId, channel: "sms", recipients: [order.text.to] } as const
          return Effect.andThen(demandClearance(clearance, target), send(order))
        },
        find,
        media: (url, maxBytes) => Effect.mapError(fetchMedia(http, config, url, maxBytes), readingFailure)
      })
    })
  ).pipe(Layer.provide(layerFetch))
