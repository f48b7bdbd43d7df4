import { Api } from "@leadloom/api/internal/Api"
import { parseMessage } from "@leadloom/core/internal/workflow/intake/ParseMessage"
import { readSource } from "@leadloom/core/internal/workflow/intake/Sources"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { messageEncoder } from "./Conversations.ts"
import { download } from "../../stream/Download.ts"
import { answer } from "../../error/errors.ts"

/** Endpoints that return raw mail to managers. */
export const layer = HttpApiBuilder.group(Api, "messages", (handlers) =>
  handlers.handleAll({
    raw: Effect.fnUntraced(function* ({ params }) {
      const { bytes, mediaType } = yield* answer(readSource(params.tenant_id, params.message_id))
      const ending = mediaType === "application/json" ? "json" : "eml"
      return download(bytes, mediaType, `${params.message_id}.${ending}`)
    }),
    parse: Effect.fnUntraced(function* ({ params }) {
      const message = yield* answer(parseMessage(params.tenant_id, params.message_id))
      return (yield* messageEncoder)(message)
    })
  })
)
