import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { getDomain } from "tldts"
import { checkTenantId } from "../../domain/TenantId.ts"
import { archivedId, isLive, look } from "../../domain/billing/Account.ts"
import { noOverrides, type Plan } from "../../domain/billing/Plan.ts"
import { asciiHost } from "../../domain/email/Mailbox.ts"
import { isPublicMailDomain } from "../../domain/email/PublicMailbox.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { findPreset, presetNames } from "../../domain/tenant/preset/Preset.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** A field of the new tenant is invalid. `reason` describes a valid value. */
export class TenantInvalid extends TaggedError("TenantInvalid")<{
  readonly field: "tenant_id" | "domain" | "preset"
  readonly reason: string
}> {}

export interface NewTenant {
  readonly tenantId: string
  readonly name: string
  readonly domain: string | null
  readonly preset: string | null
  readonly hipaa: boolean
  /** The default is `trial`. */
  readonly plan?: Plan
}

/** Returns the host name of a domain in lower-case ASCII, or the reason why the domain is invalid. */
const readDomain = (text: string): { readonly domain: string } | { readonly reason: string } => {
  const domain = asciiHost(text.trim().replace(/\.$/u, ""))
  // The following are no registered domains: a public suffix, and a domain under which a company hosts its customers.
  const registered = getDomain(domain, { allowPrivateDomains: true, validateHostname: true })
  if (registered === null || /[/:@]/u.test(domain))
    return { reason: "Invalid domain. Send a registered domain such as example.com." }
  return isPublicMailDomain(domain)
    ? { reason: "Public mail providers are not allowed. Send a domain that the tenant owns, or none." }
    : { domain }
}

/** Creates a tenant with the configuration of a preset, or with the default configuration. */
export const createTenant = Effect.fnUntraced(function* (input: NewTenant) {
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
    yield* recordAuditChange({
      before: null,
      after: { name, domain: own, hipaa, plan, preset: input.preset ?? "default" }
    })
    return tenant
  })
  return yield* (yield* Transactions).atomically(tenantId, opened)
}, withSpan("createTenant"))

/** The operator's change of a tenant; absent fields keep their values. */
export type TenantChange = Partial<Pick<Tenant, "name" | "plan">>

const auditedTenant = ({ name, plan }: Tenant) => ({ name, plan })

/** Changes the name or the plan of a tenant. The counted usage of the month does not change. */
export const updateTenant = Effect.fnUntraced(function* (tenantId: string, change: TenantChange) {
  const tenants = yield* Tenants
  const unit = Effect.gen(function* () {
    const before = yield* tenants.get(tenantId)
    const changed: Tenant = { ...before, ...change }
    yield* tenants.update(changed)
    yield* recordAuditChange({ before: auditedTenant(before), after: auditedTenant(changed) })
    return changed
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("updateTenant"))

/**
 * Archives a tenant. The server no longer accepts requests for it, its data stays, and its subscription is cancelled.
 */
export const archiveTenant = Effect.fnUntraced(function* (tenantId: string) {
  const archivedAt = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    yield* (yield* Tenants).archive(tenantId, archivedAt)
    yield* recordAuditChange({ before: { archived_at: null }, after: { archived_at: archivedAt } })
    const account = yield* (yield* BillingAccounts).find(tenantId)
    if (account === null || account.subscriptionId === null || !isLive(account.status)) return
    const times = { dueAt: archivedAt, createdAt: archivedAt }
    yield* (yield* Jobs).put({ tenantId, jobId: archivedId, ...times, job: look })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("archiveTenant"))
