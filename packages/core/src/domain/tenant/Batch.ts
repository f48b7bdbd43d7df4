import { Data } from "effect"
import type { BatchId, SignalId } from "../Id.ts"

/** Requests in one batch. */
export const maxBatchItems = 500

/** Several requests for the pipeline, handed over at once. */
export interface Batch {
  readonly tenantId: string
  readonly batchId: BatchId
  /** The caller's name for it, its own name before it: the same again is the same batch. Null: none. */
  readonly idempotencyKey: string | null
  /** Of its requests: the same key with others is a conflict. */
  readonly fingerprint: string
  /** Requests in it. */
  readonly total: number
  readonly createdAt: number
}

/** What is wrong with one request of a batch, and where in it. */
export interface ItemIssue {
  /** Its fields joined with dots, from the request on; empty: the request as a whole. */
  readonly path: string
  readonly message: string
}

/** Why a request was not taken in. Says nothing of what stood in it. */
export interface ItemFailure {
  /** `invalid`: it is no request. `cap_reached`: the plan's actions are used up. `key_conflict`: its key belongs to another request. `broken`: our mistake, told in the log. */
  readonly reason: "invalid" | "cap_reached" | "key_conflict" | "broken"
  readonly issues: ReadonlyArray<ItemIssue>
}

/** What became of one request when it was taken in. A signal has one message, and its id is the message's. */
export type ItemOutcome =
  | { readonly status: "accepted"; readonly signalId: SignalId; readonly failure: null }
  /** Its key was known; the signal is of the first message, and null when that was erased. */
  | { readonly status: "duplicate"; readonly signalId: SignalId | null; readonly failure: null }
  | { readonly status: "failed"; readonly signalId: null; readonly failure: ItemFailure }

/** One request of a batch, of which nothing is kept but what became of it. */
export type BatchItem = ItemOutcome & {
  readonly tenantId: string
  readonly batchId: BatchId
  /** Its place in the batch, from 0. */
  readonly index: number
}

/** How far a request has come. `running`: somebody has begun, also when it is to be tried again. */
export type ItemState = "queued" | "running" | "done" | "failed"

/** A request of a batch as it stands now. */
export interface ItemProgress {
  readonly item: BatchItem
  readonly state: ItemState
}

/** Where the signal of a request stands; null: it has none, or none any more. */
export interface SignalProgress {
  readonly state: "queued" | "done" | "failed"
  readonly begun: boolean
}

/** How far a request has come, by its signal. What has been erased, and what was never worked on, is done. */
export const itemState = (status: BatchItem["status"], signal: SignalProgress | null): ItemState => {
  if (status === "failed") return "failed"
  if (signal === null) return "done"
  return signal.state === "queued" && signal.begun ? "running" : signal.state
}

/** How many requests of a batch were taken in how, and how far they have come. */
export interface BatchCounts {
  readonly accepted: number
  readonly duplicate: number
  readonly refused: number
  readonly progress: Readonly<Record<ItemState, number>>
}

/** Requests of a batch that are alike. */
export interface CountedItems {
  readonly status: BatchItem["status"]
  readonly signal: SignalProgress | null
  readonly count: number
}

/** Adds up the requests of one batch. */
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

/** `accepting`: not every request has been looked at yet. `done`: nothing more will happen. */
export type BatchStatus = "accepting" | "running" | "done"

/** Where a batch stands. */
export const batchStatus = ({ total }: Batch, { accepted, duplicate, progress, refused }: BatchCounts): BatchStatus => {
  if (accepted + duplicate + refused < total) return "accepting"
  return progress.queued + progress.running > 0 ? "running" : "done"
}

/** A batch and how far it has come. */
export interface BatchProgress {
  readonly batch: Batch
  readonly status: BatchStatus
  readonly counts: BatchCounts
}

/** There is no such batch of this tenant. */
export class BatchNotFound extends Data.TaggedError("BatchNotFound")<{ readonly batchId: string }> {}
