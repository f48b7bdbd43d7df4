import { GuardRecord as GuardRecordNoun } from "@leadloom/core/domain/guardrail/GuardRecord"
import { Guardrail, guardOutcomes, maxGuardrails } from "@leadloom/core/domain/guardrail/Guardrail"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { IfMatch } from "./Config.ts"
import { BadRequest, Conflict, NotFound, PreconditionFailed } from "../errors.ts"
import { TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

const Outcome = Schema.Literals(guardOutcomes)

/** A kind of guardrail. The schema accepts any string, because stored results may name a kind that no longer exists. */
const Kind = Schema.String

const GuardrailSet = Schema.Struct({
  tenant_id: Schema.String,
  version: Schema.Int.annotate({ description: "The version of the configuration that contains the guardrails" }),
  guardrails: Schema.Array(Guardrail)
}).annotate({ identifier: "GuardrailSet" })

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
}).annotate({ identifier: "GuardrailsPatch" })

export const { schema: GuardEvaluation, toJson: recordToJson } = wire(GuardRecordNoun, "GuardEvaluation", {
  id: "evaluationId",
  omit: ["tenantId"],
  schemas: { kind: Kind }
})

const Counts = Schema.Struct({ allow: Schema.Int, require_approval: Schema.Int, block: Schema.Int }).annotate({
  identifier: "GuardCounts"
})

const Stats = Schema.Struct({
  from: Schema.String,
  to: Schema.String.annotate({ description: "The current day in UTC, inclusive" }),
  evaluations: Schema.Int,
  outcomes: Counts,
  guardrails: Schema.Array(Schema.Struct({ guardrail_id: Schema.String, kind: Kind, outcomes: Counts }))
}).annotate({ identifier: "GuardStats" })

const filters = {
  guardrail_id: Schema.optionalKey(Schema.String),
  outcome: Schema.optionalKey(Outcome),
  contact_id: Schema.optionalKey(Schema.String)
}

const reading = HttpApiGroup.make("guardrails").add(
  HttpApiEndpoint.get("active", "/guardrails/:tenant_id/active", {
    params: TenantPath,
    success: GuardrailSet,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "List the enabled guardrails in the order of their evaluation")
    .annotate(Gate, gate("guardrails.active", { limiter: "admin" })),
  HttpApiEndpoint.get("audit", "/guardrails/:tenant_id/audit", {
    params: TenantPath,
    query: {
      ...filters,
      cursor: Schema.optionalKey(Schema.String),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 250 })))
    },
    success: Schema.Struct({
      evaluations: Schema.Array(GuardEvaluation),
      next_cursor: Schema.NullOr(Schema.String)
    }).annotate({ identifier: "GuardAudit" }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "List the guardrail results of replies, newest first")
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
      .annotate(Gate, gate("guardrails.update", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Guardrails", description: "Limits on generated replies, and their results" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
