import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/admin/Assistant"
import { isoTime } from "@leadloom/api/schema/Field"
import type { AssistantAccess } from "@leadloom/core/domain/assistant/AssistantAccess"
import {
  makeAssistantSecret,
  readAssistant,
  removeAssistant,
  setRetellKey
} from "@leadloom/core/workflow/assistant/AssistantKeys"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const toJson = ({ createdAt, prefix, retellKey, updatedAt }: AssistantAccess): typeof Wire.VoiceAssistant.Type => ({
  prefix,
  retell: retellKey !== null,
  created_at: isoTime(createdAt),
  updated_at: isoTime(updatedAt)
})

/** Endpoints for the secrets of voice assistants. */
export const layer = HttpApiBuilder.group(Api, "assistant", (handlers) =>
  handlers.handleAll({
    get: ({ params }) => Effect.map(answer(readAssistant(params.tenant_id)), toJson),
    makeSecret: Effect.fnUntraced(function* ({ params }) {
      const { access, secret } = yield* answer(makeAssistantSecret(params.tenant_id))
      return { ...toJson(access), secret }
    }),
    setRetellKey: ({ params, payload }) => Effect.map(answer(setRetellKey(params.tenant_id, payload.api_key)), toJson),
    remove: ({ params }) => answer(removeAssistant(params.tenant_id))
  })
)
