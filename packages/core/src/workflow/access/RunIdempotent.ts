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

/** The operation was completed under this key, but its response is no longer available. */
export class ResponseExpired extends Data.TaggedError("ResponseExpired")<{}> {}

/** A request with an idempotency key. */
export interface IdempotentRequest extends RequestKey {
  /** SHA-256 of the query and the body. */
  readonly fingerprint: string
}

/**
 * A request with an idempotency key whose operation reads the body as a stream. Its fingerprint is known only at the
 * end of the body.
 */
export interface StreamedRequest extends RequestKey {
  /** Reads the rest of the body and returns the fingerprint of the whole body. */
  readonly fingerprint: Effect.Effect<string>
}

/**
 * The treatment of a retry when the operation was completed but its response was lost. `refuse` fails with
 * `ResponseExpired`. `repeat` runs the operation again; use it only for an operation that is idempotent or changes
 * nothing.
 */
export type LostResponse = "refuse" | "repeat"

/** The fingerprint of a body that is not fully read. */
const unread = ""

/** A response; `replayed` is true when it repeats the response to an earlier request. */
export interface IdempotentResponse<A> {
  readonly answer: A
  readonly replayed: boolean
}

/** Converts a response to its stored form and back. */
export interface ResponseCodec<A> {
  /** Returns null for a response that is not stored. The client may then repeat the request. */
  readonly keep: (answer: A) => StoredResponse | null
  readonly restore: (kept: StoredResponse) => A
}

const readResponse = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({ status: Schema.Int, contentType: Schema.NullOr(Schema.String), body: Schema.String })
  )
)

/** Binds a sealed response to its request (`Vault`). FROZEN: stored responses are sealed with it. */
export const answerSealContext = ({ credential, key, route, tenantId }: RequestKey): string =>
  `idempotency:${JSON.stringify([tenantId, credential, route, key])}`

/** Returns the record of an earlier request with the same key; null when there is none or it has expired. */
const earlier = Effect.fnUntraced(function* (request: IdempotentRequest | StreamedRequest, now: number) {
  const record = yield* (yield* IdempotencyRecords).find(request)
  if (record === null || now - record.createdAt >= keyMillis) return null
  if (typeof request.fingerprint === "string") yield* requireSame(record, request.fingerprint)
  if (record.state === "running" && record.leaseUntil <= now) return null
  return record
})

const requireSame = (record: IdempotencyRecord, fingerprint: string) =>
  record.fingerprint === unread || record.fingerprint === fingerprint ? Effect.void : new IdempotencyConflict()

/** Returns whether another server still holds the lease of the request. */
const isUnderWay = ({ leaseUntil, state }: IdempotencyRecord, now: number): boolean =>
  state !== "answered" && leaseUntil > now

const again = Effect.fnUntraced(function* (record: IdempotencyRecord, now: number) {
  const { answer } = record
  if (isUnderWay(record, now)) return yield* new IdempotencyInProgress()
  if (answer === null) return yield* new ResponseExpired()
  return yield* (yield* Vault).open(answer, answerSealContext(record)).pipe(
    Effect.flatMap(readResponse),
    // The response was sealed under a secret key that is no longer available. The record still proves the completion.
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
 * Runs an operation that uses only the store. The effect, the key and the response commit in one unit of work.
 * Concurrent requests wait and receive the same response. A failure stores nothing, so the client may repeat the
 * request.
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

/**
 * Returns the response to an earlier request. Reads a streamed body first, to check that both requests are the same.
 */
const replay = Effect.fnUntraced(function* (
  { fingerprint }: IdempotentRequest | StreamedRequest,
  before: IdempotencyRecord,
  now: number
) {
  if (isUnderWay(before, now)) return yield* new IdempotencyInProgress()
  if (typeof fingerprint !== "string") yield* requireSame(before, yield* fingerprint)
  return yield* again(before, now)
})

/**
 * Releases a key after a failure. A request that wrote nothing may be repeated; the stored record shows whether it
 * wrote.
 */
const release = Effect.fnUntraced(function* (record: IdempotencyRecord) {
  const records = yield* IdempotencyRecords
  const found = yield* records.find(record)
  // An interruption or a lost connection during a commit leaves the outcome unknown, so the record is read again.
  if (found?.createdAt !== record.createdAt || found.state === "answered") return
  yield* found.state === "running" ? records.remove(record) : records.put({ ...found, leaseUntil: 0 })
})

/**
 * Runs an operation that calls other systems or writes in several units of work. The key is claimed first, the
 * completion is written in the operation's own unit of work, and the response is stored last. Concurrent requests fail
 * with `IdempotencyInProgress`. After a crash between completion and response, `lost` decides.
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
  // An interruption during the claim of the key also releases the key.
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
            Effect.logError("failed to store the response to an idempotent request", { reason })
          )
        )
      )
      return { answer, replayed: false } satisfies IdempotentResponse<A>
    })
  )
})
