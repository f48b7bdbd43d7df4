import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { maxBodyDepth } from "@leadloom/api/internal/BodyLimits"
import * as Wire from "@leadloom/api/internal/admin/Config"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import type { ChangeAction } from "@leadloom/core/internal/domain/tenant/ConfigChange"
import { listConfigChanges, readConfigVersion } from "@leadloom/core/internal/workflow/tenant/ConfigChanges"
import { mergePatch } from "@leadloom/core/internal/domain/text/Json"
import { presets } from "@leadloom/core/internal/domain/tenant/preset/Preset"
import { checkReserved } from "@leadloom/core/internal/workflow/tenant/ReservedSettings"
import { changeConfig, ConfigInvalid } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { scaffoldConfig } from "@leadloom/core/internal/workflow/tenant/ScaffoldConfig"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { configJson, type TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { shapeOf } from "../../validation/BodyShape.ts"
import { answer } from "../../error/errors.ts"
import { requireRight } from "../../middleware/Authorization.ts"
import { etagOf, knowsVersion, notModified, setETag, versionsOf } from "../../middleware/ETag.ts"
import { fieldIssues } from "../../validation/SchemaIssues.ts"
import { maxValuesExamined } from "../../validation/Validation.ts"

/** The default number of entries per page. */
const defaultPageSize = 20

const toJson = ({ config, configVersion, tenantId }: Tenant): typeof Wire.StoredConfig.Type => ({
  tenant_id: tenantId,
  version: configVersion,
  config: configJson.toJson(config)
})

/** Returns the configuration, with its version in the headers. */
const report = (tenant: Tenant) => Effect.as(setETag(tenant.configVersion), toJson(tenant))

/** Encodes a stored configuration as the framework does, which checks it against its schema. */
const encode = Schema.encodeSync(Schema.toCodecJson(Wire.StoredConfig))

/** The JSON texts of tenants in memory. The key is the whole tenant, because tenants may share one configuration. */
const texts = new WeakMap<Tenant, string>()

/**
 * Returns the JSON text of a tenant's configuration. A tenant in memory never changes, so its text is checked and encoded
 * once.
 */
const textOf = (tenant: Tenant): string => {
  const known = texts.get(tenant)
  if (known !== undefined) return known
  const text = JSON.stringify(encode(toJson(tenant)))
  texts.set(tenant, text)
  return text
}

/** Returns the configuration as `report` does, for the endpoint that programs call repeatedly. */
const reportUnchanged = (tenant: Tenant): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(textOf(tenant), {
    contentType: "application/json",
    headers: { etag: etagOf(tenant.configVersion) }
  })

/**
 * Returns a changed configuration. Yields first, because the largest configuration takes tens of milliseconds to check
 * and as long to encode.
 */
const reportChanged = (tenant: Tenant) => Effect.andThen(Effect.yieldNow, report(tenant))

/** Decodes a configuration. Reports its first issue, or all of its issues. */
const read = (errors: "first" | "all") =>
  Schema.decodeUnknownEffect(configJson.schema, { errors, onExcessProperty: "error" })
const [readFirst, readAll] = [read("first"), read("all")]

/** Returns whether a patch is so small that all of its issues are reported (see `Validation`). */
const isSmall = (patch: unknown): boolean =>
  shapeOf(JSON.stringify(patch), maxValuesExamined, maxBodyDepth).values <= maxValuesExamined

/** Applies a merge patch to a configuration. The result is validated as strictly as a complete configuration. */
const patched = (config: TenantConfig, patch: unknown) =>
  (isSmall(patch) ? readAll : readFirst)(mergePatch(configJson.toJson(config), patch)).pipe(
    Effect.map(configJson.fromJson),
    Effect.mapError(({ issue }) => new ConfigInvalid({ issues: fieldIssues(issue) }))
  )

const editBy = Effect.fnUntraced(function* (
  action: ChangeAction,
  headers: { readonly "if-match"?: string },
  comment: { readonly comment?: string } = {}
) {
  const changedBy = principalName(yield* Principal)
  return { changedBy, action, versions: yield* versionsOf(headers["if-match"]), ...comment }
})

/** Returns whether the caller may change the settings that are reserved for administrators. */
const isAdministrator = Effect.fnUntraced(function* (tenantId: string) {
  return yield* Effect.isSuccess(requireRight(yield* Principal, "administer", tenantId))
})

/** Endpoints for a tenant's configuration. */
export const layer = HttpApiBuilder.group(Api, "config", (handlers) =>
  handlers.handleAll({
    presets: () =>
      Effect.succeed({ presets: presets.map((preset) => ({ ...preset, config: configJson.toJson(preset.config) })) }),
    get: Effect.fnUntraced(function* ({ headers, params }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      return knowsVersion(headers["if-none-match"], tenant.configVersion)
        ? notModified(tenant.configVersion)
        : reportUnchanged(tenant)
    }),
    replace: Effect.fnUntraced(function* ({ headers, params, payload, query }) {
      const edit = yield* editBy("replace", headers, query)
      // The decoding of the largest configuration has used tens of milliseconds of this turn of the event loop.
      yield* Effect.yieldNow
      const mayAll = yield* isAdministrator(params.tenant_id)
      const change = (tenant: Tenant) => checkReserved(tenant, configJson.fromJson(payload), mayAll)
      return yield* reportChanged(yield* answer(changeConfig(params.tenant_id, change, edit)))
    }),
    update: Effect.fnUntraced(function* ({ headers, params, payload, query }) {
      const edit = yield* editBy("patch", headers, query)
      const mayAll = yield* isAdministrator(params.tenant_id)
      const change = (tenant: Tenant) =>
        Effect.flatMap(patched(tenant.config, payload), (config) => checkReserved(tenant, config, mayAll))
      return yield* reportChanged(yield* answer(changeConfig(params.tenant_id, change, edit)))
    }),
    scaffold: Effect.fnUntraced(function* ({ headers, params, payload: { overwrite = false, preset } }) {
      const edit = yield* editBy("scaffold", headers)
      return yield* reportChanged(yield* answer(scaffoldConfig(params.tenant_id, { preset, overwrite }, edit)))
    }),
    audit: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor ?? null }
      const { changes, nextCursor } = yield* answer(listConfigChanges(params.tenant_id, page))
      return { entries: changes.map(Wire.changeToJson), next_cursor: nextCursor }
    }),
    version: Effect.fnUntraced(function* ({ params: { tenant_id, version } }) {
      const { change, config } = yield* answer(readConfigVersion(tenant_id, version))
      const shown = change === null ? null : Wire.changeToJson(change)
      return { tenant_id, version, config: configJson.toJson(config), change: shown }
    })
  })
)
