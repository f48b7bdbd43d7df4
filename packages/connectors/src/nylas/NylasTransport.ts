import type { Clearance } from "@leadloom/core/internal/domain/consent/Clearance"
import { normalizeMessageId } from "@leadloom/core/internal/domain/email/MessageId"
import { handOverMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import {
  outcomeUnknown,
  type ProviderFailure,
  refused,
  signedOut,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import {
  type AssignedIds,
  demandMailClearance,
  EmailTransport,
  type Outgoing,
  type TransportReceipt
} from "@leadloom/core/internal/port/provider/EmailTransport"
import { Clock, Effect, Layer, Option, Result, Schema } from "effect"
import { HttpClient } from "effect/http"
import { exchange, jsonOf } from "../provider/Exchange.ts"
import { layerFetch } from "../provider/Fetch.ts"
import { present } from "../provider/Present.ts"
import type { Provider, ProviderRequest, ProviderResponse } from "../provider/Provider.ts"
import { problemIn } from "../provider/ProviderClient.ts"
import { type MessageJson, MessageEnvelope } from "./MessageJson.ts"
import { type NylasConfig, nylasProvider } from "./NylasConfig.ts"
import { idempotencyKey, outgoingForm, outgoingJson } from "./OutgoingJson.ts"

/** The timeouts of one send in milliseconds. Together they are well below `handOverMillis`. */
export interface SendTimeouts {
  /** The timeout of the first request. */
  readonly first: number
  /** The wait before the repetition that determines the outcome. */
  readonly pause: number
  /** The timeout of the whole send. The repetition may use the remaining time. */
  readonly whole: number
}

const defaultTimeouts: SendTimeouts = { first: 16_000, pause: 1_000, whole: handOverMillis - 2_000 }

/** The outcome of one request. `Unclear`: the provider may have accepted the mail. */
type Attempt =
  | { readonly _tag: "Taken"; readonly receipt: TransportReceipt }
  | { readonly _tag: "Failed"; readonly failure: ProviderFailure; readonly replayed: boolean }
  | { readonly _tag: "Unclear"; readonly reason: string }

const assignedOf = (json: MessageJson): AssignedIds | null => {
  if (!json.id) return null
  const header = present(json.headers).find(({ name }) => name?.toLowerCase() === "message-id")
  return {
    internetMessageId: normalizeMessageId(header?.value ?? ""),
    providerMessageId: json.id,
    providerThreadId: json.thread_id || null
  }
}

const readAccepted = (response: ProviderResponse): Attempt => {
  const read = Schema.decodeUnknownOption(MessageEnvelope)(jsonOf(response))
  // A proxy may answer 200 to any request.
  if (Option.isNone(read)) return { _tag: "Unclear", reason: "the response did not come from the provider" }
  const assigned = assignedOf(read.value.data)
  const words = `${response.status} taken${assigned === null ? "" : ` as ${assigned.providerMessageId}`}`
  return { _tag: "Taken", receipt: { left: true, response: words, refused: [], assigned } }
}

/** Returns whether a 404 concerns the mail to which the sent mail replies, and not the account. */
const missesAnswered = ({ mail }: Outgoing, said: string): boolean =>
  mail.answersProviderId !== null && /message/iu.test(said) && !/grant/iu.test(said)

const readRefusal = (
  provider: Provider,
  request: ProviderRequest,
  outgoing: Outgoing,
  response: ProviderResponse
): Attempt => {
  const { headers, status } = response
  const replayed = headers["idempotent-response"]?.toLowerCase() === "true"
  const { code, text: reason } = problemIn(provider, request, response)
  const failed = (failure: ProviderFailure): Attempt => ({ _tag: "Failed", failure, replayed })
  // Redirects are not followed, so no mail was sent.
  if (status === 429 || status < 400) return failed(unavailable("mail", reason))
  if (status === 408 || status >= 500) return { _tag: "Unclear", reason }
  if (status === 409) {
    // Another mail used this key. The outcome of the current mail can therefore no longer be determined.
    return code === "invalid_idempotent_request" ? failed(outcomeUnknown("mail", reason)) : { _tag: "Unclear", reason }
  }
  if (status !== 401 && status !== 403 && status !== 404) return failed(refused("mail", reason))
  if (status === 404 && missesAnswered(outgoing, reason)) return failed(refused("mail", reason))
  // A stored response that Nylas repeats does not show whether the account has signed in since. It therefore does not
  // mark the account as signed out.
  return failed(replayed ? unavailable("mail", reason) : signedOut("mail", reason))
}

/** Interprets a request without a response. If an id cannot be part of a URL, the account does not exist. */
const readSilence = (failure: ProviderFailure): Attempt => {
  const { _tag } = failure.reason
  if (_tag === "OutcomeUnknown") return { _tag: "Unclear", reason: failure.message }
  const settled = _tag === "Gone" ? signedOut("mail", failure.message) : failure
  return { _tag: "Failed", failure: settled, replayed: false }
}

/**
 * Derives the outcome of the first request from its repetition. Only results that hold for both requests count:
 * accepted, refused, or a stored response. Other results say nothing about the first request, because the provider may
 * check the rate limit and the sign-in before it looks up the key.
 */
const conclude = (first: string, second: Attempt): Effect.Effect<TransportReceipt, ProviderFailure> => {
  if (second._tag === "Taken") return Effect.succeed(second.receipt)
  if (second._tag === "Unclear") return Effect.fail(outcomeUnknown("mail", `${first}; then ${second.reason}`))
  const { failure, replayed } = second
  const settled = replayed || failure.reason._tag === "Refused"
  return Effect.fail(settled ? failure : outcomeUnknown("mail", `${first}; then ${failure.message}`))
}

const bodyOf = ({ files = [], grant, mail }: Outgoing): Pick<ProviderRequest, "json" | "multipart"> =>
  files.length === 0
    ? { json: outgoingJson(mail, grant.provider) }
    : { multipart: outgoingForm(mail, grant.provider, files) }

const requestOf = (providerGrantId: string, outgoing: Outgoing): ProviderRequest => ({
  method: "POST",
  path: ["grants", providerGrantId, "messages", "send"],
  what: "account",
  // The parameter requests the headers of the sent mail, because the response contains its Message-ID only there.
  query: { fields: "include_basic_headers" },
  headers: { "idempotency-key": idempotencyKey(outgoing.mail) },
  ...bodyOf(outgoing)
})

/**
 * Returns whether the provider rejects the API key itself. In this case every account receives 401, and the owners
 * cannot correct it.
 */
const isKeyRefused = (provider: Provider, providerGrantId: string) =>
  exchange(provider, { method: "GET", path: ["grants", providerGrantId], what: "account", timeoutMillis: 5_000 }).pipe(
    Effect.map(({ status }) => status === 401),
    Effect.catch(() => Effect.succeed(false))
  )

const make = (provider: Provider, timeouts: SendTimeouts) =>
  Effect.fn("NylasTransport.send")(function* (outgoing: Outgoing, clearance: Clearance) {
    yield* demandMailClearance(outgoing, clearance)
    const { providerGrantId } = outgoing.grant
    if (providerGrantId === null) return yield* signedOut("mail", "the account is not signed in")
    const request = requestOf(providerGrantId, outgoing)
    const attempt = (millis: number) =>
      Effect.map(Effect.result(exchange(provider, request, millis)), (result): Attempt => {
        if (Result.isFailure(result)) return readSilence(result.failure)
        const { status } = result.success
        return status >= 200 && status < 300
          ? readAccepted(result.success)
          : readRefusal(provider, request, outgoing, result.success)
      })
    const began = yield* Clock.currentTimeMillis
    const first = yield* attempt(timeouts.first)
    if (first._tag === "Taken") return first.receipt
    if (first._tag === "Failed") {
      const { failure } = first
      if (failure.reason._tag !== "SignedOut") return yield* failure
      if (!(yield* isKeyRefused(provider, providerGrantId))) return yield* failure
      return yield* unavailable("mail", `the provider rejects the API key: ${failure.message}`)
    }
    yield* Effect.sleep(timeouts.pause)
    const spent = (yield* Clock.currentTimeMillis) - began
    return yield* conclude(first.reason, yield* attempt(Math.max(0, timeouts.whole - spent)))
  })

/** Provides sending through Nylas v3, over the given `HttpClient`. */
export const layerNoDeps = (
  config: NylasConfig,
  timeouts: SendTimeouts = defaultTimeouts
): Layer.Layer<EmailTransport, never, HttpClient.HttpClient> =>
  Layer.effect(
    EmailTransport,
    Effect.map(HttpClient.HttpClient, (http) => ({ send: make(nylasProvider(config, http), timeouts) }))
  )

/**
 * Provides sending through Nylas v3 from accounts that their owners have authorised. Each mail is sent at most once. A
 * request without a response is repeated with the same `Idempotency-Key`. If the repetition does not reveal the
 * outcome, the outcome stays unknown.
 */
export const layer = (config: NylasConfig, timeouts: SendTimeouts = defaultTimeouts): Layer.Layer<EmailTransport> =>
  Layer.provide(layerNoDeps(config, timeouts), layerFetch)
