import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/Conversations"
import { isoTime } from "@leadloom/api/Field"
import type { Conversation } from "@leadloom/core/conversation/Conversation"
import { listConversations } from "@leadloom/core/conversation/ListConversations"
import { markRead } from "@leadloom/core/conversation/MarkRead"
import type { Message } from "@leadloom/core/conversation/Message"
import { readConversation } from "@leadloom/core/conversation/ReadConversation"
import { hasContent } from "@leadloom/core/email/ReadSource"
import { sendMessage } from "@leadloom/core/conversation/SendMessage"
import { Tenants } from "@leadloom/core/port/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { attachmentLinks, type LinkTo } from "./Attachments.ts"
import { answer } from "./errors.ts"
import { callersKey, tellSend } from "./SendAnswer.ts"

const headToJson = (head: Conversation): typeof Wire.Conversation.Type => ({
  contact_id: head.contactId,
  contact_name: head.contactName,
  contact_email: head.contactEmail,
  last_message: head.lastMessage,
  last_channel: head.lastChannel,
  last_timestamp: isoTime(head.lastTimestamp),
  lead_id: head.leadId,
  lead_state: head.leadState,
  score_tier: head.tier,
  unread: head.unread
})

/** What only an email has to tell. */
const emailToJson = (message: Message, linkTo: LinkTo): Partial<typeof Wire.Message.Type> => ({
  html_body: message.htmlBody,
  quoted_text: message.quotedText,
  subject: message.subject,
  thread_id: message.threadId,
  message_id: message.messageId,
  internet_message_id: message.internetMessageId,
  received_alias: message.receivedAlias,
  from: message.from,
  to: message.to,
  cc: message.cc,
  reply_to: message.replyTo,
  auto: message.auto,
  delivery: message.delivery,
  flags: message.flags,
  attachments: message.attachments.map((attachment, index) => ({
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    index,
    download_url: hasContent(message, attachment) ? linkTo(message, index) : null
  }))
})

/** A message as the wire tells it. */
export const messageToJson = (message: Message, linkTo: LinkTo): typeof Wire.Message.Type => ({
  id: message.messageId,
  channel: message.channel,
  body: message.body,
  actor: message.actor,
  timestamp: isoTime(message.timestamp),
  ...(message.channel === "email" ? emailToJson(message, linkTo) : {})
})

/** Conversations, as an agent reads them. */
export const layer = HttpApiBuilder.group(Api, "conversations", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const page = { alias: query.alias ?? null, cursor: query.cursor ?? null }
      const { conversations, nextCursor } = yield* answer(listConversations(params.tenant_id, page))
      return { conversations: conversations.map(headToJson), next_cursor: nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const messages = yield* answer(readConversation(params.tenant_id, params.contact_id))
      const linkTo = yield* attachmentLinks
      return { messages: messages.map((message) => messageToJson(message, linkTo)), next_cursor: null }
    }),
    send: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const { body, channel, reply_all: replyAll = false } = payload
      const key = yield* callersKey(headers)
      const { messageId } = yield* answer(
        tellSend(sendMessage(tenant, params.contact_id, { body, channel, replyAll }, key))
      )
      return { message_id: messageId }
    }),
    markRead: Effect.fnUntraced(function* ({ params }) {
      yield* answer(markRead(params.tenant_id, params.contact_id))
      return { success: true as const }
    })
  })
)
