import type { Redacted } from "effect"

/** The settings of the Nylas application, from its dashboard. */
export interface NylasConfig {
  /** The region of the application: `https://api.us.nylas.com` or `https://api.eu.nylas.com`. */
  readonly apiUrl: string
  /** Gives access to all accounts of the application. */
  readonly apiKey: Redacted.Redacted<string>
  readonly clientId: string
  /** The redirect URI after the sign-in; must be identical to the one registered for the application. */
  readonly redirectUri: string
}

/** Returns the URL of a resource below `/v3`, or null when an id cannot be a path segment. */
export const endpoint = ({ apiUrl }: NylasConfig, steps: ReadonlyArray<string>): string | null => {
  // `..` would change the path even when it is percent-encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  const path = steps.map((step) => encodeURIComponent(step.toWellFormed())).join("/")
  return `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/v3/${path}`
}
