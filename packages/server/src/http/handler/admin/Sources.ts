import { Api } from "@leadloom/api/internal/Api"
import { sourceToJson } from "@leadloom/api/internal/admin/Tenants"
import { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { createSource, removeSource } from "@leadloom/core/internal/workflow/access/Sources"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const list = Effect.fnUntraced(function* (tenantId: string | null) {
  const sources = yield* Sources
  return { sources: (yield* answer(sources.list(tenantId))).map(sourceToJson) }
})

const create = Effect.fnUntraced(function* (tenantId: string | null, sourceId: string) {
  const { key, source } = yield* answer(createSource(tenantId, sourceId))
  return { source_id: source.sourceId, key }
})

/** Endpoints for sources of custom events, of one tenant or of the deployment. */
export const layer = HttpApiBuilder.group(Api, "sources", (handlers) =>
  handlers.handleAll({
    list: ({ params }) => list(params.tenant_id),
    create: ({ params, payload }) => create(params.tenant_id, payload.source_id),
    remove: ({ params }) => answer(removeSource(params.tenant_id, params.source_id)),
    listGlobal: () => list(null),
    createGlobal: ({ payload }) => create(null, payload.source_id),
    removeGlobal: ({ params }) => answer(removeSource(null, params.source_id))
  })
)
