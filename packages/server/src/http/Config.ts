import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/Config"
import { Tenants } from "@leadloom/core/port/Tenants"
import { saveConfig } from "@leadloom/core/tenant/SaveConfig"
import type { Tenant } from "@leadloom/core/tenant/Tenant"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { configFromJson, configToJson } from "./ConfigJson.ts"
import { answer } from "./errors.ts"

const toJson = ({ config, configVersion, tenantId }: Tenant): typeof Wire.StoredConfig.Type => ({
  tenant_id: tenantId,
  version: configVersion,
  config: configToJson(config)
})

/** A tenant's configuration. */
export const layer = HttpApiBuilder.group(Api, "config", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params }) {
      const tenants = yield* Tenants
      return toJson(yield* answer(tenants.get(params.tenant_id)))
    }),
    replace: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(saveConfig(params.tenant_id, configFromJson(payload))))
    })
  })
)
