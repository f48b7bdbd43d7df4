import { Api } from "@leadloom/api/internal/Api"
import { scheduledToJson } from "@leadloom/api/internal/inbox/Scheduled"
import {
  cancelScheduled,
  editScheduled,
  listScheduled,
  readScheduled
} from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { optionsOf, statedTimeOf } from "../../json/CompositionJson.ts"

/** The default number of messages per page. */
const defaultPageSize = 50

/** Endpoints for messages that are sent later. */
export const layer = HttpApiBuilder.group(Api, "scheduled", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { contact_id: contactId = null, cursor = null, limit = defaultPageSize, state = "scheduled" } = query
      const listed = listScheduled(params.tenant_id, { contactId, state }, { limit, cursor })
      const { nextCursor, scheduled } = yield* answer(listed)
      return { scheduled: scheduled.map(scheduledToJson), next_cursor: nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return scheduledToJson(yield* answer(readScheduled(params.tenant_id, params.message_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      const { body, cancel_on_reply: cancelOnReply = null, version = null } = payload
      const composition = { ...(yield* optionsOf(payload)), ...(body !== undefined && { body }) }
      const changes = { composition, time: statedTimeOf(payload), cancelOnReply, version }
      return scheduledToJson(yield* answer(editScheduled(params.tenant_id, params.message_id, changes)))
    }),
    cancel: Effect.fnUntraced(function* ({ params }) {
      return scheduledToJson(yield* answer(cancelScheduled(params.tenant_id, params.message_id)))
    })
  })
)
