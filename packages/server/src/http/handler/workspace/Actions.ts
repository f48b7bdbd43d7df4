import { Api } from "@leadloom/api/internal/Api"
import { replyToJson } from "@leadloom/api/internal/schema/PipelineFields"
import { classifyConversation } from "@leadloom/core/internal/workflow/reply/CallModel"
import { generateReply } from "@leadloom/core/internal/workflow/reply/GenerateReply"
import { scoreContact } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { contactScoreToJson, requestFromJson } from "../../json/PipelineJson.ts"

const tenantOf = (tenantId: string) => Effect.flatMap(Tenants, (tenants) => answer(tenants.get(tenantId)))

/** Endpoints for single steps of the pipeline. */
export const layer = HttpApiBuilder.group(Api, "actions", (handlers) =>
  handlers.handleAll({
    scoreContact: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      return contactScoreToJson(yield* answer(scoreContact({ tenant, request: requestFromJson(payload) })))
    }),
    classifyConversation: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const data = yield* answer(classifyConversation({ tenant, request: requestFromJson(payload) }))
      return { success: true as const, data }
    }),
    generateReply: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const reply = yield* answer(generateReply({ tenant, request: requestFromJson(payload) }))
      return { success: true as const, data: replyToJson(reply) }
    })
  })
)
