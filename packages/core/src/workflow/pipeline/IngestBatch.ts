import { Array as Arrays, Cause, Clock, Effect } from "effect"
import { acceptRequest } from "../intake/AcceptMessage.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import type { BatchId } from "../../domain/Id.ts"
import { includesPlan, type Plan, PlanRestricted } from "../../domain/billing/Plan.ts"
import { type PipelineInput, toInbound } from "../intake/PipelineInput.ts"
import { signalIdOf } from "../../domain/classification/Signal.ts"
import { Batches } from "../../port/repository/pipeline/Batches.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Batch, ItemFailure, ItemIssue, ItemOutcome } from "../../domain/tenant/Batch.ts"
import { readBatchProgress } from "./ReadBatch.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** The lowest plan that includes batches. */
export const batchPlan: Plan = "growth"

/**
 * The number of requests that are ingested concurrently. They share commits of the store. Between two groups, other
 * tenants can write.
 */
const atOnce = 50

/** The maximum number of issues that are stored per request. */
const maxIssues = 20

/** A request of a batch, or the issues that make it invalid. */
export type BatchEntry =
  | { readonly _tag: "Request"; readonly request: PipelineInput }
  | { readonly _tag: "Invalid"; readonly issues: ReadonlyArray<ItemIssue> }

/** A batch as the client sends it. */
export interface BatchRequest {
  readonly tenant: Tenant
  readonly entries: ReadonlyArray<BatchEntry>
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
  readonly idempotencyKey: string | null
  /** Identifies the content of the batch. Another batch with the same key is a conflict. */
  readonly fingerprint: string
}

const failed = (reason: ItemFailure["reason"], issues: ReadonlyArray<ItemIssue> = []): ItemOutcome => ({
  status: "failed",
  signalId: null,
  failure: { reason, issues: issues.slice(0, maxIssues) }
})

/** Creates a batch. If a batch with the same key exists, returns that one. */
const begin = Effect.fnUntraced(function* ({ entries, fingerprint, idempotencyKey, tenant }: BatchRequest) {
  const batches = yield* Batches
  const { tenantId } = tenant
  const known = idempotencyKey === null ? null : yield* batches.ofKey(tenantId, idempotencyKey)
  if (known !== null && known.fingerprint !== fingerprint) return yield* new IdempotencyConflict()
  if (known !== null) return { batch: known, replayed: true }
  const batch: Batch = {
    tenantId,
    batchId: yield* (yield* Ids).next("bat"),
    idempotencyKey,
    fingerprint,
    total: entries.length,
    createdAt: yield* Clock.currentTimeMillis
  }
  yield* batches.insert(batch)
  return { batch, replayed: false }
})

/**
 * Ingests one request, and queues it for the workers. Like a single pipeline request, it costs nothing but its model
 * calls.
 */
const ingestRequest = Effect.fnUntraced(function* (tenant: Tenant, request: PipelineInput) {
  const inbound = { ...toInbound(tenant, request, yield* Clock.currentTimeMillis), pipeline: "queue" as const }
  const { messageId, outcome } = yield* acceptRequest(inbound)
  const ingested: ItemOutcome =
    outcome === "duplicate_of" || messageId === null
      ? { status: "duplicate", signalId: messageId === null ? null : signalIdOf(messageId), failure: null }
      : { status: "accepted", signalId: signalIdOf(messageId), failure: null }
  return ingested
})

const outcomeOf = (tenant: Tenant, entry: BatchEntry) =>
  entry._tag === "Invalid"
    ? Effect.succeed(failed("invalid", entry.issues))
    : Effect.catchTag(ingestRequest(tenant, entry.request), "IdempotencyConflict", () =>
        Effect.succeed(failed("key_conflict"))
      )

/**
 * Ingests one request of a batch, and stores its outcome in the same unit of work. A defect in one request does not
 * affect the others.
 */
const ingestItem = Effect.fnUntraced(function* (
  tenant: Tenant,
  { batchId, tenantId }: Batch,
  entry: BatchEntry,
  index: number
) {
  const batches = yield* Batches
  const { atomically } = yield* Transactions
  const once = <E, R>(outcome: Effect.Effect<ItemOutcome, E, R>) =>
    atomically(
      tenantId,
      Effect.gen(function* () {
        if (yield* batches.hasItem(tenantId, batchId, index)) return
        yield* batches.addItem({ ...(yield* outcome), tenantId, batchId, index })
      })
    )
  yield* Effect.catchDefect(once(outcomeOf(tenant, entry)), (defect) =>
    Effect.andThen(
      log("batch.item_failed", { tenant: tenantId, batch: batchId, index }, Cause.die(defect)),
      once(Effect.succeed(failed("broken")))
    )
  )
})

const ingestAll = Effect.fnUntraced(function* (tenant: Tenant, batch: Batch, entries: ReadonlyArray<BatchEntry>) {
  const numbered = entries.map((entry, index) => ({ entry, index }))
  for (const lot of Arrays.chunksOf(numbered, atOnce)) {
    yield* Effect.forEach(lot, ({ entry, index }) => ingestItem(tenant, batch, entry, index), {
      concurrency: "unbounded",
      discard: true
    })
  }
})

/** Returns the outcome of each request of a batch. */
const answerOf = Effect.fnUntraced(function* (tenantId: string, batchId: BatchId) {
  const batches = yield* Batches
  const progress = yield* readBatchProgress(yield* batches.get(tenantId, batchId))
  return { ...progress, items: yield* batches.items(tenantId, batchId, progress.batch.total, null) }
})

/**
 * Ingests the requests of a batch as messages, which workers run through the pipeline. If the call is interrupted, the
 * ingested requests stay. When the client repeats the batch with the same key, the missing requests are ingested and
 * all outcomes are returned.
 */
export const ingestBatch = Effect.fnUntraced(function* (request: BatchRequest) {
  const { plan, tenantId } = request.tenant
  if (!includesPlan(plan, batchPlan)) {
    return yield* new PlanRestricted({ tenantId, plan, needed: batchPlan, what: "Batches" })
  }
  const { batch, replayed } = yield* (yield* Transactions).atomically(tenantId, begin(request))
  yield* ingestAll(request.tenant, batch, request.entries)
  return { ...(yield* answerOf(tenantId, batch.batchId)), replayed }
}, withSpan("ingestBatch"))
