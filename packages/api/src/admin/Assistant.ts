import { AssistantAccess } from "@leadloom/core/internal/domain/assistant/AssistantAccess"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath, text } from "../schema/Field.ts"
import { computed, wire } from "../schema/Wire.ts"

export const { schema: VoiceAssistant, toJson: assistantToJson } = wire(AssistantAccess, "VoiceAssistant", {
  description: "The authentication methods of the tenant's voice assistants",
  pick: ["prefix", "createdAt", "updatedAt"],
  computed: {
    retell: computed(
      Schema.Boolean.annotate({ description: "Whether a Retell API key is stored" }),
      ({ retellKey }) => retellKey !== null
    )
  }
})

export const AssistantSecret = Schema.Struct({
  ...VoiceAssistant.fields,
  secret: Schema.String.annotate({ description: "The complete secret for X-Assistant-Secret. Shown only once." })
}).annotate({
  identifier: "AssistantSecret",
  description: "A new secret for voice assistants, which is shown only once"
})

export const SetRetellKey = Schema.Struct({
  api_key: text(200).annotate({
    description: "The Retell API key that is marked with the webhook badge in Retell's dashboard; stored encrypted"
  })
}).annotate({ identifier: "SetRetellKey", description: "The key with which Retell signs its requests" })

export const AssistantGroup = HttpApiGroup.make("assistant")
  .add(
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/assistant", {
      params: TenantPath,
      success: VoiceAssistant,
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "Show the authentication methods of the tenant's voice assistants, without the secrets"
      )
      .annotate(OpenApi.Description, "Answers 404 if no authentication method is set.")
      .annotate(Gate, gate("assistant.get", { limiter: "admin" })),
    HttpApiEndpoint.put("makeSecret", "/tenants/:tenant_id/assistant/secret", {
      params: TenantPath,
      success: AssistantSecret,
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "Create the secret for /voice/assistant/{tenant_id}/tools; the previous secret stops working immediately"
      )
      .annotate(OpenApi.Description, "The response is the only one that contains the secret.")
      .annotate(Gate, gate("assistant.makeSecret", { limiter: "admin" })),
    HttpApiEndpoint.put("setRetellKey", "/tenants/:tenant_id/assistant/retell-key", {
      params: TenantPath,
      payload: SetRetellKey,
      success: VoiceAssistant,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Set the key that Retell signs its requests with")
      .annotate(OpenApi.Description, "Retell signs its requests with this key, so no secret is needed there.")
      .annotate(Gate, gate("assistant.setRetellKey", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/tenants/:tenant_id/assistant", {
      params: TenantPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Revoke the access of all voice assistants of the tenant")
      .annotate(OpenApi.Description, "Requests of all assistants receive 401 from now on.")
      .annotate(Gate, gate("assistant.remove", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Voice assistant",
      description: "Credentials of voice assistants for the assistant tools"
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
