import { createHash, createHmac, type Hash, type Hmac } from "node:crypto"
import type { GateDeclaration } from "@leadloom/api/internal/Access"
import type { IdempotencyConflict, IdempotencyInProgress } from "@leadloom/api/internal/errors"
import {
  type StoredResponse,
  maxKeyLength,
  type MessageRequestKey,
  type RequestKey
} from "@leadloom/core/internal/domain/access/IdempotencyRecord"
import {
  type ResponseCodec,
  type IdempotentRequest,
  runIdempotentInSteps,
  runIdempotentInUnit,
  type StreamedRequest
} from "@leadloom/core/internal/workflow/access/RunIdempotent"
import type { PipelineInput } from "@leadloom/core/internal/workflow/intake/PipelineInput"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { Effect, Stream } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { answer, toWire } from "../error/errors.ts"
import { setReplayHeader } from "./SendAnswer.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * The maximum size of a stored response in bytes. A larger response is not stored, so a repetition of its request is
 * carried out again.
 */
const maxKeptBytes = 1_048_576

/**
 * Stores successful responses only. After a failure, the next attempt can use the same key. Streamed responses are not
 * stored.
 */
const form: ResponseCodec<Response> = {
  keep: ({ body, status }) => {
    if (status < 200 || status > 299) return null
    if (body._tag === "Empty") return { status, contentType: null, body: "" }
    if (body._tag !== "Uint8Array" || body.body.length > maxKeptBytes) return null
    return { status, contentType: body.contentType, body: new TextDecoder().decode(body.body) }
  },
  restore: ({ body, contentType, status }: StoredResponse) =>
    contentType === null ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })
}

/** Returns the key of a request. Returns null if the request has no key, or a key that the contract rejects. */
const keyOf = ({ headers }: Request): string | null => {
  const key = headers["idempotency-key"] ?? ""
  return key === "" || key.length > maxKeyLength ? null : key
}

/** Returns the SHA-256 of a JSON value, in hexadecimal. */
export const fingerprintOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex")

/**
 * Returns the idempotency key of a request that contains a message; null if it has none. The store keeps the key with
 * the message.
 */
export const messageKey = (
  { "idempotency-key": key = "" }: { readonly "idempotency-key"?: string },
  payload: unknown
): MessageRequestKey | null => (key === "" ? null : { key, fingerprint: fingerprintOf(payload) })

/**
 * Adds the caller's key to a pipeline message. A message has the same fingerprint in a batch and in a separate request.
 */
export const withIdempotencyKey = (request: PipelineInput, key: string | null | undefined): PipelineInput =>
  key === undefined || key === null || key === ""
    ? request
    : { ...request, idempotencyKey: key, fingerprint: fingerprintOf(request) }

/**
 * Creates a hash that covers the query of the request. The body is added later. With a key, the stored hash cannot be
 * compared with guesses of a secret in the body.
 */
const hashOf = (request: Request, key: Uint8Array | null = null): Hash | Hmac => {
  const hash = key === null ? createHash("sha256") : createHmac("sha256", key)
  const query = request.url.split("?", 2)[1] ?? ""
  return query === "" ? hash : hash.update(`${query}\n`)
}

/** Returns whether the endpoint reads the body as a stream. */
const isStreamed = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ encoding }) => encoding._tag === "Stream")

/** Returns a request whose body is hashed while the endpoint reads it, so that the body is never held in memory. */
const hashedWhileRead = (request: Request, of: RequestKey) => {
  const hash = hashOf(request)
  let fingerprint: string | null = null
  const stream = request.stream.pipe(
    Stream.tap((bytes) => Effect.sync(() => void hash.update(bytes))),
    Stream.onEnd(Effect.sync(() => void (fingerprint = hash.digest("hex"))))
  )
  // If the body is interrupted, its fingerprint differs from the fingerprint of any complete body.
  const readAll = Effect.suspend(() =>
    fingerprint === null ? Effect.ignore(Stream.runDrain(stream)) : Effect.void
  ).pipe(Effect.map(() => fingerprint ?? "broken off"))
  const keyed: StreamedRequest = { ...of, fingerprint: readAll }
  const hashing = new Proxy(request, {
    get: (target, name) => (name === "stream" ? stream : Reflect.get(target, name, target))
  })
  return { keyed, hashing }
}

/** A failure of the endpoint. The class distinguishes it from failures of the idempotency key. */
class OwnFailure<E> extends TaggedError("OwnFailure")<{ readonly error: E }> {}

/** Returns the response to a rejected key. The endpoint is not called. */
const refuse = ({ error }: IdempotencyConflict | IdempotencyInProgress): Response =>
  HttpServerResponse.jsonUnsafe({ error }, { status: 409 })

/** Runs the operation with the kind of idempotency that its gate declares. */
const carryOut = <E, R>(
  idempotency: GateDeclaration["idempotency"],
  request: IdempotentRequest | StreamedRequest,
  own: Effect.Effect<Response, OwnFailure<E>, R>
) => {
  const { fingerprint } = request
  return idempotency === "unit" && typeof fingerprint === "string"
    ? runIdempotentInUnit({ ...request, fingerprint }, own, form)
    : runIdempotentInSteps(request, own, form, idempotency === "repeatable" ? "repeat" : "refuse")
}

/** The parts of a gate that determine the treatment of an idempotency key. */
type OnceTerms = Pick<GateDeclaration, "idempotency" | "containsSecret">

/** The owner of an idempotency key, and the tenant. An empty `tenantId` means the deployment. */
export type KeyUse = Pick<RequestKey, "credential" | "tenantId">

/**
 * Returns the request with its idempotency key; null if it has none. The hash of a streamed body is computed while
 * `next` reads the body.
 */
const keyedOf = Effect.fnUntraced(function* <E, R, R2>(
  next: Effect.Effect<Response, E, R>,
  { containsSecret }: Pick<GateDeclaration, "containsSecret">,
  endpoint: HttpApiEndpoint.Top,
  use: Effect.Effect<KeyUse, never, R2>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const key = keyOf(request)
  if (key === null) return null
  const of = { ...(yield* use), route: `${request.method} ${request.url.split("?", 1)[0] ?? ""}`, key }
  const own = Effect.mapError(next, (error) => new OwnFailure({ error }))
  if (isStreamed(endpoint)) {
    const { hashing, keyed } = hashedWhileRead(request, of)
    return { keyed, own: Effect.provideService(own, HttpServerRequest.HttpServerRequest, hashing) }
  }
  const body = yield* Effect.option(request.arrayBuffer)
  // The body is unreadable, so the endpoint will reject the request.
  if (body._tag === "None") return null
  const secretKey = containsSecret === true ? (yield* Secrets).pepper : null
  const fingerprint = hashOf(request, secretKey).update(new Uint8Array(body.value)).digest("hex")
  return { keyed: { ...of, fingerprint }, own }
})

const oncePerKey = Effect.fnUntraced(function* <E, R, R2>(
  next: Effect.Effect<Response, E, R>,
  gate: OnceTerms,
  endpoint: HttpApiEndpoint.Top,
  use: Effect.Effect<KeyUse, never, R2>
) {
  const request = yield* keyedOf(next, gate, endpoint, use)
  if (request === null) return yield* next
  return yield* carryOut(gate.idempotency, request.keyed, request.own).pipe(
    Effect.tap(({ replayed }) => (replayed ? setReplayHeader : Effect.void)),
    Effect.map(({ answer: response }) => response),
    Effect.catchTags({
      OwnFailure: ({ error }: OwnFailure<E>) => Effect.fail(error),
      IdempotencyConflict: (error) => Effect.succeed(refuse(toWire(error))),
      IdempotencyInProgress: (error) => Effect.succeed(refuse(toWire(error))),
      ResponseExpired: (error) => Effect.succeed(refuse(toWire(error))),
      StoreUnavailable: (error) => answer(Effect.fail(error))
    })
  )
})

/**
 * Carries out a request once per `Idempotency-Key`. A repetition within 24 hours with the same key, query and body
 * receives the first response again, with `Idempotent-Replayed: true`. The status is 409 if the body differs, or if the
 * first request is still running. Operations with the kind `stored` are not handled here, because they store the key
 * with their result. `use` runs only for a request with a key.
 */
export const once = <E, R, R2>(
  next: Effect.Effect<Response, E, R>,
  gate: OnceTerms,
  endpoint: HttpApiEndpoint.Top,
  use: Effect.Effect<KeyUse, never, R2>
) => (gate.idempotency === undefined || gate.idempotency === "stored" ? next : oncePerKey(next, gate, endpoint, use))
