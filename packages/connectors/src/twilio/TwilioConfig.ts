import type { Redacted } from "effect"

/** The settings of the operator's Twilio account. Its numbers are assigned to tenants. */
export interface TwilioConfig {
  /** `https://api.twilio.com`, except in tests. */
  readonly apiUrl: string
  /** `AC…` */
  readonly accountSid: string
  /** Signs all webhooks. Also authenticates requests when there is no API key. */
  readonly authToken: Redacted.Redacted<string>
  /** An API key (`SK…`), which can be revoked separately; null to authenticate with the account's token. */
  readonly apiKey: { readonly sid: string; readonly secret: Redacted.Redacted<string> } | null
}

/** The version of the API; it has not changed since. */
const apiVersion = "2010-04-01"

/** Returns the URL of a resource without its extension, or null when an id cannot be a path segment. */
export const endpoint = ({ accountSid, apiUrl }: TwilioConfig, steps: ReadonlyArray<string>): string | null => {
  // `..` would change the path even when it is percent-encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  const path = [apiVersion, "Accounts", accountSid, ...steps].map((step) => encodeURIComponent(step.toWellFormed()))
  return `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/${path.join("/")}`
}
