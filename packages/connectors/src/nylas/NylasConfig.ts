import type { Redacted } from "effect"

/** How this server speaks to Nylas; what an operator finds in its dashboard. */
export interface NylasConfig {
  /** `https://api.us.nylas.com` or `https://api.eu.nylas.com`: where the application lives. */
  readonly apiUrl: string
  /** Speaks for the whole application, every account of it. */
  readonly apiKey: Redacted.Redacted<string>
  readonly clientId: string
  /** Where owners come back to after they have signed in; the same one that the application knows, to the letter. */
  readonly redirectUri: string
}

/** The address of something below `/v3`; null when one of the ids cannot be a step of a path. */
export const endpoint = ({ apiUrl }: NylasConfig, steps: ReadonlyArray<string>): string | null => {
  // `..` would lead to something else, however it is encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  const path = steps.map((step) => encodeURIComponent(step.toWellFormed())).join("/")
  return `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/v3/${path}`
}
