import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { installToJson } from "@leadloom/api/internal/admin/Crm"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { CrmInstall } from "@leadloom/core/internal/domain/crm/Location"
import { finishInstall, setSync, startInstall, uninstall } from "@leadloom/core/internal/workflow/crm/Install"
import { resyncLocation } from "@leadloom/core/internal/workflow/crm/StartFirstSync"
import { CrmFirstSyncs, CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Returns an installation with the progress of its first sync. */
const shown = Effect.fnUntraced(function* (install: CrmInstall) {
  return installToJson(install, yield* (yield* CrmFirstSyncs).get(install.tenantId, install.locationId))
})

/** Endpoints for a tenant's CRM: installations, and the sync of contacts. */
export const layer = HttpApiBuilder.group(Api, "crm", (handlers) =>
  handlers.handleAll({
    authUrl: Effect.fnUntraced(function* ({ params }) {
      const principal = principalName(yield* Principal)
      const { expiresAt, url } = yield* answer(startInstall(params.tenant_id, principal))
      return { url, expires_at: isoTime(expiresAt) }
    }),
    callback: Effect.fnUntraced(function* ({ params, payload: { code, state } }) {
      const principal = principalName(yield* Principal)
      const back = { tenantId: params.tenant_id, principal, code, state }
      return yield* answer(Effect.flatMap(finishInstall(back), shown))
    }),
    listInstalls: Effect.fnUntraced(function* ({ params }) {
      const tenantId = params.tenant_id
      const [installs, firstSyncs] = [yield* CrmInstalls, yield* CrmFirstSyncs]
      const firstSyncByLocation = new Map(
        (yield* answer(firstSyncs.list(tenantId))).map((each) => [each.locationId, each])
      )
      const list = yield* answer(installs.list(tenantId))
      return {
        installs: list.map((install) => installToJson(install, firstSyncByLocation.get(install.locationId) ?? null))
      }
    }),
    updateInstall: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* answer(Effect.flatMap(setSync(params.tenant_id, params.location_id, payload.sync), shown))
    }),
    syncInstall: Effect.fnUntraced(function* ({ params }) {
      return yield* answer(Effect.flatMap(resyncLocation(params.tenant_id, params.location_id), shown))
    }),
    removeInstall: Effect.fnUntraced(function* ({ params }) {
      yield* answer(uninstall(params.tenant_id, params.location_id))
    })
  })
)
