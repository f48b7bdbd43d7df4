import { GuardRecord as GuardRecordNoun } from "@leadloom/core/internal/domain/guardrail/GuardRecord"
import { Guardrail, guardOutcomes, maxGuardrails } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound, PreconditionFailed } from "../errors.ts"
import { IfMatch, TenantPath, text, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { tenantId } from "../schema/Ids.ts"

const Outcome = Schema.Literals(guardOutcomes)

/** A kind of guardrail. The schema accepts any string, because stored results may name a kind that no longer exists. */
const Kind = Schema.String.annotate({ description: "The kind of the guardrail, for example `quiet_hours`" })

const GuardrailSet = Schema.Struct({
  tenant_id: tenantId,
  version: Schema.Int.annotate({ description: "The version of the configuration that contains the guardrails" }),
  guardrails: Schema.Array(Guardrail).annotate({ description: "The guardrails in the order of their evaluation" })
}).annotate({ identifier: "GuardrailSet", description: "The guardrails of the tenant" })

const ids = Schema.optionalKey(Schema.Array(text(64)).check(Schema.isMaxLength(maxGuardrails)))
const list = Schema.optionalKey(Schema.Array(Guardrail).check(Schema.isMaxLength(maxGuardrails)))

export const GuardrailsPatch = Schema.Struct({
  guardrails: list.annotate({
    description: "The complete list, which replaces the current one; cannot be combined with other fields"
  }),
  upsert: list.annotate({
    description: "Guardrails to add. A guardrail with an existing id replaces the existing guardrail"
  }),
  remove: ids.annotate({ description: "The ids of guardrails to remove" }),
  enable: ids.annotate({ description: "The ids of guardrails to enable" }),
  disable: ids.annotate({ description: "The ids of guardrails to disable; they stay in the list" })
}).annotate({ identifier: "GuardrailsPatch", description: "Changes of the list of guardrails" })

export const { schema: GuardEvaluation, toJson: recordToJson } = wire(GuardRecordNoun, "GuardEvaluation", {
  description: "The result of one guardrail for one reply",
  id: "evaluationId",
  omit: ["tenantId"],
  schemas: { kind: Kind }
})

const Counts = Schema.Struct({
  allow: Schema.Int.annotate({ description: "Evaluations that allowed the reply" }),
  require_approval: Schema.Int.annotate({ description: "Evaluations that required approval" }),
  block: Schema.Int.annotate({ description: "Evaluations that blocked the reply" })
}).annotate({
  identifier: "GuardCounts",
  description: "The evaluations by outcome"
})

const Stats = Schema.Struct({
  from: Schema.String.annotate({ description: "The first day of the period in UTC, as YYYY-MM-DD" }),
  to: Schema.String.annotate({ description: "The current day in UTC, inclusive" }),
  evaluations: Schema.Int.annotate({ description: "The number of evaluations; a reply has one per enabled guardrail" }),
  outcomes: Counts.pipe(Schema.annotateKey({ description: "The evaluations of all guardrails" })),
  guardrails: Schema.Array(
    Schema.Struct({
      guardrail_id: Schema.String.annotate({ description: "The id of the guardrail" }),
      kind: Kind,
      outcomes: Counts.pipe(Schema.annotateKey({ description: "The evaluations of this guardrail" }))
    })
  ).annotate({ description: "The evaluations by guardrail" })
}).annotate({ identifier: "GuardStats", description: "The outcomes of the guardrails in a period" })

const filters = {
  guardrail_id: Schema.optionalKey(Schema.String).annotate({ description: "Only evaluations of this guardrail" }),
  outcome: Schema.optionalKey(Outcome).annotate({ description: "Only evaluations with this outcome" }),
  contact_id: Schema.optionalKey(Schema.String).annotate({ description: "Only replies to this contact" })
}

const reading = HttpApiGroup.make("guardrails").add(
  HttpApiEndpoint.get("active", "/guardrails/:tenant_id/active", {
    params: TenantPath,
    success: GuardrailSet,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "List the enabled guardrails in the order of their evaluation")
    .annotate(OpenApi.Description, "Disabled guardrails are not listed.")
    .annotate(Gate, gate("guardrails.active", { limiter: "admin" })),
  HttpApiEndpoint.get("audit", "/guardrails/:tenant_id/audit", {
    params: TenantPath,
    query: {
      ...filters,
      cursor,
      limit: pageSize(250, 50)
    },
    success: Schema.Struct({
      evaluations: Schema.Array(GuardEvaluation).annotate({ description: "The evaluations, newest first" }),
      next_cursor: nextCursor
    }).annotate({ identifier: "GuardAudit", description: "A page of guardrail results" }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "List the guardrail results of replies, newest first")
    .annotate(OpenApi.Description, "Each evaluation of a guardrail is stored, including those that allowed the reply.")
    .annotate(Gate, gate("guardrails.audit", { limiter: "admin" })),
  HttpApiEndpoint.get("stats", "/guardrails/:tenant_id/stats", {
    params: TenantPath,
    query: {
      days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 366 }))).annotate({
        description: "The number of days up to the current day, in UTC. Default: 30"
      })
    },
    success: Stats,
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "Count the outcomes of each guardrail")
    .annotate(OpenApi.Description, "Counts the stored evaluations of the last days.")
    .annotate(Gate, gate("guardrails.stats", { limiter: "admin" })),
  HttpApiEndpoint.get("export", "/guardrails/:tenant_id/export", {
    params: TenantPath,
    query: {
      ...filters,
      format: Schema.optionalKey(Schema.Literals(["json", "csv"])).annotate({ description: "Default: json" })
    },
    success: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "Export the audit as a JSON array or as CSV that is safe to open in a spreadsheet")
    .annotate(OpenApi.Description, "Contains all evaluations that match the filters, without pages.")
    .annotate(Gate, gate("guardrails.export", { limiter: "admin" }))
)

export const GuardrailsGroup = reading
  .add(
    HttpApiEndpoint.patch("update", "/guardrails/:tenant_id", {
      params: TenantPath,
      headers: IfMatch,
      payload: GuardrailsPatch,
      success: GuardrailSet,
      error: [BadRequest, NotFound, Conflict, PreconditionFailed]
    })
      .annotate(OpenApi.Summary, "Change the guardrails, which creates a new version of the configuration")
      .annotate(
        OpenApi.Description,
        "Either send the complete list in `guardrails`, or combine upsert, remove, enable and disable."
      )
      .annotate(Gate, gate("guardrails.update", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Guardrails", description: "Limits on generated replies, and their results" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
