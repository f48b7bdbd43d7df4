import { createHash } from "node:crypto"
import type { GateDeclaration } from "@leadloom/api/Access"
import type { IdempotencyConflict, IdempotencyInProgress } from "@leadloom/api/errors"
import { keyHolder, type Principal } from "@leadloom/core/access/Principal"
import { type KeptAnswer, keyMaxLength } from "@leadloom/core/idempotency/IdempotencyRecord"
import { type AnswerForm, type KeyedRequest, onceInSteps, onceInUnit } from "@leadloom/core/idempotency/Once"
import { Data, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer, toWire } from "./errors.ts"
import { tellReplay } from "./SendAnswer.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Successes are kept; a failure leaves the key free for the next attempt. What streams cannot be kept. */
const form: AnswerForm<Response> = {
  keep: ({ body, status }) => {
    if (status < 200 || status > 299) return null
    if (body._tag === "Empty") return { status, contentType: null, body: "" }
    if (body._tag !== "Uint8Array") return null
    return { status, contentType: body.contentType, body: new TextDecoder().decode(body.body) }
  },
  restore: ({ body, contentType, status }: KeptAnswer) =>
    contentType === null ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })
}

/** The key of a request whose endpoint knows such keys; null: it has none, or one that the contract refuses anyway. */
const keyOf = (gate: GateDeclaration, { headers }: HttpServerRequest.HttpServerRequest): string | null => {
  if (gate.idempotency !== "unit" && gate.idempotency !== "steps") return null
  const key = headers["idempotency-key"] ?? ""
  return key === "" || key.length > keyMaxLength ? null : key
}

/** What the endpoint itself says no with, apart from what is said of its key. */
class OwnFailure<E> extends Data.TaggedError("OwnFailure")<{ readonly error: E }> {}

/** Answered here and not by the endpoint, which is not reached. */
const refuse = ({ error }: IdempotencyConflict | IdempotencyInProgress): Response =>
  HttpServerResponse.jsonUnsafe({ error }, { status: 409 })

/**
 * Carries a request out once for its `Idempotency-Key`: the same key and body within 24 hours is given the first answer
 * again, with `Idempotent-Replayed: true`; another body, or a request that is still under way, is a 409.
 */
export const once = Effect.fnUntraced(function* <E, R>(
  next: Effect.Effect<Response, E, R>,
  gate: GateDeclaration,
  principal: Principal,
  tenantId: string | null
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const key = keyOf(gate, request)
  if (key === null) return yield* next
  // A body that cannot be read is for the endpoint to refuse.
  const body = yield* Effect.option(request.arrayBuffer)
  if (body._tag === "None") return yield* next
  const keyed: KeyedRequest = {
    tenantId: tenantId ?? "",
    credential: keyHolder(principal),
    route: `${request.method} ${request.url.split("?", 1)[0] ?? ""}`,
    key,
    fingerprint: createHash("sha256").update(new Uint8Array(body.value)).digest("hex")
  }
  const carry = gate.idempotency === "unit" ? onceInUnit : onceInSteps
  const own = Effect.mapError(next, (error) => new OwnFailure({ error }))
  return yield* carry(keyed, own, form).pipe(
    Effect.tap(({ replayed }) => (replayed ? tellReplay : Effect.void)),
    Effect.map(({ answer: response }) => response),
    Effect.catchTags({
      OwnFailure: ({ error }: OwnFailure<E>) => Effect.fail(error),
      IdempotencyConflict: (error) => Effect.succeed(refuse(toWire(error))),
      IdempotencyInProgress: (error) => Effect.succeed(refuse(toWire(error))),
      AnswerForgotten: (error) => Effect.succeed(refuse(toWire(error))),
      StoreUnavailable: (error) => answer(Effect.fail(error))
    })
  )
})
