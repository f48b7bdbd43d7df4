import { demandClearance } from "@leadloom/core/internal/domain/consent/Clearance"
import {
  outcomeUnknown,
  type ProviderFailure,
  refused,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { handOverMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import {
  SmsProvider,
  type TextOrder,
  type TextReceipt,
  type TextTimeRange
} from "@leadloom/core/internal/port/provider/SmsProvider"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { clean, jsonOf } from "../provider/Exchange.ts"
import { layerFetch } from "../provider/Fetch.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { send } from "../provider/ProviderClient.ts"
import { fetchMedia } from "./FetchMedia.ts"
import { referenceOf, type SmsAccount, type SmsWebhook, type StatusReport } from "./SmsAccount.ts"

/** The timeout of a send. It is below `handOverMillis`, so that the caller can still store the outcome. */
const sendTimeoutMillis = handOverMillis - 2_000
const readTimeoutMillis = 20_000

/**
 * Returns the description of the provider for the provider client. Requests are never retried, because a text must not
 * be sent twice.
 */
export const smsProviderOf = ({ provider }: SmsAccount, http: HttpClient.HttpClient): Provider => ({
  timeoutMillis: readTimeoutMillis,
  maxBytes: 1_048_576,
  ...provider,
  service: "sms",
  http
})

const sending = (account: SmsAccount, provider: Provider, statusUrl: string) => {
  const reportOf = account.reportOf ?? (() => null)
  /** Adds the meaning of the error code for the recipient's number. */
  const withReport = (failure: ProviderFailure): ProviderFailure =>
    failure.reason._tag === "Refused"
      ? refused("sms", failure.message, { ...failure.reason, about: reportOf(failure.reason.code) })
      : failure
  return Effect.fn("SmsLayer.send")(function* ({ mediaPaths = [], messageId, tenantId, text }: TextOrder) {
    const reference = referenceOf(tenantId, messageId)
    const mediaUrls = mediaPaths.map((path) => new URL(path, statusUrl).href)
    const call: ProviderRequest = {
      timeoutMillis: sendTimeoutMillis,
      ...account.send({ ...text, mediaUrls, reference, statusUrl: `${statusUrl}?${reference}` }),
      what: "text"
    }
    const response = yield* Effect.mapError(send(provider, call), withReport)
    const sent = account.readSent(jsonOf(response))
    // A proxy may answer 200 to any request.
    if (sent === null) return yield* outcomeUnknown("sms", `the response did not come from ${provider.name}`)
    const { about, providerMessageId, reason, state } = sent
    if (state === "failed" || state === "undelivered")
      return yield* refused("sms", clean(provider, call, reason ?? state), { about })
    return {
      left: true,
      response: `${response.status} ${state} as ${providerMessageId}`,
      providerMessageId
    } satisfies TextReceipt
  })
}

const finding = ({ find }: SmsAccount, provider: Provider) =>
  Effect.fn("SmsLayer.find")(function* (order: TextOrder, when: TextTimeRange) {
    if (find === undefined) return []
    const response = yield* send(provider, { ...find.request(order, when), what: "text" })
    const found = find.read(jsonOf(response), order, when)
    return found ?? (yield* unavailable("sms", `the response did not come from ${provider.name}`))
  })

/** Provides sending of texts through an account. `statusUrl`: the URL for status reports, without a query. */
export const smsLayer = (account: SmsAccount, statusUrl: string): Layer.Layer<SmsProvider> =>
  Layer.effect(
    SmsProvider,
    Effect.map(HttpClient.HttpClient, (http) => {
      const provider = smsProviderOf(account, http)
      const transmit = sending(account, provider, statusUrl)
      return SmsProvider.of({
        configured: true,
        sendsMedia: account.sendsMedia === true,
        send: (order, clearance) => {
          const target = { tenantId: order.tenantId, channel: "sms", recipients: [order.text.to] } as const
          return Effect.andThen(demandClearance(clearance, target), transmit(order))
        },
        find: finding(account, provider),
        media: (url, maxBytes) => fetchMedia(provider, account.mediaStorage ?? null, url, maxBytes)
      })
    })
  ).pipe(Layer.provide(layerFetch))

/**
 * Reads the status reports of a signed webhook. Limits the length of their reasons, and removes secrets and control
 * characters.
 */
export const reportsOf = ({ provider, readReports }: SmsAccount, webhook: SmsWebhook): ReadonlyArray<StatusReport> =>
  readReports(webhook).map((report) =>
    report.reason === null ? report : { ...report, reason: clean(provider, {}, report.reason) }
  )

/** Checks the account's credentials without cost. Returns the problem, or null. */
export const probeSms = (account: SmsAccount): Effect.Effect<string | null> =>
  Effect.flatMap(HttpClient.HttpClient, (http) =>
    send(smsProviderOf(account, http), { ...account.probe, what: "account" })
  ).pipe(
    Effect.as(null),
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.provide(layerFetch)
  )
