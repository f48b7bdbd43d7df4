import { Macro as Noun, maxMacros } from "@leadloom/core/internal/domain/rule/Macro"
import { RunAction as RunActionNoun } from "@leadloom/core/internal/domain/run/Run"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { changeRequest, wire } from "../schema/Wire.ts"

export const { schema: Macro, toJson: macroToJson } = wire(Noun, "Macro", {
  description: "Several actions under one name, which a person carries out in a conversation",
  id: "macroId",
  omit: ["tenantId"]
})

export const { fromJson: macroChangeOf, schema: UpdateMacro } = changeRequest(
  Noun,
  "UpdateMacro",
  "The fields to change. Absent fields stay",
  { name: {}, actions: {} }
)

export const CreateMacro = Schema.Struct({ name: Noun.fields.name, actions: Noun.fields.actions }).annotate({
  identifier: "CreateMacro",
  description: "A new macro"
})

export const { schema: MacroOutcome, toJson: macroOutcomeToJson } = wire(RunActionNoun, "MacroOutcome", {
  description: "An action of a macro with its result",
  omit: ["ruleId"]
})

export const MacroRun = Schema.Struct({
  macro_id: Schema.String.annotate({ description: "Macro id (`mac_…`)" }),
  contact_id: contactId,
  actions: Schema.Array(MacroOutcome).annotate({ description: "The result of each action, in the order of the macro" })
}).annotate({ identifier: "MacroRun", description: "The result of a macro in one conversation" })

const MacroPath = { ...TenantPath, macro_id: Schema.String.annotate({ description: "Macro id (`mac_…`)" }) }

export const MacrosGroup = HttpApiGroup.make("macros")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/macros", {
      params: TenantPath,
      success: Schema.Struct({
        macros: Schema.Array(Macro).annotate({ description: `The macros, oldest first; at most ${maxMacros}` })
      }).annotate({ identifier: "Macros", description: "The macros of a tenant" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List macros")
      .annotate(Gate, gate("macros.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/macros", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateMacro,
      success: Macro.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a macro")
      .annotate(
        OpenApi.Description,
        "The actions are those of rules, except `reply`, `suppress_reply` and `stop`. Templates are checked."
      )
      .annotate(Gate, gate("macros.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/macros/:macro_id", {
      params: MacroPath,
      success: Macro,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a macro")
      .annotate(Gate, gate("macros.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/macros/:macro_id", {
      params: MacroPath,
      payload: UpdateMacro,
      success: Macro,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change a macro")
      .annotate(Gate, gate("macros.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", "/tenants/:tenant_id/macros/:macro_id", {
      params: MacroPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete a macro")
      .annotate(Gate, gate("macros.delete", { limiter: "admin" })),
    HttpApiEndpoint.post("run", "/tenants/:tenant_id/macros/:macro_id/run", {
      params: MacroPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({ contact_id: contactId }).annotate({
        identifier: "RunMacro",
        description: "The contact in whose conversation the macro runs"
      }),
      success: MacroRun,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Carry out the actions of a macro in a conversation")
      .annotate(
        OpenApi.Description,
        "All effects are stored together or not at all. An action without an effect is `skipped` with its reason. Actions on a lead concern the newest lead that is not won."
      )
      .annotate(Gate, gate("macros.run", { limiter: "admin", idempotency: "steps" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Macros", description: "Several actions under one name" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
