import { Clock, Effect, Exit, Fiber, Schema } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { IdempotencyConflict, IdempotencyInProgress } from "../../domain/sending/Reservation.ts"
import { IdempotencyRecords } from "../../port/repository/tenant/IdempotencyRecords.ts"
import { StoreUnavailable, Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import {
  type IdempotencyRecord,
  type StoredResponse,
  keyMillis,
  type RequestKey,
  requestLeaseMillis,
  requestRenewalMillis
} from "../../domain/access/IdempotencyRecord.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** The operation of an earlier request with this key is complete, but its response is no longer available. */
export class ResponseExpired extends TaggedError("ResponseExpired")<{}> {}

export interface IdempotentRequest extends RequestKey {
  /** SHA-256 of the query and the body. */
  readonly fingerprint: string
}

/**
 * A request with an idempotency key whose operation reads the body as a stream. The fingerprint is known only after the
 * whole body is read.
 */
export interface StreamedRequest extends RequestKey {
  /** Reads the rest of the body and returns the fingerprint of the whole body. */
  readonly fingerprint: Effect.Effect<string>
}

/**
 * The treatment of a repeated request whose operation is complete but whose response was lost. `refuse`: fail with
 * `ResponseExpired`. `repeat`: run the operation again. Use `repeat` only for an operation that is idempotent or
 * changes nothing.
 */
export type LostResponse = "refuse" | "repeat"

/** The fingerprint of a body that was not read to its end. */
const unread = ""

/** A response. `replayed` is true when it was stored by an earlier request. */
export interface IdempotentResponse<A> {
  readonly answer: A
  readonly replayed: boolean
}

/** Converts a response to its stored form and back. */
export interface ResponseCodec<A> {
  /**
   * Returns the stored form of a response. Returns null if the response must not be stored. The client may then repeat
   * the request.
   */
  readonly keep: (answer: A) => StoredResponse | null
  readonly restore: (kept: StoredResponse) => A
}

const readResponse = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({ status: Schema.Int, contentType: Schema.NullOr(Schema.String), body: Schema.String })
  )
)

/**
 * FROZEN, because stored responses are sealed with this text. Returns the seal context (`Vault`) of the response to a
 * request.
 */
export const answerSealContext = ({ credential, key, route, tenantId }: RequestKey): string =>
  `idempotency:${JSON.stringify([tenantId, credential, route, key])}`

/**
 * Returns the record of an earlier request with the same key. Returns null when there is none, or when it has expired.
 */
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
    // The response was sealed with a secret key that is no longer available. The record still proves that the operation
    // is complete.
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
 * Runs an operation that uses only the store. The effects of the operation, the key and the response are committed in
 * one unit of work. A concurrent request with the same key waits and receives the same response. After a failure,
 * nothing is stored, so the client may repeat the request.
 */
export const runIdempotentInUnit = Effect.fnUntraced(function* <A, E, R>(
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
}, withSpan("runIdempotentInUnit"))

/**
 * Returns the response to an earlier request. A streamed body is read first, because its fingerprint is needed to check
 * that both requests are the same.
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
 * Releases a key after a failure, so that the client may repeat the request. If the operation has written something,
 * the key stays claimed. The stored record shows which of the two is the case.
 */
const release = Effect.fnUntraced(function* (record: IdempotencyRecord) {
  const records = yield* IdempotencyRecords
  const found = yield* records.find(record)
  // After an interruption or a lost connection during a commit, the outcome of the commit is unknown. The record is
  // therefore read again.
  if (found?.createdAt !== record.createdAt || found.state === "answered") return
  yield* found.state === "running" ? records.remove(record) : records.put({ ...found, leaseUntil: 0 })
})

/** Returns the record of a request. Returns null if a repeated request has taken over the key since. */
const ownRecord = Effect.fnUntraced(function* (record: IdempotencyRecord) {
  const found = yield* (yield* IdempotencyRecords).find(record)
  return found?.createdAt === record.createdAt ? found : null
})

/** Renews the lease of a request regularly. While the store is unavailable, tries again at the next renewal. */
const renewLease = Effect.fnUntraced(function* (record: IdempotencyRecord) {
  const { atomically } = yield* Transactions
  const records = yield* IdempotencyRecords
  const renewal = Effect.gen(function* () {
    const found = yield* ownRecord(record)
    if (found === null || found.state === "answered") return
    yield* records.put({ ...found, leaseUntil: (yield* Clock.currentTimeMillis) + requestLeaseMillis })
  })
  // An interrupted renewal could commit after the response is stored.
  const renew = Effect.uninterruptible(Effect.ignore(atomically(record.tenantId, renewal)))
  return yield* Effect.forever(Effect.andThen(Effect.sleep(requestRenewalMillis), renew))
})

/**
 * Marks the operation as complete, in its unit of work. The unit fails if a repeated request has taken over the key,
 * for example after an outage of the database, so that the operation is not executed twice.
 */
const markDone = Effect.fnUntraced(function* (record: IdempotencyRecord) {
  const found = yield* ownRecord(record)
  if (found === null) return yield* new StoreUnavailable({ reason: "A repeated request has taken over this request." })
  yield* (yield* IdempotencyRecords).put({ ...found, state: "done" })
})

/**
 * Runs an operation that calls other systems or has several units of work. First, the key is claimed. The operation's
 * own unit of work records that it is complete. Last, the response is stored. A concurrent request with the same key
 * fails with `IdempotencyInProgress`. After a crash of the server, a repeated request fails in the same way until the
 * lease expires. If the server fails after the operation and before the response is stored, `lost` determines the
 * treatment of a repeated request.
 */
export const runIdempotentInSteps = Effect.fnUntraced(function* <A, E, R>(
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
        of === request.tenantId
          ? Effect.tap(unit, () => Effect.provideService(markDone(record), IdempotencyRecords, records))
          : unit
      )
  })
  const finish = Effect.fnUntraced(function* (exit: Exit.Exit<A, E>) {
    const kept = Exit.isSuccess(exit) ? form.keep(exit.value) : null
    if (kept === null) return yield* transactions.atomically(request.tenantId, release(record))
    const { fingerprint: of } = request
    const fingerprint = typeof of === "string" ? of : yield* of
    const store = Effect.flatMap(ownRecord(record), (found) =>
      found === null ? Effect.void : answered({ ...record, fingerprint }, kept)
    )
    yield* transactions.atomically(request.tenantId, store)
  })
  const carryOut = Effect.provideService(action, Transactions, marking)
  // If an interruption arrives while the key is being claimed, the key is released too.
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const before = yield* transactions.atomically(request.tenantId, taken)
      if (before !== null) {
        const kept = yield* restore(replay(request, before, now))
        return { answer: form.restore(kept), replayed: true } satisfies IdempotentResponse<A>
      }
      const renewing = yield* Effect.forkChild(Effect.interruptible(renewLease(record)))
      const answer = yield* restore(carryOut).pipe(
        Effect.ensuring(Fiber.interrupt(renewing)),
        Effect.onExit((exit) =>
          Effect.catchTag(finish(exit), "StoreUnavailable", ({ reason }) => log("idempotency.failed", { reason }))
        )
      )
      return { answer, replayed: false } satisfies IdempotentResponse<A>
    })
  )
}, withSpan("runIdempotentInSteps"))
