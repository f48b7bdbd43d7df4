import { Clock, Data, Effect } from "effect"
import { getDomain } from "tldts"
import { noteChange } from "../audit/Audited.ts"
import { noOverrides, type Plan } from "../limit/Plan.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import { findPreset, presetNames } from "./Preset.ts"
import type { Tenant } from "./Tenant.ts"
import { checkTenantId } from "./TenantId.ts"

/** A field of the new tenant does not do; `reason` says what does. */
export class TenantInvalid extends Data.TaggedError("TenantInvalid")<{
  readonly field: "tenant_id" | "domain" | "preset"
  readonly reason: string
}> {}

export interface NewTenant {
  readonly tenantId: string
  readonly name: string
  readonly domain: string | null
  readonly preset: string | null
  readonly hipaa: boolean
  /** Default: trial. */
  readonly plan?: Plan
}

/** A host name in lower case without scheme, path and trailing dot; null when it is none. */
const readDomain = (text: string): string | null => {
  const host = text.trim().toLowerCase().replace(/\.$/u, "")
  return getDomain(host, { allowPrivateDomains: true, validateHostname: true }) === null || /[/:@]/u.test(host)
    ? null
    : host
}

/** Opens a tenant with the configuration of its preset, or the default one. */
export const createTenant = Effect.fn("createTenant")(function* (input: NewTenant) {
  const wrongId = checkTenantId(input.tenantId)
  if (wrongId !== null) return yield* new TenantInvalid({ field: "tenant_id", reason: wrongId })
  const domain = input.domain === null ? null : readDomain(input.domain)
  if (input.domain !== null && domain === null) {
    return yield* new TenantInvalid({ field: "domain", reason: "Give a registered domain such as example.com." })
  }
  const preset = findPreset(input.preset ?? "default")
  if (preset === null) {
    return yield* new TenantInvalid({ field: "preset", reason: `Known presets: ${presetNames.join(", ")}.` })
  }
  const tenant: Tenant = {
    tenantId: input.tenantId,
    name: input.name,
    domain,
    hipaa: input.hipaa,
    plan: input.plan ?? "trial",
    capOverrides: noOverrides,
    createdAt: yield* Clock.currentTimeMillis,
    archivedAt: null,
    config: preset,
    configVersion: 1
  }
  const { domain: own, hipaa, name, plan, tenantId } = tenant
  const opened = Effect.gen(function* () {
    yield* (yield* Tenants).insert(tenant)
    yield* noteChange({ before: null, after: { name, domain: own, hipaa, plan, preset: input.preset ?? "default" } })
    return tenant
  })
  return yield* (yield* Transactions).atomically(tenantId, opened)
})
