import { plans } from "@leadloom/core/domain/billing/Plan"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath } from "../schema/Field.ts"

export const Plan = Schema.Literals(plans).annotate({ identifier: "Plan" })

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))

const Capped = Schema.Struct({ used: Schema.Int, cap: Schema.Int }).annotate({ identifier: "CappedUsage" })

export const Usage = Schema.Struct({
  tenant_id: Schema.String,
  plan: Plan,
  month: Schema.String.annotate({ description: "The month in UTC, as YYYY-MM" }),
  actions: Capped,
  ai_calls: Capped,
  ai_tokens: Schema.Struct({ input: Schema.Int, output: Schema.Int })
}).annotate({ identifier: "Usage" })

const SetCapped = Schema.Struct({
  used: Schema.optionalKey(Count),
  cap: Schema.optionalKey(Schema.NullOr(Count)).annotate({
    description: "null removes the override, so that the limit of the plan applies again"
  })
}).annotate({ identifier: "SetCappedUsage" })

const names = (value: { readonly [key: string]: object | undefined }): boolean =>
  Object.values(value).some((part) => part !== undefined && Object.keys(part).length > 0)

export const SetUsage = Schema.Struct({
  actions: Schema.optionalKey(SetCapped),
  ai_calls: Schema.optionalKey(SetCapped),
  ai_tokens: Schema.optionalKey(Schema.Struct({ input: Schema.optionalKey(Count), output: Schema.optionalKey(Count) }))
})
  .check(
    Schema.makeFilter((value) => names(value), {
      message: "Expected at least one value to set, for example actions.cap"
    })
  )
  .annotate({ identifier: "SetUsage" })

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
      .annotate(Gate, gate("usage.get", { limiter: "admin" })),
    HttpApiEndpoint.put("set", "/usage/:tenant_id", {
      params: TenantPath,
      query,
      payload: SetUsage,
      success: Usage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Set what a tenant has used in a month, and caps in place of its plan's")
      .annotate(Gate, gate("usage.set", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Usage", description: "Limits of plans and their usage" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
