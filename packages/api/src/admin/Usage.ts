import { plans } from "@leadloom/core/internal/domain/billing/Plan"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath, unstated } from "../schema/Field.ts"
import { tenantId } from "../schema/Ids.ts"

export const Plan = Schema.Literals(plans).annotate({
  identifier: "Plan",
  description: "A plan. It determines the monthly limits and the available operations"
})

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))

const Capped = Schema.Struct({
  used: Schema.Int.annotate({ description: "The uses in the month" }),
  cap: Schema.Int.annotate({ description: "The limit per month: of the plan, or the override for this tenant" })
}).annotate({ identifier: "CappedUsage", description: "A monthly usage with its limit" })

export const Usage = Schema.Struct({
  tenant_id: tenantId,
  plan: Plan,
  month: Schema.String.annotate({ description: "The month in UTC, as YYYY-MM" }),
  actions: Capped,
  ai_calls: Capped,
  ai_tokens: Schema.Struct({
    input: Schema.Int.annotate({ description: "Tokens that the model received" }),
    output: Schema.Int.annotate({ description: "Tokens that the model generated" })
  }).annotate({ description: "The tokens of model calls; they have no limit" })
}).annotate({ identifier: "Usage", description: "The usage of a tenant in one month" })

const SetCapped = Schema.Struct({
  used: Schema.optionalKey(Count).annotate({ description: "The uses in the month" }),
  cap: Schema.optionalKey(Schema.NullOr(Count)).annotate({
    description: "null removes the override, so that the limit of the plan applies again"
  })
}).annotate({ identifier: "SetCappedUsage", description: "A usage or a limit to set" })

const names = (value: { readonly [key: string]: object | undefined }): boolean =>
  Object.values(value).some((part) => part !== undefined && Object.keys(part).length > 0)

export const SetUsage = Schema.Struct({
  actions: Schema.optionalKey(SetCapped).pipe(Schema.annotateKey({ description: "Standalone and workflow actions" })),
  ai_calls: Schema.optionalKey(SetCapped).pipe(Schema.annotateKey({ description: "Calls of the language model" })),
  ai_tokens: Schema.optionalKey(
    Schema.Struct({
      input: Schema.optionalKey(Count).annotate({ description: "Tokens that the model received" }),
      output: Schema.optionalKey(Count).annotate({ description: "Tokens that the model generated" })
    })
  ).annotate({ description: "The tokens of model calls" })
})
  .check(
    Schema.makeFilter((value) => names(value), {
      ...unstated,
      message: "Expected at least one value to set, for example actions.cap"
    })
  )
  .annotate({ identifier: "SetUsage", description: "The values to set; at least one. Absent values stay" })

const query = {
  month: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{4}-(?:0[1-9]|1[0-2])$/u, { message: "Expected a month such as 2026-03" }))
  ).annotate({ description: "The month in UTC, as YYYY-MM; default: the current month" })
}

export const UsageGroup = HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("get", "/usage/:tenant_id", {
      params: TenantPath,
      query,
      success: Usage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Show how much of its plan a tenant has used in a month")
      .annotate(OpenApi.Description, "The month starts at midnight UTC on its first day.")
      .annotate(Gate, gate("usage.get", { limiter: "admin" })),
    HttpApiEndpoint.put("set", "/usage/:tenant_id", {
      params: TenantPath,
      query,
      payload: SetUsage,
      success: Usage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Set what a tenant has used in a month, and caps in place of its plan's")
      .annotate(OpenApi.Description, "For corrections and individual agreements. Absent values stay.")
      .annotate(Gate, gate("usage.set", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Usage", description: "Limits of plans and their usage" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
