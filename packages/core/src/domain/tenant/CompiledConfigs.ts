import { Context, Effect, Layer } from "effect"
import type { Tenant } from "./Tenant.ts"
import type { TenantConfig } from "./TenantConfig.ts"
import { type CompiledGuardrail, compileGuardrails } from "../guardrail/EvaluateGuardrails.ts"
import { type CompiledRules, compileRules } from "../rule/CompileRules.ts"
import { recordFactsIn } from "../rule/UsedFacts.ts"
import { isEnabled, messageRulesOf } from "../rule/Rule.ts"
import { type OfficeTime, officeTimeWith } from "../time/OfficeTime.ts"
import { type TimeFacts, timeFactsIn } from "../time/TimeFacts.ts"

/** A configuration prepared for runs: compiled rules, compiled guardrails and a clock in the tenant's time zone. */
export interface CompiledConfig {
  readonly rules: CompiledRules
  /** Returns the compiled guardrails. The first call compiles them. */
  readonly guardrails: () => ReadonlyArray<CompiledGuardrail>
  readonly timeAt: (millis: number) => TimeFacts & OfficeTime
  /** The names of the values that the enabled rules for messages read on demand. A run reads no others. */
  readonly recordFacts: ReadonlyArray<string>
}

/** The maximum number of cached configurations. When it is exceeded, the least recently used one is removed. */
const capacity = 1_000

/** Compiles the rules of a configuration at once, and its guardrails on first use. */
export const compileConfig = (config: TenantConfig): CompiledConfig => {
  const readTime = timeFactsIn(config.timeZone) ?? timeFactsIn("UTC")
  if (readTime === null)
    throw new Error("This platform has no time zone data for UTC. Use a Node.js build with full ICU data.")
  const readOffice = officeTimeWith(config.voice.callbackHours, config.holidays)
  const rules = messageRulesOf(config.rules)
  let guardrails: ReadonlyArray<CompiledGuardrail> | null = null
  return {
    rules: compileRules(rules),
    guardrails: () => (guardrails ??= compileGuardrails(config.guardrails)),
    timeAt: (millis) => {
      const time = readTime(millis)
      return { ...time, ...readOffice(time) }
    },
    recordFacts: recordFactsIn(rules.filter(isEnabled))
  }
}

/** A cache that compiles each version of a tenant's configuration once. */
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
