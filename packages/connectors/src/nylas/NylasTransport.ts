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

/** How long a hand-over may take, milliseconds; well within `handOverMillis`. */
export interface SendTimeouts {
  /** For the request that sends. */
  readonly first: number
  /** Before it is repeated to learn what became of it. */
  readonly pause: number
  /** For everything; the repeat has what is left. */
  readonly whole: number
}

const defaultTimeouts: SendTimeouts = { first: 16_000, pause: 1_000, whole: handOverMillis - 2_000 }

/** What one request came to. `Unclear`: the mail may have been taken. */
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
  // Somebody in between may say 200 to everything.
  if (Option.isNone(read)) return { _tag: "Unclear", reason: "the answer is not one of the provider's" }
  const assigned = assignedOf(read.value.data)
  const response = `${answer.status} taken${assigned === null ? "" : ` as ${assigned.providerMessageId}`}`
  return { _tag: "Taken", receipt: { left: true, response, refused: [], assigned } }
}

/** 404 speaks of the account, unless the mail names another one that it answers, and that is what is missing. */
const missesAnswered = ({ mail }: Outgoing, said: string): boolean =>
  mail.answersProviderId !== null && /message/iu.test(said) && !/grant/iu.test(said)

const readRefusal = (config: NylasConfig, outgoing: Outgoing, answer: NylasAnswer): Attempt => {
  const { replayed, status } = answer
  const words = wordsOf(config, answer)
  const reason = words.text
  const failed = (failure: TransportFailure): Attempt => ({ _tag: "Failed", failure, replayed })
  // A redirect is not followed, so nothing went either.
  if (status === 429 || status < 400) return failed(new TransportUnavailable({ reason }))
  if (status === 408 || status >= 500) return { _tag: "Unclear", reason }
  if (status === 409) {
    // Another mail went under this key: what became of that one nobody can learn any more.
    return words.type === "invalid_idempotent_request"
      ? failed(new OutcomeUnknown({ reason }))
      : { _tag: "Unclear", reason }
  }
  if (status !== 401 && status !== 403 && status !== 404) return failed(new TransportRefused({ reason }))
  if (status === 404 && missesAnswered(outgoing, reason)) return failed(new TransportRefused({ reason }))
  // An answer of earlier, said again, tells nothing of an account that may have been signed in since.
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
 * What the repeat says of the first request. Only what would have been said to both counts: taken, refused, or an answer
 * that the provider has kept. "Too many" or "not signed in" may be said before it looks whether it knows the request.
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
  // The only way to learn the Message-ID that the mail goes out under.
  query: { fields: "include_basic_headers" },
  headers: { "idempotency-key": idempotencyKey(mail) },
  body: outgoingJson(mail, grant.provider),
  timeoutMillis
})

/** Whether the key itself is not taken: then every account is answered 401, and no owner could help it. */
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
      return yield* new TransportSignedOut({ reason: "the account has not been signed in" })
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
      return yield* new TransportUnavailable({ reason: `the provider does not take the API key: ${failure.reason}` })
    }
    yield* Effect.sleep(timeouts.pause)
    const spent = (yield* Clock.currentTimeMillis) - began
    return yield* conclude(first.reason, yield* attempt(Math.max(0, timeouts.whole - spent)))
  })

/** Sends through Nylas v3, over the `HttpClient` that is given. */
export const layerNoDeps = (
  config: NylasConfig,
  timeouts: SendTimeouts = defaultTimeouts
): Layer.Layer<EmailTransport, never, HttpClient.HttpClient> =>
  Layer.effect(
    EmailTransport,
    Effect.map(HttpClient.HttpClient, (http) => ({ send: make(config, http, timeouts) }))
  )

/**
 * Sends through Nylas v3 from accounts that their owners have let this server into. One mail goes once: what became of a
 * request that was not answered is learned by repeating it under the same `Idempotency-Key`, and is unknown otherwise.
 */
export const layer = (config: NylasConfig, timeouts: SendTimeouts = defaultTimeouts): Layer.Layer<EmailTransport> =>
  Layer.provide(layerNoDeps(config, timeouts), layerFetch)
