import { blockedToJson } from "@leadloom/api/internal/admin/Sms"
import { Api } from "@leadloom/api/internal/Api"
import { blockNumber, listBlocked, unblockNumber } from "@leadloom/core/internal/workflow/sms/BlockNumber"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of numbers per page. */
const defaultPageSize = 250

/** Endpoints for a tenant's blocklist of phone numbers. */
export const layer = HttpApiBuilder.group(Api, "smsFilters", (handlers) =>
  handlers.handleAll({
    blocklist: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSize } }) {
      const { items, nextCursor } = yield* answer(listBlocked(params.tenant_id, { cursor, limit }))
      return { blocklist: items.map(blockedToJson), next_cursor: nextCursor }
    }),
    block: Effect.fnUntraced(function* ({ params, payload }) {
      return blockedToJson(yield* answer(blockNumber(params.tenant_id, payload.phone)))
    }),
    unblock: Effect.fnUntraced(function* ({ params, payload }) {
      yield* answer(unblockNumber(params.tenant_id, payload.phone))
      return { status: "removed" as const }
    })
  })
)
