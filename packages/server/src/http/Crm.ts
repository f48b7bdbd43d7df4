import { Principal } from "@leadloom/api/Access"
import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/Crm"
import { isoTime } from "@leadloom/api/Field"
import { principalName } from "@leadloom/core/access/Principal"
import type { CrmInstall } from "@leadloom/core/crm/CrmInstall"
import { finishInstall, setSync, startInstall, uninstall } from "@leadloom/core/crm/Install"
import { CrmInstalls } from "@leadloom/core/port/CrmInstalls"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./errors.ts"

const toJson = (install: CrmInstall): typeof Wire.CrmInstall.Type => ({
  location_id: install.locationId,
  company_id: install.companyId,
  status: install.status,
  reason: install.reason,
  sync: install.sync,
  scopes: install.scopes,
  installed_at: isoTime(install.installedAt),
  updated_at: isoTime(install.updatedAt)
})

/** The CRM of a tenant: who has let us in, and what happens to contacts. */
export const layer = HttpApiBuilder.group(Api, "crm", (handlers) =>
  handlers.handleAll({
    authUrl: Effect.fnUntraced(function* ({ params }) {
      const principal = principalName(yield* Principal)
      const { expiresAt, url } = yield* answer(startInstall(params.tenant_id, principal))
      return { url, expires_at: isoTime(expiresAt) }
    }),
    callback: Effect.fnUntraced(function* ({ params, payload: { code, state } }) {
      const principal = principalName(yield* Principal)
      return toJson(yield* answer(finishInstall({ tenantId: params.tenant_id, principal, code, state })))
    }),
    listInstalls: Effect.fnUntraced(function* ({ params }) {
      const installs = yield* CrmInstalls
      return { installs: (yield* answer(installs.list(params.tenant_id))).map(toJson) }
    }),
    updateInstall: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(setSync(params.tenant_id, params.location_id, payload.sync)))
    }),
    removeInstall: Effect.fnUntraced(function* ({ params }) {
      yield* answer(uninstall(params.tenant_id, params.location_id))
    })
  })
)
