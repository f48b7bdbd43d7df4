import type { Issue } from "@leadloom/api/internal/Echo"
import * as Liquid from "@leadloom/connectors/internal/templates/Liquid"
import { type ChangedValue, changedValues } from "@leadloom/core/internal/domain/tenant/ConfigDifferences"
import { configJson, type TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { checkConfig } from "@leadloom/core/internal/workflow/tenant/CheckConfig"
import { Effect, Result, Schema } from "effect"
import { fieldIssues } from "../http/validation/SchemaIssues.ts"

export type { ChangedValue } from "@leadloom/core/internal/domain/tenant/ConfigDifferences"

const decode = Schema.decodeUnknownResult(configJson.schema, { errors: "all", onExcessProperty: "error" })

const read = (json: unknown): TenantConfig | null => {
  const decoded = decode(json)
  return Result.isSuccess(decoded) ? configJson.fromJson(decoded.success) : null
}

/**
 * Checks a tenant's configuration as the server does before it saves one. Needs no server and no database.
 * @returns the issues; empty if the configuration is valid
 */
export const checkTenantConfig = async (json: unknown): Promise<ReadonlyArray<Issue>> => {
  const decoded = decode(json)
  return Result.isFailure(decoded)
    ? fieldIssues(decoded.failure.issue, json)
    : Effect.runPromise(Effect.provide(checkConfig(configJson.fromJson(decoded.success)), Liquid.layer))
}

/**
 * Compares two configurations in JSON. Absent fields have their defaults, and the order of fields has no meaning.
 * @returns the changed values; null if one of the two is not a configuration of this version
 */
export const compareTenantConfigs = (before: unknown, after: unknown): ReadonlyArray<ChangedValue> | null => {
  const [old, now] = [read(before), read(after)]
  return old === null || now === null ? null : changedValues(old, now)
}
