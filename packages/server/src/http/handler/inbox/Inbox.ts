import { Api } from "@leadloom/api/internal/Api"
import { bulkToJson, conversationChangeOf, countsToJson, presenceToJson } from "@leadloom/api/internal/inbox/Inbox"
import { conversationToJson } from "@leadloom/api/internal/schema/ConversationRow"
import { filterOfQuery } from "@leadloom/api/internal/schema/InboxFilter"
import { countView } from "@leadloom/core/internal/workflow/conversation/CountView"
import { countConversations } from "@leadloom/core/internal/workflow/conversation/CountConversations"
import { listPresence, reportPresence } from "@leadloom/core/internal/workflow/conversation/Presence"
import { readConversationRow } from "@leadloom/core/internal/workflow/conversation/ReadConversationRow"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { updateConversations } from "@leadloom/core/internal/workflow/conversation/UpdateConversations"
import { actingUserId } from "@leadloom/core/internal/workflow/ActingUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints for the work on conversations. */
export const layer = HttpApiBuilder.group(Api, "inbox", (handlers) =>
  handlers.handleAll({
    update: Effect.fnUntraced(function* ({ params: { contact_id, tenant_id }, payload }) {
      const change = conversationChangeOf(payload)
      return conversationToJson(yield* answer(updateConversation(tenant_id, contact_id, change, yield* actingUserId)))
    }),
    row: Effect.fnUntraced(function* ({ params: { contact_id, tenant_id } }) {
      return conversationToJson(yield* answer(readConversationRow(tenant_id, contact_id, yield* actingUserId)))
    }),
    presence: ({ params: { contact_id, tenant_id } }) =>
      Effect.map(answer(listPresence(tenant_id, contact_id)), presenceToJson),
    reportPresence: ({ params: { contact_id, tenant_id }, payload: { state } }) =>
      Effect.map(answer(reportPresence(tenant_id, contact_id, state)), presenceToJson),
    bulk: Effect.fnUntraced(function* ({ params: { tenant_id }, payload: { change, contact_ids } }) {
      const changed = updateConversations(tenant_id, contact_ids, conversationChangeOf(change), yield* actingUserId)
      return bulkToJson(yield* answer(changed))
    }),
    counts: Effect.fnUntraced(function* ({ params: { tenant_id }, query }) {
      const userId = yield* actingUserId
      const counts = yield* answer(countConversations(tenant_id, userId))
      if (Object.keys(query).length === 0) return countsToJson(counts, null)
      const view = { ...filterOfQuery(query), sort: "-last_timestamp" } as const
      return countsToJson(counts, yield* answer(countView(tenant_id, view, userId)))
    })
  })
)
