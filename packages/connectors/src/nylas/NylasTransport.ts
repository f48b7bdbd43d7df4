import type { Clearance } from "@leadloom/core/domain/consent/Clearance"
import { normalizeMessageId } from "@leadloom/core/domain/email/MessageId"
import { handOverMillis } from "@leadloom/core/domain/sending/Reservation"
import {
  type AssignedIds,
  demandMailClearance,
  EmailTransport,
  type Outgoing,
  OutcomeUnknown,
  type TransportFailure,
  type TransportReceipt,
  TransportRefused,
  TransportSignedOut,
  TransportUnavailable
} from "@leadloom/core/port/provider/EmailTransport"
import { Clock, Effect, Layer, Option, Result, Schema } from "effect"
import { HttpClient } from "effect/http"
import { present } from "../http/Present.ts"
import { type MessageJson, MessageEnvelope } from "./MessageJson.ts"
import { jsonOf, signedOutReason, wordsOf } from "./NylasAnswer.ts"
import type { NylasConfig } from "./NylasConfig.ts"
import { layerFetch } from "../http/Fetch.ts"
import { type NylasAnswer, type NylasCall, type NylasRequestFailure, sendOnce } from "./NylasHttp.ts"
import { idempotencyKey, outgoingJson } from "./OutgoingJson.ts"

/** The timeouts of one send in milliseconds; well within `handOverMillis`. */
export interface SendTimeouts {
  /** For the first request. */
  readonly first: number
  /** The wait before the repetition that determines the outcome. */
  readonly pause: number
  /** For the whole send. The repetition has the remaining time. */
  readonly whole: number
}

const defaultTimeouts: SendTimeouts = { first: 16_000, pause: 1_000, whole: handOverMillis - 2_000 }

/** The outcome of one request. `Unclear`: the provider may have accepted the mail. */
type Attempt =
  | { readonly _tag: "Taken"; readonly receipt: TransportReceipt }
  | { readonly _tag: "Failed"; readonly failure: TransportFailure; readonly replayed: boolean }
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

const readAccepted = (answer: NylasAnswer): Attempt => {
  const read = Option.flatMap(jsonOf(answer), Schema.decodeUnknownOption(MessageEnvelope))
  // A proxy may answer 200 to any request.
  if (Option.isNone(read)) return { _tag: "Unclear", reason: "the response did not come from the provider" }
  const assigned = assignedOf(read.value.data)
  const response = `${answer.status} taken${assigned === null ? "" : ` as ${assigned.providerMessageId}`}`
  return { _tag: "Taken", receipt: { left: true, response, refused: [], assigned } }
}

/** Returns whether a 404 concerns the mail that is answered instead of the account. */
const missesAnswered = ({ mail }: Outgoing, said: string): boolean =>
  mail.answersProviderId !== null && /message/iu.test(said) && !/grant/iu.test(said)

const readRefusal = (config: NylasConfig, outgoing: Outgoing, answer: NylasAnswer): Attempt => {
  const { replayed, status } = answer
  const words = wordsOf(config, answer)
  const reason = words.text
  const failed = (failure: TransportFailure): Attempt => ({ _tag: "Failed", failure, replayed })
  // Redirects are not followed, so no mail was sent.
  if (status === 429 || status < 400) return failed(new TransportUnavailable({ reason }))
  if (status === 408 || status >= 500) return { _tag: "Unclear", reason }
  if (status === 409) {
    // Another mail used this key, and the outcome of that mail cannot be determined any more.
    return words.type === "invalid_idempotent_request"
      ? failed(new OutcomeUnknown({ reason }))
      : { _tag: "Unclear", reason }
  }
  if (status !== 401 && status !== 403 && status !== 404) return failed(new TransportRefused({ reason }))
  if (status === 404 && missesAnswered(outgoing, reason)) return failed(new TransportRefused({ reason }))
  // A repeated response does not reflect a later sign-in of the account.
  if (replayed) return failed(new TransportUnavailable({ reason }))
  return failed(new TransportSignedOut({ reason: signedOutReason(answer, words) }))
}

const readResponse = (config: NylasConfig, outgoing: Outgoing, answer: NylasAnswer): Attempt =>
  answer.status >= 200 && answer.status < 300 ? readAccepted(answer) : readRefusal(config, outgoing, answer)

const readRequestFailure = ({ kind, reason }: NylasRequestFailure): Attempt =>
  kind === "unsent"
    ? { _tag: "Failed", failure: new TransportUnavailable({ reason }), replayed: false }
    : { _tag: "Unclear", reason }

/**
 * Derives the outcome of the first request from its repetition. Only results that apply to both requests count:
 * accepted, refused, or a stored response. The rate limit and the sign-in may be checked before the provider looks up
 * the key.
 */
const conclude = (first: string, second: Attempt): Effect.Effect<TransportReceipt, TransportFailure> => {
  if (second._tag === "Taken") return Effect.succeed(second.receipt)
  if (second._tag === "Unclear") return Effect.fail(new OutcomeUnknown({ reason: `${first}; then ${second.reason}` }))
  const { failure, replayed } = second
  const settled = replayed || failure._tag === "TransportRefused"
  return Effect.fail(settled ? failure : new OutcomeUnknown({ reason: `${first}; then ${failure.reason}` }))
}

const callOf = (providerGrantId: string, { grant, mail }: Outgoing, timeoutMillis: number): NylasCall => ({
  method: "POST",
  steps: ["grants", providerGrantId, "messages", "send"],
  // The only way to learn the Message-ID of the sent mail.
  query: { fields: "include_basic_headers" },
  headers: { "idempotency-key": idempotencyKey(mail) },
  body: outgoingJson(mail, grant.provider),
  timeoutMillis
})

/** Returns whether the API key itself is rejected. Then every account receives 401, and owners cannot fix it. */
const isKeyRefused = (http: HttpClient.HttpClient, config: NylasConfig, providerGrantId: string) =>
  sendOnce(http, config, { method: "GET", steps: ["grants", providerGrantId], timeoutMillis: 5_000 }).pipe(
    Effect.map(({ status }) => status === 401),
    Effect.catchTag("NylasRequestFailure", () => Effect.succeed(false))
  )

const make = (config: NylasConfig, http: HttpClient.HttpClient, timeouts: SendTimeouts) =>
  Effect.fn("NylasTransport.send")(function* (outgoing: Outgoing, clearance: Clearance) {
    yield* demandMailClearance(outgoing, clearance)
    const { providerGrantId } = outgoing.grant
    if (providerGrantId === null) {
      return yield* new TransportSignedOut({ reason: "the account is not signed in" })
    }
    const attempt = (millis: number) =>
      Effect.map(Effect.result(sendOnce(http, config, callOf(providerGrantId, outgoing, millis))), (result) =>
        Result.isSuccess(result) ? readResponse(config, outgoing, result.success) : readRequestFailure(result.failure)
      )
    const began = yield* Clock.currentTimeMillis
    const first = yield* attempt(timeouts.first)
    if (first._tag === "Taken") return first.receipt
    if (first._tag === "Failed") {
      const { failure } = first
      if (failure._tag !== "TransportSignedOut") return yield* Effect.fail(failure)
      if (!(yield* isKeyRefused(http, config, providerGrantId))) return yield* failure
      return yield* new TransportUnavailable({ reason: `the provider rejects the API key: ${failure.reason}` })
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
    Effect.map(HttpClient.HttpClient, (http) => ({ send: make(config, http, timeouts) }))
  )

/**
 * Provides sending through Nylas v3 from accounts that their owners have authorised. Each mail is sent at most once: a
 * request without a response is repeated with the same `Idempotency-Key`, which reveals the outcome, or the outcome
 * stays unknown.
 */
export const layer = (config: NylasConfig, timeouts: SendTimeouts = defaultTimeouts): Layer.Layer<EmailTransport> =>
  Layer.provide(layerNoDeps(config, timeouts), layerFetch)
