import {
  Batch as BatchNoun,
  type BatchProgress as Progress,
  maxBatchItems
} from "@leadloom/core/internal/domain/tenant/Batch"
import { Effect, Option, Schema, type SchemaIssue, SchemaTransformation } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, FieldIssue, keyErrors, NotFound, PlanRestricted } from "../errors.ts"
import { IdempotencyKey, open, TenantPath, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { PipelineRequest, PipelineResult } from "./Pipeline.ts"

/** One request of a batch: a message for the pipeline, with its own idempotency key. */
export const BatchRequestItem = open({
  ...PipelineRequest.schema.fields,
  idempotency_key: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(255)))).annotate({
    description: "A repeated key returns the result of the first request with this key, in any batch"
  })
}).annotate({ identifier: "BatchRequestItem", description: "A message for the pipeline, with its own idempotency key" })

/** One item of a batch: a valid request, or the issue that makes it invalid. */
export type BatchPlace =
  | { readonly _tag: "Request"; readonly request: typeof BatchRequestItem.Type }
  | { readonly _tag: "Invalid"; readonly issue: SchemaIssue.Issue }

const isPlace = (value: unknown): value is BatchPlace => typeof value === "object" && value !== null && "_tag" in value

/** An invalid item is decoded to its issue. It therefore does not cause the rejection of the whole batch. */
const Place = BatchRequestItem.pipe(
  Schema.decodeTo(
    Schema.declare<BatchPlace>(isPlace),
    SchemaTransformation.transform({
      decode: (request): BatchPlace => ({ _tag: "Request", request }),
      encode: (place) => (place._tag === "Request" ? place.request : { message: "" })
    })
  ),
  Schema.catchDecoding((issue) => Effect.succeed(Option.some<BatchPlace>({ _tag: "Invalid", issue })))
)

export const BatchRequest = Schema.Struct({
  items: Schema.Array(Place)
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxBatchItems))
    .annotate({ description: `1 to ${maxBatchItems} requests` })
}).annotate({ identifier: "BatchRequest", description: "The messages of a batch" })

export const BatchItemError = Schema.Struct({
  code: Schema.Literals(["BAD_REQUEST", "USAGE_LIMIT_REACHED", "IDEMPOTENCY_CONFLICT", "INTERNAL"]).annotate({
    description: "The error code of this request"
  }),
  message: Schema.String.annotate({ description: "The reason for people" }),
  details: Schema.Array(FieldIssue).annotate({ description: "The invalid fields; empty for other errors" })
}).annotate({ identifier: "BatchItemError", description: "The reason why a request was not accepted" })

const itemFields = {
  index: Schema.Int.annotate({ description: "The position in the batch, from 0" }),
  status: Schema.Literals(["accepted", "duplicate", "failed"]).annotate({
    description: "The result of accepting the request"
  }),
  signal_id: Schema.NullOr(Schema.String).annotate({
    description: "The signal that the pipeline processes; null: the request was not accepted"
  }),
  error: Schema.NullOr(BatchItemError).annotate({
    description: "Why the request was not accepted; null: it was accepted"
  })
}

export const BatchItem = Schema.Struct(itemFields).annotate({
  identifier: "BatchItem",
  description: "The result of accepting one request"
})

export const BatchItemResult = Schema.Struct({
  ...itemFields,
  state: Schema.Literals(["queued", "running", "done", "failed"]).annotate({
    description: "The progress of the request in the pipeline"
  }),
  result: Schema.NullOr(PipelineResult).annotate({ description: "The result of the pipeline; null: not finished yet" })
}).annotate({ identifier: "BatchItemResult", description: "One request of a batch with its progress and result" })

const batch = wire(BatchNoun, null, { pick: ["batchId", "createdAt", "total"] })

const batchFields = {
  ...batch.schema.fields,
  status: Schema.Literals(["accepting", "running", "done"]).annotate({
    description: "accepting: the server has not examined all requests yet; done: processing has finished"
  }),
  accepted: Schema.Int.annotate({ description: "Requests that the server accepted" }),
  duplicates: Schema.Int.annotate({ description: "Requests that were accepted before under the same idempotency key" }),
  failed: Schema.Int.annotate({ description: "Requests that were not accepted" }),
  progress: Schema.Struct({
    queued: Schema.Int.annotate({ description: "Requests that wait for a worker" }),
    running: Schema.Int.annotate({ description: "Requests in progress" }),
    done: Schema.Int.annotate({ description: "Finished requests" }),
    failed: Schema.Int.annotate({ description: "Requests whose processing failed" })
  }).annotate({ description: "The number of requests in each state" })
}

export const Batch = Schema.Struct(batchFields).annotate({
  identifier: "Batch",
  description: "A batch and its progress"
})

/** Encodes a batch with its progress. */
export const batchToJson = ({ batch: record, counts, status }: Progress): typeof Batch.Type => ({
  ...batch.toJson(record),
  status,
  accepted: counts.accepted,
  duplicates: counts.duplicate,
  failed: counts.refused,
  progress: counts.progress
})

export const TakenBatch = Schema.Struct({
  ...batchFields,
  items: Schema.Array(BatchItem).annotate({
    description: "The results of accepting the requests, in the order of the batch"
  })
}).annotate({
  identifier: "TakenBatch",
  description: "A submitted batch"
})

export const BatchProgress = Schema.Struct({
  ...batchFields,
  items: Schema.Array(BatchItemResult).annotate({ description: "The requests of the batch with their results" }),
  next_cursor: nextCursor
}).annotate({ identifier: "BatchProgress", description: "A batch with a page of its requests" })

const page = (maximum: number, defaultSize: number) => ({
  limit: pageSize(maximum, defaultSize),
  cursor
})

export const BatchesGroup = HttpApiGroup.make("batches")
  .add(
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/pipeline/batch", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: BatchRequest,
      success: TakenBatch.pipe(HttpApiSchema.status(202)),
      error: [BadRequest, NotFound, PlanRestricted, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Submit many messages at once; workers process them in the background")
      // Decoding reports all issues of an item. Their number is small, because an item has few named fields and accepts
      // additional fields.
      .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
      .annotate(
        OpenApi.Description,
        "Requires the plan growth or scale. An invalid request does not reject the others; its item states the error."
      )
      .annotate(Gate, gate("batches.create", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/pipeline/batches", {
      params: TenantPath,
      query: page(50, 20),
      success: Schema.Struct({
        batches: Schema.Array(Batch).annotate({ description: "The batches, newest first" }),
        next_cursor: nextCursor
      }).annotate({
        identifier: "BatchPage",
        description: "A page of batches"
      }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List batches, newest first")
      .annotate(OpenApi.Description, "Shows the progress of each batch.")
      .annotate(Gate, gate("batches.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/pipeline/batch/:batch_id", {
      params: { ...TenantPath, batch_id: Schema.String.annotate({ description: "Batch id (`bat_…`)" }) },
      query: page(100, 50),
      success: BatchProgress,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Show the progress of a batch and the results of its requests")
      .annotate(OpenApi.Description, "Poll this operation until `status` is `done`.")
      .annotate(Gate, gate("batches.get", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Batches", description: "Submission of many messages at once" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
