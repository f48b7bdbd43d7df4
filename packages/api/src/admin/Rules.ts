import { Operator } from "@leadloom/core/internal/domain/rule/Operator"
import { Comparison } from "@leadloom/core/internal/domain/rule/Condition"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { NotFound } from "../errors.ts"
import { TenantPath } from "../schema/Field.ts"

const FactType = Schema.Literals(["string", "number", "boolean", "list"])

const needsMessage = Schema.Boolean.annotate({
  description: "true: only rules with the trigger `message_received` can use it"
})

const Fact = Schema.Struct({
  name: Schema.String.annotate({ description: "The name for `fact` in a comparison" }),
  type: FactType.annotate({ description: "The type of the value. `list`: a list of texts" }),
  description: Schema.String.annotate({ description: "The meaning of the fact" }),
  values: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "The possible values; null: any value of the type"
  }),
  operators: Schema.Array(Operator).annotate({ description: "The operators that compare the fact" }),
  needs_message: needsMessage
}).annotate({ identifier: "RuleFact", description: "A fact that a rule can compare" })

const OperatorOfType = Schema.Struct({
  name: Operator.annotate({ description: "The name for `op` in a comparison" }),
  type: FactType.annotate({ description: "The type of the facts" }),
  description: Schema.String.annotate({ description: "When the comparison is true" }),
  value: Schema.String.annotate({ description: "The accepted values, for people" }),
  example: Comparison.pipe(Schema.annotateKey({ description: "A valid comparison" }))
}).annotate({ identifier: "RuleOperator", description: "An operator for facts of one type" })

const item = {
  type: Schema.String.annotate({ description: "The value of `type`" }),
  description: Schema.String.annotate({ description: "The effect or the event" }),
  schema: Schema.Json.annotate({ description: "The fields, as a JSON Schema (draft 2020-12)" })
}

const CatalogueAction = Schema.Struct({ ...item, needs_message: needsMessage }).annotate({
  identifier: "RuleActionType",
  description: "An action that a rule can have. `crm_action` is listed once for each operation in the CRM"
})

const CatalogueTrigger = Schema.Struct(item).annotate({
  identifier: "RuleTriggerType",
  description: "An event to which a rule can react"
})

export const RuleCatalogue = Schema.Struct({
  facts: Schema.Array(Fact).annotate({
    description:
      "The facts, with those of the tenant's custom fields. In addition, `metadata.<key>` is a value that the sender of the message set"
  }),
  operators: Schema.Array(OperatorOfType).annotate({
    description: "The operators, once for each type of fact that they compare"
  }),
  triggers: Schema.Array(CatalogueTrigger).annotate({ description: "The triggers" }),
  actions: Schema.Array(CatalogueAction).annotate({ description: "The actions" })
}).annotate({ identifier: "RuleCatalogue", description: "The vocabulary of rules, for programs that write rules" })

export const RulesGroup = HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("catalogue", "/tenants/:tenant_id/rules/catalogue", {
      params: TenantPath,
      success: RuleCatalogue,
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "List the facts, operators, triggers and actions of rules with their types and examples"
      )
      .annotate(
        OpenApi.Description,
        "Derived from the schemas with which the server checks rules. The rules themselves are a part of the configuration: `GET /api/v1/config/{tenant_id}`."
      )
      .annotate(Gate, gate("rules.catalogue", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Rules", description: "The vocabulary of rules" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
