import { Api } from "@leadloom/api/Api"
import { readSource } from "@leadloom/core/email/incoming/ReadSource"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { download } from "./Download.ts"
import { answer } from "./errors.ts"

/** Sources of messages, as managers download them. */
export const layer = HttpApiBuilder.group(Api, "messages", (handlers) =>
  handlers.handleAll({
    raw: Effect.fnUntraced(function* ({ params }) {
      const { bytes, mediaType } = yield* answer(readSource(params.tenant_id, params.message_id))
      const ending = mediaType === "application/json" ? "json" : "eml"
      return download(bytes, mediaType, `${params.message_id}.${ending}`)
    })
  })
)
