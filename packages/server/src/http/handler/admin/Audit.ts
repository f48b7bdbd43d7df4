import { auditToJson } from "@leadloom/api/internal/admin/Audit"
import { Api } from "@leadloom/api/internal/Api"
import { listAudit } from "@leadloom/core/internal/workflow/access/ListAudit"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of entries per page. */
const defaultPageSize = 50

interface Query {
  readonly actor?: string
  readonly action?: string
  readonly cursor?: string
  readonly limit?: number
}

const page = Effect.fnUntraced(function* (tenantId: string | null, { action, actor, cursor, limit }: Query) {
  const filter = { actor: actor ?? null, action: action ?? null }
  const requested = { limit: limit ?? defaultPageSize, cursor: cursor ?? null }
  const { items, nextCursor } = yield* answer(listAudit(tenantId, filter, requested))
  return { entries: items.map(auditToJson), next_cursor: nextCursor }
})

/** Endpoints for the audit trail. */
export const layer = HttpApiBuilder.group(Api, "audit", (handlers) =>
  handlers.handleAll({
    list: ({ params, query }) => page(params.tenant_id, query),
    listDeployment: ({ query }) => page(null, query)
  })
)
