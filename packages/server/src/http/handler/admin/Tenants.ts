import { tenantToJson } from "@leadloom/api/internal/admin/Tenants"
/**
 * Handlers of operators, admins and managers, one file per endpoint group. A handler decodes, calls one workflow and
 * encodes; business rules belong in `packages/core/src/workflow`. Tests: `packages/server/test/http`.
 */

import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import {
  archiveTenant,
  createTenant,
  listTenants,
  restoreTenant,
  updateTenant
} from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The page size when a request continues a list without a limit. */
const maxPageSize = 250

/** Endpoints for tenants. Only the operator may use them. */
export const layer = HttpApiBuilder.group(Api, "tenants", (handlers) =>
  handlers.handleAll({
    create: Effect.fnUntraced(function* ({ payload }) {
      const tenant = createTenant({
        tenantId: payload.tenant_id,
        name: payload.name,
        domain: payload.domain ?? null,
        preset: payload.preset ?? null,
        hipaa: payload.hipaa ?? false,
        plan: payload.plan ?? "trial"
      })
      return tenantToJson(yield* answer(tenant))
    }),
    list: Effect.fnUntraced(function* ({ query: { cursor, limit } }) {
      // Without a page, the list contains all tenants, as in the first version of the contract.
      const { items, nextCursor } =
        limit === undefined && cursor === undefined
          ? { items: yield* answer((yield* Tenants).list), nextCursor: null }
          : yield* answer(listTenants({ limit: limit ?? maxPageSize, cursor: cursor ?? null }))
      return { tenants: items.map(tenantToJson), next_cursor: nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const tenants = yield* Tenants
      return tenantToJson(yield* answer(tenants.get(params.tenant_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      const { time_zone: timeZone, ...fields } = payload
      const change = { ...fields, ...(timeZone === undefined ? {} : { timeZone }) }
      const changedBy = principalName(yield* Principal)
      return tenantToJson(yield* answer(updateTenant(params.tenant_id, change, changedBy)))
    }),
    restore: Effect.fnUntraced(function* ({ params }) {
      return tenantToJson(yield* answer(restoreTenant(params.tenant_id)))
    }),
    archive: Effect.fnUntraced(function* ({ params }) {
      yield* answer(archiveTenant(params.tenant_id))
    })
  })
)
