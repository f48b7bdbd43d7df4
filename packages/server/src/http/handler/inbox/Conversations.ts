/**
 * Handlers of agents, partners, sources and public visitors, one file per endpoint group. A handler decodes, calls one
 * workflow and encodes; business rules belong in `packages/core/src/workflow`. Tests: `packages/server/test/http`.
 */

import { Api } from "@leadloom/api/internal/Api"
import * as Wire from "@leadloom/api/internal/inbox/Conversations"
import { conversationToJson } from "@leadloom/api/internal/schema/ConversationRow"
import { filterOfQuery } from "@leadloom/api/internal/schema/InboxFilter"
import { Principal } from "@leadloom/api/internal/Access"
import { scheduledToJson } from "@leadloom/api/internal/inbox/Scheduled"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { scheduleMessage } from "@leadloom/core/internal/workflow/schedule/ScheduleMessage"
import { type ApprovalToSchedule, scheduleApproval } from "@leadloom/core/internal/workflow/schedule/ScheduleApproval"
import { scheduledOf } from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import { type Approval, approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { dismissDraft, readDraft } from "@leadloom/core/internal/workflow/draft/Drafts"
import { labelSubject } from "@leadloom/core/internal/workflow/conversation/LabelSubject"
import { listConversations } from "@leadloom/core/internal/workflow/conversation/ListConversations"
import { markRead } from "@leadloom/core/internal/workflow/conversation/MarkRead"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { Wait } from "@leadloom/core/internal/domain/conversation/Wait"
import { readWaits } from "@leadloom/core/internal/workflow/conversation/ReadWaits"
import { maxPieceBytes, openHistory, readHistory } from "@leadloom/core/internal/workflow/conversation/ReadConversation"
import { unparsedReasonOf } from "@leadloom/core/internal/domain/conversation/UnparsedMail"
import { hasContent } from "@leadloom/core/internal/workflow/intake/Sources"
import { readConversationRow } from "@leadloom/core/internal/workflow/conversation/ReadConversationRow"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { type OverridableReason, overrideIn, type SendOverride } from "@leadloom/core/internal/domain/consent/Override"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { actingUserId } from "@leadloom/core/internal/workflow/ActingUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { attachmentLinks, type LinkTo } from "./Attachments.ts"
import { answer } from "../../error/errors.ts"
import { historyResponse } from "../../json/HistoryJson.ts"
import { optionsOf, scheduleOf } from "../../json/CompositionJson.ts"
import { receiptOf, sendWithOverride } from "../../middleware/Overrides.ts"
import { idempotencyKeyOf, laterAnswer, laterReceiptOf, setSendHeaders } from "../../middleware/SendAnswer.ts"

/** Encodes the files of a message, with links to those whose content is stored. */
export const attachmentsToJson = (message: Message, linkTo: LinkTo) =>
  message.attachments.map((attachment, index) => ({
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    index,
    download_url: hasContent(message, attachment) ? linkTo(message, index) : null
  }))

/** Returns the reason why a message has no content; empty if it has content. */
const unparsedToJson = (message: Message): Partial<typeof Wire.Message.Type> => {
  const reason = unparsedReasonOf(message)
  return reason === null ? {} : { unparsed: true, unparsed_reason: reason }
}

/** Encodes a message. */
export type MessageToJson = (message: Message) => typeof Wire.Message.Type

/** Returns the encoder of messages, which signs the links to their attachments. */
export const messageEncoder = Effect.map(attachmentLinks, (linkTo): MessageToJson => {
  const more = (message: Message) => ({
    ...receiptOf(message.delivery === null ? null : overrideIn(message.metadata)),
    ...unparsedToJson(message),
    attachments: attachmentsToJson(message, linkTo)
  })
  return (message) => Wire.messageToJson(message, more)
})

/** Sends a message to a contact, or schedules it. */
const sendOrSchedule = Effect.fnUntraced(function* (
  tenant: Tenant,
  contactId: string,
  payload: typeof Wire.MessageToSend.Type,
  key: string | null,
  override: SendOverride | null
) {
  const { body, channel } = payload
  const message = { replyAll: false, ...(yield* optionsOf(payload)), body, channel, override }
  const schedule = scheduleOf(payload)
  if (schedule === null) return yield* answer(setSendHeaders(sendMessage(tenant, contactId, message, key)))
  const request = {
    tenant,
    contactId,
    message,
    schedule,
    createdBy: principalName(yield* Principal),
    idempotencyKey: key
  }
  return yield* laterAnswer(answer(scheduleMessage(request)))
})

const waitJsonOf = (wait: Wait | undefined) => (wait === undefined ? {} : Wire.waitToJson(wait))

const approvalOf = (seen: typeof Wire.DraftToApprove.Type | null) =>
  Effect.map(optionsOf(seen ?? {}), (changes): Approval => ({
    draftId: seen?.draft_id ?? null,
    contentHash: seen?.content_hash ?? null,
    headMessageId: seen?.head_message_id ?? null,
    body: seen?.body ?? null,
    changes
  }))

/**
 * The size up to which a history is sent in one piece. Such a response states its length, and has status 503 if the
 * store fails.
 */
const maxPiecesAtOnce = 4
const maxBytesAtOnce = 2 * maxPieceBytes

const requestedOf = (
  action: string,
  { contact_id, tenant_id }: { readonly contact_id: string; readonly tenant_id: string },
  reasons: ReadonlyArray<OverridableReason> = []
) => ({ tenantId: tenant_id, action, target: { contact_id }, reasons })

/** Approves a draft with an undo window. A repeated approval may find that the message is already sent. */
const approveLater = Effect.fnUntraced(function* (request: ApprovalToSchedule) {
  const result = yield* answer(scheduleApproval(request))
  return "scheduled" in result
    ? yield* laterAnswer(Effect.succeed(result))
    : yield* setSendHeaders(Effect.succeed(result))
})

/** Approves a draft with the changes of the person. */
const approve = Effect.fnUntraced(function* (
  params: { readonly contact_id: string; readonly tenant_id: string },
  payload: typeof Wire.DraftToApprove.Type | null
) {
  const tenants = yield* Tenants
  const tenant = yield* answer(tenants.get(params.tenant_id))
  const approval = yield* approvalOf(payload)
  const requested = requestedOf("conversations.approveDraft", params, payload?.override)
  const { contact_id: contactId } = params
  const undoSeconds = payload?.undo_seconds ?? 0
  const createdBy = principalName(yield* Principal)
  const outcome = yield* sendWithOverride(requested, (override) => {
    const overriding = { ...approval, override }
    return undoSeconds === 0
      ? answer(setSendHeaders(approveDraft(tenant, contactId, overriding)))
      : approveLater({ tenant, contactId, approval: overriding, undoSeconds, createdBy })
  })
  return { message_id: outcome.messageId, ...laterReceiptOf(outcome), ...receiptOf(outcome.overridden) }
})

/** Endpoints for conversations. */
export const layer = HttpApiBuilder.group(Api, "conversations", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, sort = "-last_timestamp" } = query
      const view = { ...filterOfQuery(query), sort }
      const page = { cursor, userId: yield* actingUserId }
      const { conversations, nextCursor } = yield* answer(listConversations(params.tenant_id, view, page))
      return { conversations: conversations.map(conversationToJson), next_cursor: nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params, query }) {
      const { contact_id: contactId, tenant_id: tenantId } = params
      const { cursor = null, limit = null } = query
      const history = yield* answer(openHistory(tenantId, contactId, { cursor, limit }))
      const draft = yield* answer(readDraft(tenantId, contactId))
      const conversation = yield* answer(readConversationRow(tenantId, contactId, yield* actingUserId))
      const scheduled = yield* answer(scheduledOf(tenantId, contactId))
      const rest = {
        conversation: conversationToJson(conversation),
        next_cursor: history.nextCursor,
        pending_draft: orNull(draft, Wire.draftToJson),
        scheduled: scheduled.map(scheduledToJson)
      }
      const waits = yield* answer(readWaits(tenantId, history.pieces.flat()))
      const encode = yield* messageEncoder
      const toJson = (message: Message) => Object.assign(encode(message), waitJsonOf(waits.get(message.messageId)))
      if (history.pieces.length > maxPiecesAtOnce || history.bytes > maxBytesAtOnce)
        return yield* historyResponse(tenantId, history, rest, toJson)
      return { messages: (yield* answer(readHistory(tenantId, history))).map(toJson), ...rest }
    }),
    send: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const key = yield* idempotencyKeyOf(headers)
      const requested = requestedOf("conversations.send", params, payload.override)
      const sent = yield* sendWithOverride(requested, (override) =>
        sendOrSchedule(tenant, params.contact_id, payload, key, override)
      )
      return { message_id: sent.messageId, ...laterReceiptOf(sent), ...receiptOf(sent.overridden) }
    }),
    markRead: Effect.fnUntraced(function* ({ params, payload }) {
      const upTo = payload?.message_id ?? null
      yield* answer(markRead(params.tenant_id, params.contact_id, upTo, yield* actingUserId))
      return { success: true as const }
    }),
    approveDraft: ({ params, payload }) => approve(params, payload),
    dismissDraft: Effect.fnUntraced(function* ({ params, payload }) {
      yield* answer(dismissDraft(params.tenant_id, params.contact_id, payload?.draft_id ?? null))
      return { success: true as const }
    }),
    labelSubject: Effect.fnUntraced(function* ({ params, payload }) {
      const { message_id, subject_contact_id } = payload
      const labelled = labelSubject(params.tenant_id, params.contact_id, message_id, subject_contact_id)
      const { messageId, subjectContactId } = yield* answer(labelled)
      return { message_id: messageId, subject_contact_id: subjectContactId }
    })
  })
)
