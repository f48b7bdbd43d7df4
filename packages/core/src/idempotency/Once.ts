import { Clock, Data, Effect, Exit, Schema } from "effect"
import { IdempotencyConflict, IdempotencyInProgress } from "../email/outgoing/Reservation.ts"
import { IdempotencyRecords } from "../port/IdempotencyRecords.ts"
import { Transactions } from "../port/Transactions.ts"
import { Vault } from "../port/Vault.ts"
import {
  type IdempotencyRecord,
  type KeptAnswer,
  keyMillis,
  type RequestKey,
  requestLeaseMillis
} from "./IdempotencyRecord.ts"

/** It was carried out under this key, and what was answered is not known any more. */
export class AnswerForgotten extends Data.TaggedError("AnswerForgotten")<{}> {}

/** A request under a key, and the SHA-256 of its body. */
export interface KeyedRequest extends RequestKey {
  readonly fingerprint: string
}

/** An answer, and whether an earlier request was given it first. */
export interface Once<A> {
  readonly answer: A
  readonly replayed: boolean
}

/** How an answer is kept and given again. */
export interface AnswerForm<A> {
  /** Null: such an answer is not kept, and the request may be made again. */
  readonly keep: (answer: A) => KeptAnswer | null
  readonly restore: (kept: KeptAnswer) => A
}

const readAnswer = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({ status: Schema.Int, contentType: Schema.NullOr(Schema.String), body: Schema.String })
  )
)

/** Where the answer to a request belongs (`Vault`). FROZEN: answers are sealed for it. */
export const answerPlace = ({ credential, key, route, tenantId }: RequestKey): string =>
  `idempotency:${JSON.stringify([tenantId, credential, route, key])}`

/** What came before under the key; null: nothing that counts any more. */
const earlier = Effect.fnUntraced(function* (request: KeyedRequest, now: number) {
  const record = yield* (yield* IdempotencyRecords).find(request)
  if (record === null || now - record.createdAt >= keyMillis) return null
  if (record.fingerprint !== request.fingerprint) return yield* new IdempotencyConflict()
  if (record.state === "running" && record.leaseUntil <= now) return null
  return record
})

const again = Effect.fnUntraced(function* ({ answer, state, ...of }: IdempotencyRecord) {
  if (state === "running") return yield* new IdempotencyInProgress()
  if (answer === null) return yield* new AnswerForgotten()
  return yield* (yield* Vault).open(answer, answerPlace(of)).pipe(
    Effect.flatMap(readAnswer),
    // Sealed under a key that is gone: that it was carried out is known all the same.
    Effect.mapError(() => new AnswerForgotten())
  )
})

const recordOf = ({ credential, fingerprint, key, route, tenantId }: KeyedRequest, now: number): IdempotencyRecord => ({
  tenantId,
  credential,
  route,
  key,
  fingerprint,
  state: "running",
  answer: null,
  leaseUntil: now + requestLeaseMillis,
  createdAt: now
})

const answered = Effect.fnUntraced(function* (record: IdempotencyRecord, kept: KeptAnswer) {
  const answer = (yield* Vault).seal(JSON.stringify(kept), answerPlace(record))
  yield* (yield* IdempotencyRecords).put({ ...record, state: "answered", answer })
})

/**
 * Carries out what touches the store alone: what it writes, its key and its answer are there together or not at all. Who
 * asks at the same time waits, and is given the same answer. What fails leaves nothing, and may be asked again.
 */
export const onceInUnit = Effect.fn("onceInUnit")(function* <A, E, R>(
  request: KeyedRequest,
  action: Effect.Effect<A, E, R>,
  form: AnswerForm<A>
) {
  const unit = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = yield* earlier(request, now)
    if (before !== null) return { answer: form.restore(yield* again(before)), replayed: true } satisfies Once<A>
    const answer = yield* action
    const kept = form.keep(answer)
    if (kept !== null) yield* answered(recordOf(request, now), kept)
    return { answer, replayed: false } satisfies Once<A>
  })
  return yield* (yield* Transactions).atomically(request.tenantId, unit)
})

/**
 * Carries out what also asks others, or writes in several steps. Its key is taken first; that it was done is written in
 * the unit of work that does it, its answer at the end. Who asks meanwhile is told that it is under way; after a crash in
 * between, that it was done.
 */
export const onceInSteps = Effect.fn("onceInSteps")(function* <A, E, R>(
  request: KeyedRequest,
  action: Effect.Effect<A, E, R>,
  form: AnswerForm<A>
) {
  const records = yield* IdempotencyRecords
  const transactions = yield* Transactions
  const now = yield* Clock.currentTimeMillis
  const record = recordOf(request, now)
  const taken = Effect.gen(function* () {
    const before = yield* earlier(request, now)
    if (before === null) yield* records.put(record)
    return before
  })
  const marking = Transactions.of({
    atomically: (of, unit) =>
      transactions.atomically(
        of,
        of === request.tenantId ? Effect.tap(unit, () => records.put({ ...record, state: "done" })) : unit
      )
  })
  // What has written something stays as it is; what has not may be asked again. The store knows which, and nobody else:
  // who is interrupted at a commit, or loses the connection there, does not hear of it.
  const release = Effect.gen(function* () {
    const found = yield* records.find(record)
    if (found?.state === "running" && found.createdAt === record.createdAt) yield* records.remove(record)
  })
  const finish = (exit: Exit.Exit<A, E>) => {
    const kept = Exit.isSuccess(exit) ? form.keep(exit.value) : null
    return transactions.atomically(request.tenantId, kept === null ? release : answered(record, kept))
  }
  const carryOut = Effect.provideService(action, Transactions, marking)
  // A client that hangs up while the key is taken gives it back like any other.
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const before = yield* transactions.atomically(request.tenantId, taken)
      if (before !== null) return { answer: form.restore(yield* again(before)), replayed: true } satisfies Once<A>
      const answer = yield* restore(carryOut).pipe(
        Effect.onExit((exit) =>
          Effect.catchTag(finish(exit), "StoreUnavailable", ({ reason }) =>
            Effect.logError("The answer to a request under a key could not be kept", { reason })
          )
        )
      )
      return { answer, replayed: false } satisfies Once<A>
    })
  )
})
