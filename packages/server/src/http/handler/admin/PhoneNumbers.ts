import { numberToJson } from "@leadloom/api/internal/admin/Sms"
import { Api } from "@leadloom/api/internal/Api"
import { assignNumber, listNumbers, releaseNumber } from "@leadloom/core/internal/workflow/tenant/AssignNumber"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of numbers per page. */
const defaultPageSize = 250

/** Endpoints that assign phone numbers to tenants. */
export const layer = HttpApiBuilder.group(Api, "phoneNumbers", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { cursor = null, limit = defaultPageSize } }) {
      const { items, nextCursor } = yield* answer(listNumbers({ cursor, limit }))
      return { phone_numbers: items.map(numberToJson), next_cursor: nextCursor }
    }),
    assign: Effect.fnUntraced(function* ({ payload: { default: isDefault = false, phone, tenant_id } }) {
      return numberToJson(yield* answer(assignNumber(tenant_id, phone, isDefault)))
    }),
    release: Effect.fnUntraced(function* ({ payload }) {
      yield* answer(releaseNumber(payload.phone))
      return { status: "removed" as const }
    })
  })
)
