/** The operator's name for a tenant. It stands in paths, so it is short, plain and lower case. */
export type TenantId = string

/** Two to 63 characters. */
const pattern = /^[a-z0-9][a-z0-9_-]{1,62}$/u

/** First and fixed segments of the API's own paths, and words that mean every tenant. */
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

/** Why a text cannot be a tenant id, as a sentence for the operator; null when it can. */
export const checkTenantId = (text: string): string | null => {
  if (!pattern.test(text)) {
    return "A tenant id is 2 to 63 characters from a-z, 0-9, - and _, and begins with a letter or digit."
  }
  if (reservedTenantIds.has(text)) return `"${text}" is a word of the API's own paths and cannot be a tenant id.`
  return null
}
