import { Api } from "@leadloom/api/Api"
import { consumeUsage } from "@leadloom/core/pipeline/ConsumeUsage"
import { scoreContact } from "@leadloom/core/pipeline/ScoreContact"
import { Tenants } from "@leadloom/core/port/Tenants"
import { Transactions } from "@leadloom/core/port/Transactions"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, ModelMissing } from "./errors.ts"
import { contactScoreToJson, requestFromJson } from "./PipelineJson.ts"

/**
 * An action that needs a language model, on a server that has none. The caps are checked first, as for every action; the
 * unit of work fails, so that nobody pays for nothing.
 */
const askModel = Effect.fnUntraced(function* (tenantId: string) {
  const { atomically } = yield* Transactions
  const use = Effect.andThen(consumeUsage(tenantId, "actions"), consumeUsage(tenantId, "ai_calls"))
  return yield* answer(atomically(tenantId, Effect.andThen(use, Effect.fail(new ModelMissing()))))
})

/** Single steps of the pipeline. */
export const layer = HttpApiBuilder.group(Api, "actions", (handlers) =>
  handlers.handleAll({
    scoreContact: Effect.fnUntraced(function* ({ params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      return contactScoreToJson(yield* answer(scoreContact({ tenant, request: requestFromJson(payload) })))
    }),
    classifyConversation: ({ params }) => askModel(params.tenant_id),
    generateReply: ({ params }) => askModel(params.tenant_id)
  })
)
