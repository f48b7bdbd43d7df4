import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { getDomain } from "tldts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { timeZoneOf } from "../../domain/time/TimeFacts.ts"
import { storeConfig } from "./SaveConfig.ts"
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
  readonly field: "tenant_id" | "domain" | "preset" | "time_zone" | "locale"
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

const requireDomain = Effect.fnUntraced(function* (text: string | null) {
  if (text === null) return null
  const read = readDomain(text)
  return "reason" in read ? yield* new TenantInvalid({ field: "domain", reason: read.reason }) : read.domain
})

/** Creates a tenant with the configuration of a preset, or with the default configuration. */
export const createTenant = Effect.fnUntraced(function* (input: NewTenant) {
  const wrongId = checkTenantId(input.tenantId)
  if (wrongId !== null) return yield* new TenantInvalid({ field: "tenant_id", reason: wrongId })
  const domain = yield* requireDomain(input.domain)
  const preset = findPreset(input.preset ?? "default")
  if (preset === null) {
    return yield* new TenantInvalid({ field: "preset", reason: `Known presets: ${presetNames.join(", ")}.` })
  }
  const tenant: Tenant = {
    tenantId: input.tenantId,
    name: input.name,
    domain,
    hipaa: input.hipaa,
    locale: null,
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
export interface TenantChange extends Partial<Pick<Tenant, "name" | "plan" | "domain" | "hipaa" | "locale">> {
  /** The time zone of the configuration. A change saves a new version of the configuration. */
  readonly timeZone?: string
}

const auditedTenant = ({ config, domain, hipaa, locale, name, plan }: Tenant) => ({
  name,
  plan,
  domain,
  hipaa,
  locale,
  time_zone: config.timeZone
})

/** Returns the canonical form of a BCP 47 tag, for example `de-DE` for `de-de`. */
const requireLocale = (text: string | null): Effect.Effect<string | null, TenantInvalid> =>
  text === null
    ? Effect.succeed(null)
    : Effect.try({
        try: () => new Intl.Locale(text).toString(),
        catch: () => new TenantInvalid({ field: "locale", reason: "Send a BCP 47 tag such as de-DE." })
      })

const requireTimeZone = Effect.fnUntraced(function* (text: string) {
  if (timeZoneOf(text) !== null) return text
  return yield* new TenantInvalid({ field: "time_zone", reason: "Send an IANA time zone such as Europe/Berlin." })
})

/** Returns the tenant with checked changes, without a changed configuration. */
const changeTenant = Effect.fnUntraced(function* (before: Tenant, { timeZone: _, ...change }: TenantChange) {
  return {
    ...before,
    ...change,
    domain: change.domain === undefined ? before.domain : yield* requireDomain(change.domain),
    locale: change.locale === undefined ? before.locale : yield* requireLocale(change.locale)
  } satisfies Tenant
})

/**
 * Changes a tenant, and its time zone in the configuration. The counted usage of the month does not change. `changedBy`
 * names the caller in the record of the configuration.
 */
export const updateTenant = Effect.fnUntraced(function* (
  tenantId: string,
  change: TenantChange,
  changedBy: string = "system"
) {
  const tenants = yield* Tenants
  const unit = Effect.gen(function* () {
    const before = yield* tenants.get(tenantId)
    let changed: Tenant = yield* changeTenant(before, change)
    yield* tenants.update(changed)
    if (changed.domain !== before.domain) yield* tenants.setDomain(tenantId, changed.domain)
    const timeZone = yield* requireTimeZone(change.timeZone ?? before.config.timeZone)
    if (timeZone !== before.config.timeZone) {
      const config = { ...before.config, timeZone }
      const configVersion = yield* storeConfig(before, config, { changedBy, action: "patch" })
      changed = { ...changed, config, configVersion }
    }
    yield* recordAuditChange({ before: auditedTenant(before), after: auditedTenant(changed) })
    return changed
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("updateTenant"))

/** Returns a page of active tenants in the order of their ids. */
export const listTenants = Effect.fnUntraced(function* (page: PageRequest) {
  const tenants = yield* Tenants
  return yield* readPage(
    {
      scope: { tenantId: "", list: "tenants" },
      keyOf: ({ tenantId }: Tenant) => [tenantId],
      readKey: ([tenantId]) => (typeof tenantId === "string" ? tenantId : null),
      fetch: (limit, after: string | null) => tenants.page(limit, after)
    },
    page
  )
}, withSpan("listTenants"))

/**
 * Makes an archived tenant active again. Has no effect on an active tenant. A cancelled subscription stays cancelled.
 * Fails with `DomainTaken` when another tenant has the domain now.
 */
export const restoreTenant = Effect.fnUntraced(function* (tenantId: string) {
  const tenants = yield* Tenants
  const unit = Effect.gen(function* () {
    yield* tenants.restore(tenantId)
    yield* recordAuditChange({ before: null, after: { archived_at: null } })
    return yield* tenants.get(tenantId)
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("restoreTenant"))

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
