import { Operator } from "@leadloom/core/internal/domain/rule/Operator"
import { Comparison } from "@leadloom/core/internal/domain/rule/Condition"
import { Classification } from "@leadloom/core/internal/domain/classification/Classification"
import { Action, maxRules, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { RuleChange } from "@leadloom/core/internal/domain/rule/RuleList"
import { Trigger } from "@leadloom/core/internal/domain/rule/Trigger"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { CommentQuery } from "./Config.ts"
import { BadRequest, Conflict, keyErrors, NotFound, PreconditionFailed } from "../errors.ts"
import { IdempotencyKey, TenantPath, text, IfMatch } from "../schema/Field.ts"
import { tenantId } from "../schema/Ids.ts"
import { Reply } from "../schema/PipelineFields.ts"
import { RuleStory } from "../schema/Runs.ts"
import { pipelineMessage } from "../workspace/Pipeline.ts"

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

const CatalogueAction = Schema.Struct({
  ...item,
  needs_message: needsMessage,
  example: Action.pipe(Schema.annotateKey({ description: "A valid action" }))
}).annotate({
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

const version = Schema.Int.annotate({
  description: "The version of the configuration that contains the rules; it is also the ETag"
})

const RuleSet = Schema.Struct({
  tenant_id: tenantId,
  version,
  rules: Schema.Array(Rule).annotate({
    description: "The rules in the order in which they run, including disabled ones"
  })
}).annotate({ identifier: "RuleSet", description: "The rules of the tenant" })

export const StoredRule = Schema.Struct({
  tenant_id: tenantId,
  version,
  rule: Rule.pipe(Schema.annotateKey({ description: "The rule" }))
}).annotate({ identifier: "StoredRule", description: "A rule in a version of the configuration" })

const { actions, enabled, name, priority, when } = Rule.fields

export const UpdateRule = Schema.Struct({
  name: Schema.optionalKey(name),
  priority: Schema.optionalKey(priority),
  enabled,
  trigger: Schema.optionalKey(Schema.NullOr(Trigger)).annotate({
    description: "The event to which the rule reacts; null: `message_received`"
  }),
  when: Schema.optionalKey(when),
  actions: Schema.optionalKey(actions)
}).annotate({
  identifier: "UpdateRule",
  description:
    "The fields to change. Absent fields stay; a condition, a trigger and the actions are replaced as a whole"
}) satisfies Schema.Codec<RuleChange>

const RuleOrder = Schema.Struct({
  rule_ids: Schema.Array(text(64)).check(Schema.isMaxLength(maxRules)).annotate({
    description: "The ids of all rules in the wanted order, including disabled rules"
  })
}).annotate({ identifier: "RuleOrder", description: "The wanted order of the rules" })

const { contact, channel, message, metadata, source } = pipelineMessage

export const TestRule = Schema.Struct({
  rule_id: Schema.optionalKey(text(64)).annotate({ description: "The id of a stored rule" }),
  rule: Schema.optionalKey(Rule).annotate({ description: "A rule that is not saved, instead of `rule_id`" }),
  message_id: Schema.optionalKey(text(255)).annotate({
    description: "A stored message: its id, or its signal_id. Its run must have ended"
  }),
  message: Schema.optionalKey(message).annotate({
    description: "The text of a message that is not stored, instead of `message_id`"
  }),
  contact_id: Schema.optionalKey(text(255)).annotate({
    description:
      "A contact (`con_…`), for a rule with another trigger than `message_received`, instead of a message. The condition is evaluated for the contact as it is now; the test does not check whether the event of the trigger has happened"
  }),
  contact,
  channel,
  source,
  metadata,
  classification: Schema.optionalKey(
    Classification.annotate({ identifier: "ModelClassification", description: "A classification by the model" })
  ).annotate({
    description: "An earlier answer of the language model about `message`. With it, no model is called"
  })
}).annotate({ identifier: "TestRule", description: "A rule, and the message or contact to test it on" })

const TestedAction = Schema.Struct({
  action: Action.pipe(Schema.annotateKey({ description: "The action, with rendered titles, tags and names" })),
  text: Schema.NullOr(Schema.String).annotate({
    description: "The rendered message of the action; null: it has none"
  }),
  failure: Schema.NullOr(Schema.String).annotate({
    description: "Why a run would not carry out the action; null: it would"
  })
}).annotate({ identifier: "TestedAction", description: "An action that a run would carry out" })

export const RuleTest = Schema.Struct({
  ...RuleStory.fields,
  enabled: Schema.Boolean.annotate({
    description: "Whether the rule is enabled. The test treats every rule as enabled"
  }),
  actions: Schema.Array(TestedAction).annotate({
    description: "The actions that a run would carry out; empty unless the rule matches"
  }),
  reply: Schema.NullOr(Reply).annotate({
    description: "The reply that the rule requests; null: none, or a guardrail blocks it"
  }),
  facts: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The facts that the rule could compare, by name"
  })
}).annotate({ identifier: "RuleTest", description: "The result of a rule for one message or contact" })

const RulePath = {
  ...TenantPath,
  rule_id: Schema.String.annotate({ description: "The id of the rule" })
}

const changing = [BadRequest, NotFound, Conflict, PreconditionFailed] as const

const eachIsAVersion =
  "The rules are a part of the configuration, so each change creates a version of it. Without `If-Match`, concurrent changes of different rules all succeed."

const reading = HttpApiGroup.make("rules").add(
  HttpApiEndpoint.get("catalogue", "/tenants/:tenant_id/rules/catalogue", {
    params: TenantPath,
    success: RuleCatalogue,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "List the facts, operators, triggers and actions of rules with their types and examples")
    .annotate(
      OpenApi.Description,
      "Derived from the schemas with which the server checks rules. The rules themselves: `GET /api/v1/config/{tenant_id}/rules`."
    )
    .annotate(Gate, gate("rules.catalogue", { limiter: "admin" })),
  HttpApiEndpoint.get("list", "/config/:tenant_id/rules", {
    params: TenantPath,
    success: RuleSet,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "List the rules in the order in which they run")
    .annotate(
      OpenApi.Description,
      "Rules run by `priority`, then in the order of the list. The ETag is the version of the configuration."
    )
    .annotate(Gate, gate("rules.list", { limiter: "admin" })),
  HttpApiEndpoint.get("get", "/config/:tenant_id/rules/:rule_id", {
    params: RulePath,
    success: StoredRule,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "Read a rule")
    .annotate(OpenApi.Description, "Percent-encode the id in the path. Send the ETag in `If-Match` of a change.")
    .annotate(Gate, gate("rules.get", { limiter: "admin" }))
)

/** An endpoint that enables or disables a rule. */
const switching = <const Name extends "enable" | "disable">(endpoint: Name, summary: string, description: string) =>
  HttpApiEndpoint.post(endpoint, `/config/:tenant_id/rules/:rule_id/${endpoint}`, {
    params: RulePath,
    headers: { ...IfMatch, ...IdempotencyKey },
    query: CommentQuery,
    success: StoredRule,
    error: [...changing, ...keyErrors]
  })
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)
    .annotate(Gate, gate(`rules.${endpoint}`, { limiter: "admin", idempotency: "unit" }))

export const RulesGroup = reading
  .add(
    HttpApiEndpoint.post("create", "/config/:tenant_id/rules", {
      params: TenantPath,
      headers: { ...IfMatch, ...IdempotencyKey },
      query: CommentQuery,
      payload: Rule,
      success: StoredRule.pipe(HttpApiSchema.status(201)),
      error: [...changing, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a rule")
      .annotate(OpenApi.Description, `${eachIsAVersion} 409: the tenant has a rule with this id.`)
      .annotate(Gate, gate("rules.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.patch("update", "/config/:tenant_id/rules/:rule_id", {
      params: RulePath,
      headers: IfMatch,
      query: CommentQuery,
      payload: UpdateRule,
      success: StoredRule,
      error: changing
    })
      .annotate(OpenApi.Summary, "Change a rule")
      .annotate(OpenApi.Description, `${eachIsAVersion} The id of a rule cannot change.`)
      .annotate(Gate, gate("rules.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", "/config/:tenant_id/rules/:rule_id", {
      params: RulePath,
      headers: IfMatch,
      query: CommentQuery,
      success: HttpApiSchema.NoContent,
      error: changing
    })
      .annotate(OpenApi.Summary, "Delete a rule")
      .annotate(OpenApi.Description, "Earlier versions of the configuration still contain the rule.")
      .annotate(Gate, gate("rules.delete", { limiter: "admin" })),
    switching("enable", "Enable a rule", "The rule takes part in the runs of later messages."),
    switching(
      "disable",
      "Disable a rule",
      "The rule stays in the list and takes no part in the runs of later messages."
    ),
    HttpApiEndpoint.put("reorder", "/config/:tenant_id/rule-order", {
      params: TenantPath,
      headers: IfMatch,
      query: CommentQuery,
      payload: RuleOrder,
      success: RuleSet,
      error: changing
    })
      .annotate(OpenApi.Summary, "Order the rules")
      .annotate(
        OpenApi.Description,
        "Afterwards the rules run in the order of the request. The priorities stay at their places: the first rule gets the lowest existing priority, the second one the next. 400: a rule is missing, unknown or listed twice."
      )
      .annotate(Gate, gate("rules.reorder", { limiter: "admin" })),
    HttpApiEndpoint.post("test", "/config/:tenant_id/rule-tests", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: TestRule,
      success: RuleTest,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Test one rule on one message or contact; nothing is stored or sent")
      .annotate(
        OpenApi.Description,
        "The rule is tested as if it were enabled and the tenant had no other rule. With `message`, a configured language model is called and counted. With `message_id`, the stored inputs and model answers are used; 409: the run has not recorded a value that the rule compares. With `contact_id`, a rule with another trigger is tested on a contact as it is now."
      )
      .annotate(Gate, gate("rules.test", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Rules", description: "The rules of a tenant, and their vocabulary" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
