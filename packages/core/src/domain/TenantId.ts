/** The operator's name for a tenant. It is short and lower case, because URL paths contain it. */
export type TenantId = string

/** Matches 2 to 63 characters. */
const pattern = /^[a-z0-9][a-z0-9_-]{1,62}$/u

/** Ids that no tenant may have: segments of the API's own paths, and words that could mean "every tenant". */
export const reservedTenantIds: ReadonlySet<string> = new Set([
  "actions",
  "admin",
  "all",
  "api",
  "assistant",
  "automation",
  "billing",
  "callbacks",
  "config",
  "crm",
  "docs",
  "events",
  "guardrails",
  "health",
  "leads",
  "locations",
  "metrics",
  "openapi",
  "presets",
  "providers",
  "public",
  "sessions",
  "sources",
  "tenants",
  "test",
  "usage",
  "v1",
  "voice",
  "webhook",
  "webhooks"
])

/**
 * Returns the reason why the text is not a valid tenant id, as a sentence for the operator. Returns null for a valid
 * id.
 */
export const checkTenantId = (text: string): string | null => {
  if (!pattern.test(text)) {
    return "A tenant id has 2 to 63 characters from a-z, 0-9, - and _, and starts with a letter or digit."
  }
  if (reservedTenantIds.has(text))
    return `"${text}" is reserved, because the API's own paths use it. Choose another tenant id.`
  return null
}
