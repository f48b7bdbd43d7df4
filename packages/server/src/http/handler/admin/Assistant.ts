import { Api } from "@leadloom/api/internal/Api"
import { assistantToJson } from "@leadloom/api/internal/admin/Assistant"
import {
  makeAssistantSecret,
  readAssistant,
  removeAssistant,
  setRetellKey
} from "@leadloom/core/internal/workflow/assistant/AssistantKeys"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints for the secrets of voice assistants. */
export const layer = HttpApiBuilder.group(Api, "assistant", (handlers) =>
  handlers.handleAll({
    get: ({ params }) => Effect.map(answer(readAssistant(params.tenant_id)), assistantToJson),
    makeSecret: Effect.fnUntraced(function* ({ params }) {
      const { access, secret } = yield* answer(makeAssistantSecret(params.tenant_id))
      return { ...assistantToJson(access), secret }
    }),
    setRetellKey: ({ params, payload }) =>
      Effect.map(answer(setRetellKey(params.tenant_id, payload.api_key)), assistantToJson),
    remove: ({ params }) => answer(removeAssistant(params.tenant_id))
  })
)
