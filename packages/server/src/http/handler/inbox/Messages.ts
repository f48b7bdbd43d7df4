import { Api } from "@leadloom/api/internal/Api"
import { parseMessage } from "@leadloom/core/internal/workflow/intake/ParseMessage"
import { readSource } from "@leadloom/core/internal/workflow/intake/Sources"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { authenticationToJson } from "@leadloom/api/internal/inbox/Conversations"
import type * as Wire from "@leadloom/api/internal/inbox/Messages"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { type MessageDetail, readMessage } from "@leadloom/core/internal/workflow/conversation/ReadMessage"
import { attachmentLinks, type LinkTo } from "./Attachments.ts"
import { attachmentsToJson, messageEncoder } from "./Conversations.ts"
import { download } from "../../stream/Download.ts"
import { answer } from "../../error/errors.ts"

const headersToJson = ({ bcc, message }: MessageDetail): (typeof Wire.MessageDetail.Type)["headers"] => ({
  from: message.from,
  to: message.to,
  cc: message.cc,
  bcc,
  reply_to: message.replyTo,
  subject: message.subject,
  message_id: message.internetMessageId,
  in_reply_to: message.references.at(-1) ?? null,
  references: message.references
})

/** Encodes a message with its parts and its delivery history. */
const detailToJson = (detail: MessageDetail, linkTo: LinkTo): typeof Wire.MessageDetail.Type => {
  const { history, message } = detail
  const files = attachmentsToJson(message, linkTo)
  return {
    message_id: message.messageId,
    contact_id: message.contactId,
    lead_id: message.leadId,
    thread_id: message.threadId,
    channel: message.channel,
    actor: message.actor,
    user_id: message.userId,
    timestamp: isoTime(message.timestamp),
    received_at: isoTime(message.receivedAt),
    parts: { text: message.body, html: message.htmlBody, quoted: message.quotedText },
    attachments: message.attachments.flatMap(({ contentId, inline }, index) => {
      const file = files[index]
      return file === undefined ? [] : [{ ...file, inline, content_id: contentId }]
    }),
    headers: headersToJson(detail),
    auto: message.auto,
    authentication: authenticationToJson(message),
    flags: message.flags,
    delivery: message.delivery,
    delivery_history: history.map(({ at, attempt, reason, step }) => ({ at: isoTime(at), step, attempt, reason }))
  }
}

/** Endpoints for single messages, and for raw mail. */
export const layer = HttpApiBuilder.group(Api, "messages", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params }) {
      const detail = yield* answer(readMessage(params.tenant_id, params.message_id))
      return detailToJson(detail, yield* attachmentLinks)
    }),
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
