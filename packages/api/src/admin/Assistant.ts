import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath, text, Timestamp } from "../schema/Field.ts"

const fields = {
  prefix: Schema.NullOr(Schema.String).annotate({
    description: "The beginning of the secret, to recognise it by; null: none has been made"
  }),
  retell: Schema.Boolean.annotate({ description: "Whether a key of Retell's is set" }),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const VoiceAssistant = Schema.Struct(fields).annotate({ identifier: "VoiceAssistant" })

export const AssistantSecret = Schema.Struct({
  ...fields,
  secret: Schema.String.annotate({ description: "The whole secret, for X-Assistant-Secret. Shown once." })
}).annotate({ identifier: "AssistantSecret" })

export const SetRetellKey = Schema.Struct({
  api_key: text(200).annotate({ description: "The API key that has the webhook badge at Retell; kept sealed" })
}).annotate({ identifier: "SetRetellKey" })

export const AssistantGroup = HttpApiGroup.make("assistant")
  .add(
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/assistant", {
      params: TenantPath,
      success: VoiceAssistant,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "By what the tenant's voice assistants prove themselves, without the secrets")
      .annotate(Gate, gate("assistant.get", { limiter: "admin" })),
    HttpApiEndpoint.put("makeSecret", "/tenants/:tenant_id/assistant/secret", {
      params: TenantPath,
      success: AssistantSecret,
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "Make the secret with which voice assistants call /voice/assistant/{tenant_id}/tools; the one before it is over"
      )
      .annotate(Gate, gate("assistant.makeSecret", { limiter: "admin" })),
    HttpApiEndpoint.put("setRetellKey", "/tenants/:tenant_id/assistant/retell-key", {
      params: TenantPath,
      payload: SetRetellKey,
      success: VoiceAssistant,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Set the key that Retell signs its requests with")
      .annotate(Gate, gate("assistant.setRetellKey", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/tenants/:tenant_id/assistant", {
      params: TenantPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Close the tool to every voice assistant of the tenant")
      .annotate(Gate, gate("assistant.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Voice assistant", description: "Who may call the assistant's tools" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
