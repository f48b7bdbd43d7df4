import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { viewToJson, type UpdateView } from "@leadloom/api/internal/inbox/Views"
import { viewOfJson } from "@leadloom/api/internal/schema/InboxFilter"
import { decide } from "@leadloom/core/internal/domain/access/Permission"
import {
  createView,
  deleteView,
  listViews,
  readView,
  updateView,
  type ViewFields
} from "@leadloom/core/internal/workflow/conversation/Views"
import { actingUserId } from "@leadloom/core/internal/workflow/ActingUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of views per page. */
const defaultPageSize = 50

/** Returns the author of a change. Callers who may manage the tenant, and API keys, may share views. */
const authorIn = Effect.fnUntraced(function* (tenantId: string) {
  const principal = yield* Principal
  const mayShare = principal._tag === "ApiKey" || decide(principal, "manage", tenantId) === "allow"
  return { userId: yield* actingUserId, mayShare }
})

const fieldsOf = ({ filters, ...rest }: typeof UpdateView.Type): ViewFields =>
  filters === undefined ? rest : { ...rest, filters: viewOfJson(filters) }

/** Endpoints for saved views. */
export const layer = HttpApiBuilder.group(Api, "views", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSize } }) {
      const page = { cursor, limit }
      const { nextCursor, views } = yield* answer(listViews(params.tenant_id, yield* actingUserId, page))
      return { views: views.map(viewToJson), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload: { filters, name, shared = false } }) {
      const fields = { name, shared, filters: viewOfJson(filters) }
      return viewToJson(yield* answer(createView(params.tenant_id, fields, yield* authorIn(params.tenant_id))))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return viewToJson(yield* answer(readView(params.tenant_id, params.view_id, yield* actingUserId)))
    }),
    update: Effect.fnUntraced(function* ({ params: { tenant_id, view_id }, payload }) {
      const author = yield* authorIn(tenant_id)
      return viewToJson(yield* answer(updateView(tenant_id, view_id, fieldsOf(payload), author)))
    }),
    remove: Effect.fnUntraced(function* ({ params: { tenant_id, view_id } }) {
      yield* answer(deleteView(tenant_id, view_id, yield* authorIn(tenant_id)))
    })
  })
)
