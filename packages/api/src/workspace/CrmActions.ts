import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActionValidation, Gate, gate, WorkflowAuthorization } from "../Access.ts"
import {
  ActionFailed,
  AiLimitReached,
  Conflict,
  HipaaRestricted,
  IdempotencyConflict,
  IdempotencyInProgress,
  NotFound,
  ProviderError,
  UsageLimitReached
} from "../errors.ts"
import { IdempotencyKey, Metadata, open, text } from "../schema/Field.ts"

/** The request of a HighLevel workflow to a custom action. Additional fields are ignored. */
export const CrmActionRequest = open({
  data: Schema.optionalKey(Schema.NullOr(Metadata)).annotate({
    description: "The fields of the action with the workflow's values"
  }),
  extras: open({
    locationId: text(128).annotate({ description: "The CRM's id of the location" }),
    contactId: text(128).annotate({ description: "The CRM's id of the contact" }),
    workflowId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
      description: "The CRM's id of the workflow; null: none"
    })
  }).annotate({ description: "The location and the contact of the workflow" }),
  meta: Schema.optionalKey(Schema.Unknown).pipe(
    Schema.annotateKey({ description: "Further data of the workflow; ignored" })
  )
}).annotate({
  identifier: "CrmActionRequest",
  description: "The request of a CRM workflow to a custom action. Additional fields are ignored"
})

const Value = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))

/** The response of an action. It has no nested objects, because each field becomes a variable of the workflow. */
export const CrmActionResult = Schema.Record(Schema.String, Value).annotate({
  identifier: "CrmActionResult",
  description:
    "The values that the action returns to the workflow. It has no nested objects, because each field becomes a variable of the workflow"
})

const about = {
  params: {
    action_key: Schema.String.annotate({
      description: "create_or_update_contact, add_tag, score_lead, run_pipeline, send_message or create_task"
    })
  },
  headers: IdempotencyKey,
  payload: CrmActionRequest,
  success: CrmActionResult,
  error: [
    ActionFailed,
    NotFound,
    Conflict,
    IdempotencyConflict,
    IdempotencyInProgress,
    HipaaRestricted,
    ProviderError,
    UsageLimitReached,
    AiLimitReached
  ] as const
}

export const CrmActionsGroup = HttpApiGroup.make("crmActions")
  .add(
    HttpApiEndpoint.post("run", "/actions/crm/:action_key", about)
      .annotate(OpenApi.Summary, "Run an action of a CRM workflow for its contact")
      .annotate(
        OpenApi.Description,
        "For custom actions of CRM workflows. The location must be assigned to a tenant; its id alone does not authenticate."
      )
      .annotate(Gate, gate("crmActions.run", { limiter: "none", idempotency: "repeatable" })),
    HttpApiEndpoint.post("runAlias", "/actions/:action_key", about)
      .annotate(OpenApi.Summary, "Run an action of a CRM workflow; former path")
      .annotate(OpenApi.Deprecated, true)
      .annotate(
        OpenApi.Description,
        "Use `POST /api/v1/actions/crm/{action_key}`, which has the same body and the same response."
      )
      .annotate(Gate, gate("crmActions.runAlias", { limiter: "none", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "CRM actions", description: "Actions for workflows of the CRM" }))
  .middleware(ActionValidation)
  .middleware(WorkflowAuthorization)
  .prefix("/api/v1")
