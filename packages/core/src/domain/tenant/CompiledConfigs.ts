import { Context, Effect, Layer } from "effect"
import type { Tenant } from "./Tenant.ts"
import type { TenantConfig } from "./TenantConfig.ts"
import { type CompiledGuardrail, compileGuardrails } from "../guardrail/EvaluateGuardrails.ts"
import { type CompiledRules, compileRules } from "../rule/CompileRules.ts"
import { type TimeFacts, timeFactsIn } from "../time/TimeFacts.ts"

/** A configuration made ready to run: its rules as closures, its guardrails with their phrases read, and its clock. */
export interface CompiledConfig {
  readonly rules: CompiledRules
  /** Made when a reply is weighed for the first time. */
  readonly guardrails: () => ReadonlyArray<CompiledGuardrail>
  readonly timeAt: (millis: number) => TimeFacts
}

/** Configurations kept ready; the ones not used for longest go first. */
const capacity = 1_000

/** Makes a configuration ready to run. */
export const compileConfig = (config: TenantConfig): CompiledConfig => {
  const timeAt = timeFactsIn(config.timeZone) ?? timeFactsIn("UTC")
  if (timeAt === null) throw new Error("this platform knows no time zones")
  let guardrails: ReadonlyArray<CompiledGuardrail> | null = null
  return {
    rules: compileRules(config.rules),
    guardrails: () => (guardrails ??= compileGuardrails(config.guardrails)),
    timeAt
  }
}

/** Compiles each version of a tenant's configuration once. */
export class CompiledConfigs extends Context.Service<
  CompiledConfigs,
  { readonly of: (tenant: Tenant) => Effect.Effect<CompiledConfig> }
>()("core/domain/tenant/CompiledConfigs") {
  static readonly layer: Layer.Layer<CompiledConfigs> = Layer.sync(CompiledConfigs, () => {
    const kept = new Map<string, { readonly version: number; readonly compiled: CompiledConfig }>()
    return CompiledConfigs.of({
      of: (tenant) =>
        Effect.sync(() => {
          const { configVersion, tenantId } = tenant
          const found = kept.get(tenantId)
          kept.delete(tenantId)
          const compiled = found?.version === configVersion ? found.compiled : compileConfig(tenant.config)
          kept.set(tenantId, { version: configVersion, compiled })
          const oldest = kept.size > capacity ? kept.keys().next().value : undefined
          if (oldest !== undefined) kept.delete(oldest)
          return compiled
        })
    })
  })
}
