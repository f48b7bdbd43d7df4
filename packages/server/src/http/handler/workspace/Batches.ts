import { Api } from "@leadloom/api/internal/Api"
import { batchToJson } from "@leadloom/api/internal/workspace/Batches"
import type * as Wire from "@leadloom/api/internal/workspace/Batches"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import type { BatchItem, ItemFailure } from "@leadloom/core/internal/domain/tenant/Batch"
import { type ItemResult, listBatches, readBatch } from "@leadloom/core/internal/workflow/pipeline/ReadBatch"
import { type BatchEntry, ingestBatch } from "@leadloom/core/internal/workflow/pipeline/IngestBatch"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { fingerprintOf, withIdempotencyKey } from "../../middleware/Idempotency.ts"
import { requestFromJson, resultToJson } from "../../json/PipelineJson.ts"
import { idempotencyKeyOf, setReplayHeader } from "../../middleware/SendAnswer.ts"
import { fieldIssues } from "../../validation/SchemaIssues.ts"

/** The default number of entries per page. */
const defaultPageSizes = { batches: 20, items: 50 }

/**
 * Returns a request, or its issues. An issue states the expected value. It never contains the received value, because
 * invalid input is not stored.
 */
const entryOf = (place: Wire.BatchPlace): BatchEntry =>
  place._tag === "Request"
    ? { _tag: "Request", request: withIdempotencyKey(requestFromJson(place.request), place.request.idempotency_key) }
    : { _tag: "Invalid", issues: fieldIssues(place.issue) }

/** FROZEN as long as a key is stored. The fingerprint of an invalid request is computed from its issues. */
const fingerprintOfBatch = (entries: ReadonlyArray<BatchEntry>): string =>
  fingerprintOf(
    entries.map((entry) => {
      if (entry._tag === "Invalid") return entry
      const { fingerprint: _, ...request } = entry.request
      return { _tag: entry._tag, request }
    })
  )

const failures: Readonly<Record<ItemFailure["reason"], Pick<typeof Wire.BatchItemError.Type, "code" | "message">>> = {
  invalid: { code: "BAD_REQUEST", message: "This request does not match the contract." },
  cap_reached: {
    code: "USAGE_LIMIT_REACHED",
    message: "This month's actions are used up. Send the request again with a larger plan or next month."
  },
  key_conflict: {
    code: "IDEMPOTENCY_CONFLICT",
    message: "This idempotency_key was used for another request. Use a new key."
  },
  broken: { code: "INTERNAL", message: "The server failed to process this request. See the server's log." }
}

const errorToJson = ({ issues, reason }: ItemFailure, index: number): typeof Wire.BatchItemError.Type => ({
  ...failures[reason],
  details: issues.map(({ message, path }) => ({
    path: path === "" ? `items.${index}` : `items.${index}.${path}`,
    message
  }))
})

const itemToJson = ({ failure, index, signalId, status }: BatchItem): typeof Wire.BatchItem.Type => ({
  index,
  status,
  signal_id: signalId,
  error: orNull(failure, (reason) => errorToJson(reason, index))
})

const resultsToJson = ({ item, run, state }: ItemResult): typeof Wire.BatchItemResult.Type => ({
  ...itemToJson(item),
  state,
  result: orNull(run, (done) => resultToJson(done.signalId, done))
})

/** Endpoints that accept many messages for the pipeline in one request. */
export const layer = HttpApiBuilder.group(Api, "batches", (handlers) =>
  handlers.handleAll({
    create: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenant = yield* answer((yield* Tenants).get(params.tenant_id))
      const entries = payload.items.map(entryOf)
      const idempotencyKey = yield* idempotencyKeyOf(headers)
      const fingerprint = fingerprintOfBatch(entries)
      const accepted = yield* answer(ingestBatch({ tenant, entries, idempotencyKey, fingerprint }))
      if (accepted.replayed) yield* setReplayHeader
      return { ...batchToJson(accepted), items: accepted.items.map(({ item }) => itemToJson(item)) }
    }),
    list: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSizes.batches } }) {
      const { items, nextCursor } = yield* answer(listBatches(params.tenant_id, { limit, cursor }))
      return { batches: items.map(batchToJson), next_cursor: nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSizes.items } }) {
      const read = yield* answer(readBatch(params.tenant_id, params.batch_id, { limit, cursor }))
      return { ...batchToJson(read), items: read.items.map(resultsToJson), next_cursor: read.nextCursor }
    })
  })
)
