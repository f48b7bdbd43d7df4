import { Api } from "@leadloom/api/internal/Api"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { attachmentPath, readAttachmentToken } from "@leadloom/core/internal/domain/email/AttachmentLink"
import { AttachmentNotFound } from "@leadloom/core/internal/domain/email/MailSource"
import { readAttachment } from "@leadloom/core/internal/workflow/intake/Sources"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { countBad } from "../../middleware/Authorization.ts"
import { download } from "../../stream/Download.ts"
import { answer } from "../../error/errors.ts"

/** Returns the link to an attachment of a message, by its index. */
export type LinkTo = (message: Message, index: number) => string

/** Returns a function that creates links. Their validity starts now. */
export const attachmentLinks: Effect.Effect<LinkTo, never, Secrets> = Effect.gen(function* () {
  const { pepper } = yield* Secrets
  const now = yield* Clock.currentTimeMillis
  return ({ messageId, tenantId }, index) => attachmentPath({ tenantId, messageId, index }, pepper, now)
})

/**
 * Finds an attachment by its token. A token that is invalid, expired or of an archived tenant fails with the same
 * error, so that the error reveals nothing.
 */
const find = Effect.fnUntraced(function* (token: string) {
  const claim = readAttachmentToken(token, (yield* Secrets).pepper, yield* Clock.currentTimeMillis)
  if (claim === null) return yield* new AttachmentNotFound()
  return yield* Effect.catchTag(readAttachment(claim), "TenantNotFound", () => new AttachmentNotFound())
})

/** Endpoints that return an attachment to anyone with its link. An invalid link counts as an invalid credential. */
export const layer = HttpApiBuilder.group(Api, "attachments", (handlers) =>
  handlers.handleAll({
    download: Effect.fnUntraced(function* ({ params }) {
      const found = Effect.tapErrorTag(answer(find(params.token)), "NotFound", () => countBad())
      const { attachment, bytes } = yield* found
      return download(bytes, attachment.contentType, attachment.filename ?? "attachment")
    })
  })
)
