/**
 * Handlers of operators, admins and managers, one file per endpoint group. A handler decodes, calls one workflow and
 * encodes; business rules belong in `packages/core/src/workflow`. Tests: `packages/server/test/http`.
 */

import { Api } from "@leadloom/api/Api"
import { isoTime } from "@leadloom/api/schema/Field"
import type * as Wire from "@leadloom/api/admin/Tenants"
import { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { archiveTenant, createTenant, updateTenant } from "@leadloom/core/workflow/tenant/Tenants"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const toJson = (tenant: Tenant): typeof Wire.Tenant.Type => ({
  tenant_id: tenant.tenantId,
  name: tenant.name,
  domain: tenant.domain,
  hipaa: tenant.hipaa,
  plan: tenant.plan,
  created_at: isoTime(tenant.createdAt)
})

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
      return toJson(yield* answer(tenant))
    }),
    list: Effect.fnUntraced(function* () {
      const tenants = yield* Tenants
      return { tenants: (yield* answer(tenants.list)).map(toJson) }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const tenants = yield* Tenants
      return toJson(yield* answer(tenants.get(params.tenant_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(updateTenant(params.tenant_id, payload)))
    }),
    archive: Effect.fnUntraced(function* ({ params }) {
      yield* answer(archiveTenant(params.tenant_id))
    })
  })
)
