import { Clock, Data, Effect } from "effect"
import { getDomain } from "tldts"
import { noteChange } from "../access/Audited.ts"
import { asciiHost } from "../../domain/email/Mailbox.ts"
import { isPublicMailDomain } from "../../domain/email/PublicMailbox.ts"
import { noOverrides, type Plan } from "../../domain/billing/Plan.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { findPreset, presetNames } from "../../domain/tenant/preset/Preset.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { checkTenantId } from "../../domain/TenantId.ts"

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

/** The host name of a domain in lower-case ASCII, or what is wrong with it. */
const readDomain = (text: string): { readonly domain: string } | { readonly reason: string } => {
  const domain = asciiHost(text.trim().replace(/\.$/u, ""))
  // A public suffix, also one that a company lets others live under, has no registered domain.
  const registered = getDomain(domain, { allowPrivateDomains: true, validateHostname: true })
  if (registered === null || /[/:@]/u.test(domain)) return { reason: "Give a registered domain such as example.com." }
  return isPublicMailDomain(domain)
    ? { reason: "Anybody can have an address on this domain: give one that the tenant owns, or none." }
    : { domain }
}

/** Opens a tenant with the configuration of its preset, or the default one. */
export const createTenant = Effect.fn("createTenant")(function* (input: NewTenant) {
  const wrongId = checkTenantId(input.tenantId)
  if (wrongId !== null) return yield* new TenantInvalid({ field: "tenant_id", reason: wrongId })
  const read = input.domain === null ? { domain: null } : readDomain(input.domain)
  if ("reason" in read) return yield* new TenantInvalid({ field: "domain", reason: read.reason })
  const preset = findPreset(input.preset ?? "default")
  if (preset === null) {
    return yield* new TenantInvalid({ field: "preset", reason: `Known presets: ${presetNames.join(", ")}.` })
  }
  const tenant: Tenant = {
    tenantId: input.tenantId,
    name: input.name,
    domain: read.domain,
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
