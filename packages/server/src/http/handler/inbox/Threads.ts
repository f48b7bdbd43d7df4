import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { correctionToJson, type ThreadMessage, threadToJson } from "@leadloom/api/internal/inbox/Threads"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { joinThreads, moveMessage, splitThread } from "@leadloom/core/internal/workflow/thread/CorrectThread"
import { type ExplainedMessage, listCorrections, readThread } from "@leadloom/core/internal/workflow/thread/ReadThread"
import { undoCorrection } from "@leadloom/core/internal/workflow/thread/UndoCorrection"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { messageEncoder, type MessageToJson } from "./Conversations.ts"

/** The default number of messages or corrections per page. */
const defaultPageSize = 50

const pageOf = ({ cursor, limit }: { readonly cursor?: string; readonly limit?: number }) => ({
  limit: limit ?? defaultPageSize,
  cursor: cursor ?? null
})

const corrector = (tenantId: string) =>
  Effect.map(Principal, (principal) => ({ tenantId, actor: principalName(principal) }))

const explainedToJson = (
  { correctionId, matchedMessageId, message, reason }: ExplainedMessage,
  toJson: MessageToJson
): typeof ThreadMessage.Type => ({
  contact_id: message.contactId,
  message: toJson(message),
  reason: {
    rule: reason?.rule ?? "unknown",
    matched_id: reason?.id ?? null,
    matched_message_id: matchedMessageId,
    correction_id: correctionId
  }
})

/** Endpoints for email threads. */
export const layer = HttpApiBuilder.group(Api, "threads", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params, query }) {
      const found = yield* answer(readThread(params.tenant_id, params.thread_id, pageOf(query)))
      const encode = yield* messageEncoder
      return {
        ...threadToJson(found.thread),
        subject: found.subject,
        participants: found.participants,
        corrections: found.corrections.map(correctionToJson),
        messages: found.messages.map((message) => explainedToJson(message, encode)),
        next_cursor: found.nextCursor
      }
    }),
    split: Effect.fnUntraced(function* ({ params, payload }) {
      const by = yield* corrector(params.tenant_id)
      return correctionToJson(yield* answer(splitThread(by, params.thread_id, payload.message_id)))
    }),
    move: Effect.fnUntraced(function* ({ params, payload }) {
      const by = yield* corrector(params.tenant_id)
      const { message_id, to_thread_id } = payload
      return correctionToJson(yield* answer(moveMessage(by, params.thread_id, message_id, to_thread_id)))
    }),
    join: Effect.fnUntraced(function* ({ params, payload }) {
      const by = yield* corrector(params.tenant_id)
      return correctionToJson(yield* answer(joinThreads(by, payload.thread_ids)))
    }),
    corrections: Effect.fnUntraced(function* ({ params, query }) {
      const { items, nextCursor } = yield* answer(listCorrections(params.tenant_id, params.thread_id, pageOf(query)))
      return { corrections: items.map(correctionToJson), next_cursor: nextCursor }
    }),
    undo: Effect.fnUntraced(function* ({ params }) {
      const by = yield* corrector(params.tenant_id)
      return correctionToJson(yield* answer(undoCorrection(by, params.thread_id, params.correction_id)))
    })
  })
)
