import { Api } from "@leadloom/api/internal/Api"
import { cannedReplyChangeOf, cannedReplyToJson } from "@leadloom/api/internal/inbox/CannedReplies"
import { CannedReplies } from "@leadloom/core/internal/port/repository/conversation/CannedReplies"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import {
  createCannedReply,
  deleteCannedReply,
  listCannedReplies,
  updateCannedReply
} from "@leadloom/core/internal/workflow/reply/CannedReplies"
import { renderCannedReply } from "@leadloom/core/internal/workflow/reply/RenderCannedReply"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of canned replies per page. */
const defaultPageSize = 50

/** The values of the fields that a new canned reply may omit. */
const defaults = { folder: null, subject: null, shortcut: null, channels: [] }

/** Endpoints for canned replies. */
export const layer = HttpApiBuilder.group(Api, "cannedReplies", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, folder = null, limit = defaultPageSize, q: prefix = null } = query
      const page = yield* answer(listCannedReplies(params.tenant_id, { folder, prefix }, { cursor, limit }))
      return { canned_replies: page.items.map(cannedReplyToJson), next_cursor: page.nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const { body, name } = payload
      const fields = { ...defaults, ...cannedReplyChangeOf(payload), name, body }
      return cannedReplyToJson(yield* answer(createCannedReply(params.tenant_id, fields)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const replies = yield* CannedReplies
      return cannedReplyToJson(yield* answer(replies.get(params.tenant_id, params.canned_reply_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      const change = cannedReplyChangeOf(payload)
      return cannedReplyToJson(yield* answer(updateCannedReply(params.tenant_id, params.canned_reply_id, change)))
    }),
    delete: ({ params }) => answer(deleteCannedReply(params.tenant_id, params.canned_reply_id)),
    render: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* answer((yield* Tenants).get(params.tenant_id))
      return yield* answer(renderCannedReply(tenant, params.canned_reply_id, payload.contact_id))
    })
  })
)
