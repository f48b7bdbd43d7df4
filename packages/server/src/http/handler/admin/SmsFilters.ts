import { Api } from "@leadloom/api/Api"
import { isoTime } from "@leadloom/api/schema/Field"
import type * as Wire from "@leadloom/api/admin/Sms"
import { blockNumber, listBlocked, unblockNumber } from "@leadloom/core/workflow/sms/BlockNumber"
import type { BlockedNumber } from "@leadloom/core/domain/consent/OptOut"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Numbers on a page by default. */
const defaultPageSize = 250

const toJson = ({ createdAt, phone }: BlockedNumber): typeof Wire.BlockedNumber.Type => ({
  phone,
  created_at: isoTime(createdAt)
})

/** Endpoints for a tenant's blocklist of phone numbers. */
export const layer = HttpApiBuilder.group(Api, "smsFilters", (handlers) =>
  handlers.handleAll({
    blocklist: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSize } }) {
      const { items, nextCursor } = yield* answer(listBlocked(params.tenant_id, { cursor, limit }))
      return { blocklist: items.map(toJson), next_cursor: nextCursor }
    }),
    block: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(blockNumber(params.tenant_id, payload.phone)))
    }),
    unblock: Effect.fnUntraced(function* ({ params, payload }) {
      yield* answer(unblockNumber(params.tenant_id, payload.phone))
      return { status: "removed" as const }
    })
  })
)
