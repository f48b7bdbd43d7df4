import { createHash } from "node:crypto"
import type { GateDeclaration } from "@leadloom/api/Access"
import type { IdempotencyConflict, IdempotencyInProgress } from "@leadloom/api/errors"
import {
  type StoredResponse,
  maxKeyLength,
  type MessageRequestKey,
  type RequestKey
} from "@leadloom/core/domain/access/IdempotencyRecord"
import {
  type ResponseCodec,
  type IdempotentRequest,
  runIdempotentInSteps,
  runIdempotentInUnit,
  type StreamedRequest
} from "@leadloom/core/workflow/access/RunIdempotent"
import type { PipelineInput } from "@leadloom/core/workflow/intake/PipelineInput"
import { Data, Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { answer, toWire } from "../error/errors.ts"
import { setReplayHeader } from "./SendAnswer.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Longest response that is kept, in bytes. A longer one is not given again: its request is carried out again. */
const maxKeptBytes = 1_048_576

/** Successes are kept; a failure leaves the key free for the next attempt. A streamed response cannot be kept. */
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

/** The key of a request; null: it has none, or one that the contract refuses anyway. */
const keyOf = ({ headers }: Request): string | null => {
  const key = headers["idempotency-key"] ?? ""
  return key === "" || key.length > maxKeyLength ? null : key
}

/** SHA-256 of a value that came as JSON, in hex. */
export const fingerprintOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex")

/** The key of a request that brings a message, which is kept with the message; null: it has none. */
export const messageKey = (
  { "idempotency-key": key = "" }: { readonly "idempotency-key"?: string },
  payload: unknown
): MessageRequestKey | null => (key === "" ? null : { key, fingerprint: fingerprintOf(payload) })

/** A message for the pipeline under the caller's key. In a batch and on its own the same message is the same request. */
export const withIdempotencyKey = (request: PipelineInput, key: string | null | undefined): PipelineInput =>
  key === undefined || key === null || key === ""
    ? request
    : { ...request, idempotencyKey: key, fingerprint: fingerprintOf(request) }

/** A hash that begins with the query, where there is one. */
const hashOf = (request: Request) => {
  const hash = createHash("sha256")
  const query = request.url.split("?", 2)[1] ?? ""
  return query === "" ? hash : hash.update(`${query}\n`)
}

/** Whether the endpoint reads the body as a stream. */
const isStreamed = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ encoding }) => encoding._tag === "Stream")

/** A request whose body is hashed while the endpoint reads it, so that no size of it is ever held. */
const hashedWhileRead = (request: Request, of: RequestKey) => {
  const hash = hashOf(request)
  let fingerprint: string | null = null
  const stream = request.stream.pipe(
    Stream.tap((bytes) => Effect.sync(() => void hash.update(bytes))),
    Stream.onEnd(Effect.sync(() => void (fingerprint = hash.digest("hex"))))
  )
  // What breaks off before its end has a fingerprint that no whole body has.
  const readAll = Effect.suspend(() =>
    fingerprint === null ? Effect.ignore(Stream.runDrain(stream)) : Effect.void
  ).pipe(Effect.map(() => fingerprint ?? "broken off"))
  const keyed: StreamedRequest = { ...of, fingerprint: readAll }
  const hashing = new Proxy(request, {
    get: (target, name) => (name === "stream" ? stream : Reflect.get(target, name, target))
  })
  return { keyed, hashing }
}

/** The endpoint's own failure, apart from those of its key. */
class OwnFailure<E> extends Data.TaggedError("OwnFailure")<{ readonly error: E }> {}

/** Answered here; the endpoint is not reached. */
const refuse = ({ error }: IdempotencyConflict | IdempotencyInProgress): Response =>
  HttpServerResponse.jsonUnsafe({ error }, { status: 409 })

/** Runs the operation in the way that its gate declares. */
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

/** Who uses a key, and for which tenant; empty `tenantId`: the deployment. */
export type KeyUse = Pick<RequestKey, "credential" | "tenantId">

/** The request under its key; null: it has none. A streamed body is hashed while `next` reads it. */
const keyedOf = Effect.fnUntraced(function* <E, R>(
  next: Effect.Effect<Response, E, R>,
  endpoint: HttpApiEndpoint.Top,
  use: KeyUse
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const key = keyOf(request)
  if (key === null) return null
  const of = { ...use, route: `${request.method} ${request.url.split("?", 1)[0] ?? ""}`, key }
  const own = Effect.mapError(next, (error) => new OwnFailure({ error }))
  if (isStreamed(endpoint)) {
    const { hashing, keyed } = hashedWhileRead(request, of)
    return { keyed, own: Effect.provideService(own, HttpServerRequest.HttpServerRequest, hashing) }
  }
  const body = yield* Effect.option(request.arrayBuffer)
  // A body that cannot be read is for the endpoint to refuse.
  if (body._tag === "None") return null
  const fingerprint = hashOf(request).update(new Uint8Array(body.value)).digest("hex")
  return { keyed: { ...of, fingerprint }, own }
})

/**
 * Carries a request out once for its `Idempotency-Key`: the same key, query and body within 24 hours receives the first
 * response again, with `Idempotent-Replayed: true`; another body, or a request that is still under way, is a 409. An
 * operation whose key is `stored` with what it makes does the same by itself.
 */
export const once = Effect.fnUntraced(function* <E, R>(
  next: Effect.Effect<Response, E, R>,
  { idempotency }: Pick<GateDeclaration, "idempotency">,
  endpoint: HttpApiEndpoint.Top,
  use: KeyUse
) {
  if (idempotency === undefined || idempotency === "stored") return yield* next
  const request = yield* keyedOf(next, endpoint, use)
  if (request === null) return yield* next
  return yield* carryOut(idempotency, request.keyed, request.own).pipe(
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
