import { Clock, Data, Effect, Exit, Schema } from "effect"
import { IdempotencyConflict, IdempotencyInProgress } from "../../domain/sending/Reservation.ts"
import { IdempotencyRecords } from "../../port/repository/tenant/IdempotencyRecords.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import {
  type IdempotencyRecord,
  type StoredResponse,
  keyMillis,
  type RequestKey,
  requestLeaseMillis
} from "../../domain/access/IdempotencyRecord.ts"

/** The operation was carried out under this key, and its response is no longer known. */
export class ResponseExpired extends Data.TaggedError("ResponseExpired")<{}> {}

/** A request under a key. */
export interface IdempotentRequest extends RequestKey {
  /** SHA-256 of the query and the body. */
  readonly fingerprint: string
}

/** A request under a key whose body the operation reads as a stream, so that its fingerprint is known at the end alone. */
export interface StreamedRequest extends RequestKey {
  /** Reads the rest of the body and answers the fingerprint of all of it. */
  readonly fingerprint: Effect.Effect<string>
}

/**
 * The treatment of a request whose operation was carried out and whose response was lost. `refuse`: it fails with
 * `ResponseExpired`; `repeat`: the operation runs again, because it recognises what it has done or changes nothing.
 */
export type LostResponse = "refuse" | "repeat"

/** Fingerprint of a body that has not been read to its end. */
const unread = ""

/** An answer, and whether an earlier request was given it first. */
export interface IdempotentResponse<A> {
  readonly answer: A
  readonly replayed: boolean
}

/** How an answer is kept and given again. */
export interface ResponseCodec<A> {
  /** Null: such an answer is not kept, and the request may be made again. */
  readonly keep: (answer: A) => StoredResponse | null
  readonly restore: (kept: StoredResponse) => A
}

const readResponse = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({ status: Schema.Int, contentType: Schema.NullOr(Schema.String), body: Schema.String })
  )
)

/** Where the answer to a request belongs (`Vault`). FROZEN: answers are sealed for it. */
export const answerSealContext = ({ credential, key, route, tenantId }: RequestKey): string =>
  `idempotency:${JSON.stringify([tenantId, credential, route, key])}`

/** The record of an earlier request under the key; null: none that still counts. */
const earlier = Effect.fnUntraced(function* (request: IdempotentRequest | StreamedRequest, now: number) {
  const record = yield* (yield* IdempotencyRecords).find(request)
  if (record === null || now - record.createdAt >= keyMillis) return null
  if (typeof request.fingerprint === "string") yield* requireSame(record, request.fingerprint)
  if (record.state === "running" && record.leaseUntil <= now) return null
  return record
})

const requireSame = (record: IdempotencyRecord, fingerprint: string) =>
  record.fingerprint === unread || record.fingerprint === fingerprint ? Effect.void : new IdempotencyConflict()

/** Whether the server that carries the request out is still at it, as far as anybody can tell. */
const isUnderWay = ({ leaseUntil, state }: IdempotencyRecord, now: number): boolean =>
  state !== "answered" && leaseUntil > now

const again = Effect.fnUntraced(function* (record: IdempotencyRecord, now: number) {
  const { answer } = record
  if (isUnderWay(record, now)) return yield* new IdempotencyInProgress()
  if (answer === null) return yield* new ResponseExpired()
  return yield* (yield* Vault).open(answer, answerSealContext(record)).pipe(
    Effect.flatMap(readResponse),
    // Sealed under a key that is gone: that it was carried out is known all the same.
    Effect.mapError(() => new ResponseExpired())
  )
})

const recordOf = (request: IdempotentRequest | StreamedRequest, now: number): IdempotencyRecord => ({
  tenantId: request.tenantId,
  credential: request.credential,
  route: request.route,
  key: request.key,
  fingerprint: typeof request.fingerprint === "string" ? request.fingerprint : unread,
  state: "running",
  answer: null,
  leaseUntil: now + requestLeaseMillis,
  createdAt: now
})

const answered = Effect.fnUntraced(function* (record: IdempotencyRecord, kept: StoredResponse) {
  const answer = (yield* Vault).seal(JSON.stringify(kept), answerSealContext(record))
  yield* (yield* IdempotencyRecords).put({ ...record, state: "answered", answer, leaseUntil: 0 })
})

/**
 * Carries out an operation that touches the store alone: its effect, its key and its response are one unit of work.
 * Concurrent requests wait and receive the same response. A failure leaves nothing, and the request may be made again.
 */
export const runIdempotentInUnit = Effect.fn("runIdempotentInUnit")(function* <A, E, R>(
  request: IdempotentRequest,
  action: Effect.Effect<A, E, R>,
  form: ResponseCodec<A>
) {
  const unit = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = yield* earlier(request, now)
    if (before !== null)
      return { answer: form.restore(yield* again(before, now)), replayed: true } satisfies IdempotentResponse<A>
    const answer = yield* action
    const kept = form.keep(answer)
    if (kept !== null) yield* answered(recordOf(request, now), kept)
    return { answer, replayed: false } satisfies IdempotentResponse<A>
  })
  return yield* (yield* Transactions).atomically(request.tenantId, unit)
})

/** The response to an earlier request. The body of a streamed one is read first, to know whether it is the same request. */
const replay = Effect.fnUntraced(function* (
  { fingerprint }: IdempotentRequest | StreamedRequest,
  before: IdempotencyRecord,
  now: number
) {
  if (isUnderWay(before, now)) return yield* new IdempotencyInProgress()
  if (typeof fingerprint !== "string") yield* requireSame(before, yield* fingerprint)
  return yield* again(before, now)
})

/** Gives a key back. A request that wrote nothing may be made again; the store alone knows which did. */
const release = Effect.fnUntraced(function* (record: IdempotencyRecord) {
  const records = yield* IdempotencyRecords
  const found = yield* records.find(record)
  // Whoever is interrupted at a commit, or loses the connection there, does not learn whether it was written.
  if (found?.createdAt !== record.createdAt || found.state === "answered") return
  yield* found.state === "running" ? records.remove(record) : records.put({ ...found, leaseUntil: 0 })
})

/**
 * Carries out an operation that also asks others, or writes in several steps. Its key is taken first; that it was carried
 * out is written in the unit of work that does it, its response at the end. Concurrent requests fail with
 * `IdempotencyInProgress`. After a crash in between, `lost` decides.
 */
export const runIdempotentInSteps = Effect.fn("runIdempotentInSteps")(function* <A, E, R>(
  request: IdempotentRequest | StreamedRequest,
  action: Effect.Effect<A, E, R>,
  form: ResponseCodec<A>,
  lost: LostResponse = "refuse"
) {
  const records = yield* IdempotencyRecords
  const transactions = yield* Transactions
  const now = yield* Clock.currentTimeMillis
  const record = recordOf(request, now)
  const taken = Effect.gen(function* () {
    const before = yield* earlier(request, now)
    const repeats = before?.state === "done" && lost === "repeat" && !isUnderWay(before, now)
    if (before !== null && !repeats) return before
    yield* records.put(record)
    return null
  })
  const marking = Transactions.of({
    atomically: (of, unit) =>
      transactions.atomically(
        of,
        of === request.tenantId ? Effect.tap(unit, () => records.put({ ...record, state: "done" })) : unit
      )
  })
  const finish = Effect.fnUntraced(function* (exit: Exit.Exit<A, E>) {
    const kept = Exit.isSuccess(exit) ? form.keep(exit.value) : null
    if (kept === null) return yield* transactions.atomically(request.tenantId, release(record))
    const { fingerprint: of } = request
    const fingerprint = typeof of === "string" ? of : yield* of
    yield* transactions.atomically(request.tenantId, answered({ ...record, fingerprint }, kept))
  })
  const carryOut = Effect.provideService(action, Transactions, marking)
  // A client that hangs up while the key is taken gives it back like any other.
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const before = yield* transactions.atomically(request.tenantId, taken)
      if (before !== null) {
        const kept = yield* restore(replay(request, before, now))
        return { answer: form.restore(kept), replayed: true } satisfies IdempotentResponse<A>
      }
      const answer = yield* restore(carryOut).pipe(
        Effect.onExit((exit) =>
          Effect.catchTag(finish(exit), "StoreUnavailable", ({ reason }) =>
            Effect.logError("failed to keep the response to a request under a key", { reason })
          )
        )
      )
      return { answer, replayed: false } satisfies IdempotentResponse<A>
    })
  )
})
