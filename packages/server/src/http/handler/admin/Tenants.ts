import { tenantToJson } from "@leadloom/api/internal/admin/Tenants"
/**
 * Handlers of operators, admins and managers, one file per endpoint group. A handler decodes, calls one workflow and
 * encodes; business rules belong in `packages/core/src/workflow`. Tests: `packages/server/test/http`.
 */

import { Api } from "@leadloom/api/internal/Api"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { archiveTenant, createTenant, updateTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

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
    list: Effect.fnUntraced(function* () {
      const tenants = yield* Tenants
      return { tenants: (yield* answer(tenants.list)).map(tenantToJson) }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const tenants = yield* Tenants
      return tenantToJson(yield* answer(tenants.get(params.tenant_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return tenantToJson(yield* answer(updateTenant(params.tenant_id, payload)))
    }),
    archive: Effect.fnUntraced(function* ({ params }) {
      yield* answer(archiveTenant(params.tenant_id))
    })
  })
)
