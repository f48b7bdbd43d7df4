import type { Issue } from "@leadloom/api/Echo"
import * as Liquid from "@leadloom/connectors/templates/Liquid"
import { configJson } from "@leadloom/core/domain/tenant/TenantConfig"
import { checkConfig } from "@leadloom/core/workflow/tenant/CheckConfig"
import { Effect, Result, Schema } from "effect"
import { fieldIssues } from "../http/validation/SchemaIssues.ts"

const decode = Schema.decodeUnknownResult(configJson.schema, { errors: "all", onExcessProperty: "error" })

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
