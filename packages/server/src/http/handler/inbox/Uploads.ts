import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { uploadToJson } from "@leadloom/api/internal/inbox/Uploads"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { unknownType } from "@leadloom/core/internal/domain/upload/Upload"
import { receiveUpload } from "@leadloom/core/internal/workflow/upload/ReceiveUpload"
import { Effect, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints for files that become attachments. */
export const layer = HttpApiBuilder.group(Api, "uploads", (handlers) =>
  handlers.handleAll({
    create: Effect.fnUntraced(function* ({ params, payload, query }) {
      const createdBy = principalName(yield* Principal)
      const { content_type: contentType = unknownType, filename } = query
      const file = { filename, contentType, content: Stream.orDie(payload), createdBy }
      return uploadToJson(yield* answer(receiveUpload(params.tenant_id, file)))
    })
  })
)
