import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { BatchId, type SignalId } from "../Id.ts"
import { Time } from "../Field.ts"

/** The maximum number of requests in a batch. */
export const maxBatchItems = 500

/** A batch of requests for the pipeline. */
export class Batch extends Schema.Opaque<Batch>()(
  Schema.Struct({
    tenantId: Schema.String,
    batchId: BatchId.annotate({ description: "Batch id (`bat_…`)" }),
    /**
     * The idempotency key, with the caller's name as prefix. A request with a known key returns the existing batch.
     * Null if the request has no key.
     */
    idempotencyKey: Schema.NullOr(Schema.String),
    /** The fingerprint of the requests in the batch. A batch with the same key and other requests is a conflict. */
    fingerprint: Schema.String,
    /** The number of requests. */
    total: Schema.Int.annotate({ description: "The number of requests in the batch" }),
    createdAt: Time.annotate({ description: "The time at which the server received the batch (ISO 8601 in UTC)" })
  })
) {}

/** An error in one request of a batch. */
export interface ItemIssue {
  /** The path of the field within the request, joined with dots. Empty for the request as a whole. */
  readonly path: string
  readonly message: string
}

/** The reason why a request was rejected. It contains no content of the request, because failures are stored. */
export interface ItemFailure {
  /**
   * The kind of reason:
   *
   * - `invalid`: the request is not valid
   * - `cap_reached`: the tenant has used up the actions of its plan
   * - `key_conflict`: another request has the same key
   * - `broken`: an internal error, which the log describes
   */
  readonly reason: "invalid" | "cap_reached" | "key_conflict" | "broken"
  readonly issues: ReadonlyArray<ItemIssue>
}

/** The result of accepting one request. The signal id is derived from the id of the request's message. */
export type ItemOutcome =
  | { readonly status: "accepted"; readonly signalId: SignalId; readonly failure: null }
  /**
   * The dedup key of the request was already known. The signal is that of the first message with this key. Null if that
   * message was erased.
   */
  | { readonly status: "duplicate"; readonly signalId: SignalId | null; readonly failure: null }
  | { readonly status: "failed"; readonly signalId: null; readonly failure: ItemFailure }

/** One request of a batch. Only its result is stored. */
export type BatchItem = ItemOutcome & {
  readonly tenantId: string
  readonly batchId: BatchId
  /** The index in the batch, starting at 0. */
  readonly index: number
}

/**
 * The state of a request. `running`: its first attempt has started. A request that waits for a retry is also `running`.
 */
export type ItemState = "queued" | "running" | "done" | "failed"

/** A request of a batch and its current state. */
export interface ItemProgress {
  readonly item: BatchItem
  readonly state: ItemState
}

/** The state of the signal of a request. */
export interface SignalProgress {
  readonly state: "queued" | "done" | "failed"
  readonly begun: boolean
}

/**
 * Derives the state of a request from its signal. An accepted request without a signal counts as done, because its
 * signal was deleted, for example by an erasure.
 */
export const itemState = (status: BatchItem["status"], signal: SignalProgress | null): ItemState => {
  if (status === "failed") return "failed"
  if (signal === null) return "done"
  return signal.state === "queued" && signal.begun ? "running" : signal.state
}

/** The numbers of requests in a batch, by result and by state. */
export interface BatchCounts {
  readonly accepted: number
  readonly duplicate: number
  readonly refused: number
  readonly progress: Readonly<Record<ItemState, number>>
}

/** The number of requests with the same result and state. */
export interface CountedItems {
  readonly status: BatchItem["status"]
  readonly signal: SignalProgress | null
  readonly count: number
}

/** Adds up the counts of one batch. */
export const countItems = (counted: ReadonlyArray<CountedItems>): BatchCounts => {
  const sum = (is: (one: CountedItems) => boolean): number =>
    counted.reduce((total, one) => (is(one) ? total + one.count : total), 0)
  const countIn = (state: ItemState): number => sum((one) => itemState(one.status, one.signal) === state)
  return {
    accepted: sum(({ status }) => status === "accepted"),
    duplicate: sum(({ status }) => status === "duplicate"),
    refused: sum(({ status }) => status === "failed"),
    progress: {
      queued: countIn("queued"),
      running: countIn("running"),
      done: countIn("done"),
      failed: countIn("failed")
    }
  }
}

/** `accepting`: some requests have no result yet. `done`: all requests are finished. */
export type BatchStatus = "accepting" | "running" | "done"

/** Derives the status of a batch from its counts. */
export const batchStatus = ({ total }: Batch, { accepted, duplicate, progress, refused }: BatchCounts): BatchStatus => {
  if (accepted + duplicate + refused < total) return "accepting"
  return progress.queued + progress.running > 0 ? "running" : "done"
}

/** A batch and its progress. */
export interface BatchProgress {
  readonly batch: Batch
  readonly status: BatchStatus
  readonly counts: BatchCounts
}

/** The tenant has no such batch. */
export class BatchNotFound extends TaggedError("BatchNotFound")<{ readonly batchId: string }> {}
