import { Api } from "@leadloom/api/internal/Api"
import { sourceToJson } from "@leadloom/api/internal/admin/Tenants"
import { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { createSource, removeSource } from "@leadloom/core/internal/workflow/access/Sources"
import type { Source } from "@leadloom/core/internal/domain/access/Source"
import { type OptionalPage, readShortList, type ShortList } from "@leadloom/core/internal/domain/conversation/ReadPage"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const list = Effect.fnUntraced(function* (tenantId: string | null, query: OptionalPage) {
  const list: ShortList<Source> = {
    scope: { tenantId: tenantId ?? "", list: "sources" },
    items: yield* answer((yield* Sources).list(tenantId)),
    keyOf: ({ createdAt, sourceId }) => [createdAt, sourceId]
  }
  const { items, nextCursor } = yield* answer(readShortList(list, query))
  return { sources: items.map(sourceToJson), next_cursor: nextCursor }
})

const create = Effect.fnUntraced(function* (tenantId: string | null, sourceId: string) {
  const { key, source } = yield* answer(createSource(tenantId, sourceId))
  return { source_id: source.sourceId, key }
})

/** Endpoints for sources of custom events, of one tenant or of the deployment. */
export const layer = HttpApiBuilder.group(Api, "sources", (handlers) =>
  handlers.handleAll({
    list: ({ params, query }) => list(params.tenant_id, query),
    create: ({ params, payload }) => create(params.tenant_id, payload.source_id),
    remove: ({ params }) => answer(removeSource(params.tenant_id, params.source_id)),
    listGlobal: ({ query }) => list(null, query),
    createGlobal: ({ payload }) => create(null, payload.source_id),
    removeGlobal: ({ params }) => answer(removeSource(null, params.source_id))
  })
)
