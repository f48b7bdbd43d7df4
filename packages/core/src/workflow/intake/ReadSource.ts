import { Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { AttachmentClaim } from "../../domain/email/AttachmentLink.ts"
import { isId } from "../../domain/Id.ts"
import { AttachmentNotFound, attachmentKey, mimeSource, RawNotFound } from "../../domain/email/MailSource.ts"
import type { MailAttachment } from "../../domain/email/ParsedMail.ts"

/** Returns the source of a message as it arrived. */
export const readSource = Effect.fn("readSource")(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message === null || message.raw === null) return yield* new RawNotFound({ messageId })
  const { key, mediaType } = message.raw
  const bytes = yield* (yield* Objects).get(tenantId, key)
  if (bytes !== null) return { bytes, mediaType }
  yield* Effect.logError("the source of a message is missing", { tenantId, messageId, key })
  return yield* new RawNotFound({ messageId })
})

/** Returns whether the content of an attachment is available. */
export const hasContent = ({ raw }: Pick<Message, "raw">, attachment: MailAttachment): boolean =>
  raw !== null && (raw.mediaType === mimeSource || attachment.stored === true)

/**
 * Returns an attachment with its content, from its own object or from the source. HIPAA tenants have no attachments.
 */
export const readAttachment = Effect.fn("readAttachment")(function* ({ index, messageId, tenantId }: AttachmentClaim) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const message = tenant.hipaa ? null : yield* (yield* Messages).find(tenantId, messageId)
  const attachment = message?.attachments[index]
  if (message === null || message.raw === null || attachment === undefined || !hasContent(message, attachment)) {
    return yield* new AttachmentNotFound()
  }
  const { key } = message.raw
  const objects = yield* Objects
  const inside = attachment.stored !== true
  const held = yield* objects.get(tenantId, inside ? key : attachmentKey(key, index))
  const bytes = held !== null && inside ? yield* (yield* MailParser).attachment(held, index, { flow: tenantId }) : held
  if (bytes !== null) return { attachment, bytes }
  yield* Effect.logError("the content of an attachment is missing", { tenantId, messageId, index, key })
  return yield* new AttachmentNotFound()
})
