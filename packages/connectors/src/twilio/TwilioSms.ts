// Texts and calls through Twilio: requests, TwiML and webhooks. Consent is checked in core. Tests:
// `packages/connectors/test/twilio`.
import { demandClearance } from "@leadloom/core/domain/consent/Clearance"
import { handOverMillis } from "@leadloom/core/domain/sending/Reservation"
import { type ProviderFailure, outcomeUnknown, refused } from "@leadloom/core/domain/provider/ProviderFailure"
import {
  SmsProvider,
  type TextOrder,
  type TextReceipt,
  type TextTimeRange
} from "@leadloom/core/port/provider/SmsProvider"
import type { TextProgress } from "@leadloom/core/domain/conversation/TextEvent"
import { Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { decode, request, send } from "../provider/ProviderClient.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { type TwilioConfig, twilioProvider } from "./TwilioConfig.ts"
import { fetchMedia } from "./TwilioMedia.ts"
import { aboutOf, progressOf, statusQuery } from "./TwilioEvent.ts"

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

/** Adds what the error code says about the number. */
const withReport = (failure: ProviderFailure): ProviderFailure =>
  failure.reason._tag === "Refused"
    ? refused("sms", failure.message, { ...failure.reason, about: aboutOf(numberOf(failure.reason.code)) })
    : failure

const numberOf = (code: string | null): number | null => (code === null ? null : Number(code))

const messages = { path: ["Messages"], extension: ".json", what: "text" } as const

const sendText = (provider: Provider, statusUrl: string) =>
  Effect.fn("TwilioSms.send")(function* ({ messageId, tenantId, text }: TextOrder) {
    const call: ProviderRequest = {
      ...messages,
      method: "POST",
      form: new URLSearchParams({
        To: text.to,
        From: text.from,
        Body: text.body,
        StatusCallback: `${statusUrl}?${statusQuery(tenantId, messageId)}`
      }),
      timeoutMillis: sendTimeoutMillis
    }
    const answer = yield* Effect.mapError(send(provider, call), withReport)
    const accepted = yield* decode(provider, call, Message, answer)
    const { error_code, sid, status } = accepted
    // A proxy may answer 200 to any request.
    if (!sid) return yield* outcomeUnknown("sms", "the response did not come from Twilio")
    if (status === "failed" || status === "undelivered")
      return yield* refused("sms", wordsOf(accepted), { about: aboutOf(error_code ?? null) })
    const response = `${answer.status} ${status ?? "taken"} as ${sid}`
    return { left: true, response, providerMessageId: sid } satisfies TextReceipt
  })

const findTexts = (provider: Provider) =>
  Effect.fn("TwilioSms.find")(function* ({ text }: TextOrder, when: TextTimeRange) {
    const query = {
      To: text.to,
      From: text.from,
      "DateSent>": new Date(when.since - aroundMillis).toISOString().slice(0, 10),
      PageSize: "200"
    }
    const page = yield* request(
      provider,
      { ...messages, method: "GET", query, timeoutMillis: readTimeoutMillis },
      Messages
    )
    const same = present(page.messages).filter((message) => isSame(message, text.body, when))
    return same.flatMap((message) => readProgress(message) ?? [])
  })

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
      const provider = twilioProvider(config, http, "sms")
      const transmit = sendText(provider, config.statusUrl)
      return SmsProvider.of({
        configured: true,
        send: (order, clearance) => {
          const target = { tenantId: order.tenantId, channel: "sms", recipients: [order.text.to] } as const
          return Effect.andThen(demandClearance(clearance, target), transmit(order))
        },
        find: findTexts(provider),
        media: (url, maxBytes) => fetchMedia(provider, url, maxBytes)
      })
    })
  ).pipe(Layer.provide(layerFetch))

/** Checks the account's credentials without cost. Returns the problem, or null. */
export const probeTwilio = (config: TwilioConfig): Effect.Effect<string | null> =>
  Effect.flatMap(HttpClient.HttpClient, (http) =>
    send(twilioProvider(config, http, "sms"), { method: "GET", path: [], extension: ".json", what: "account" })
  ).pipe(
    Effect.as(null),
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.provide(layerFetch)
  )
