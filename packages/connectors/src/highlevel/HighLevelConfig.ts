import type { Redacted } from "effect"

/** How this server speaks to HighLevel; what an operator finds at its marketplace. */
export interface HighLevelConfig {
  /** Without a slash at the end; `defaultApiUrl` unless somebody stands in for it. */
  readonly apiUrl: string
  /** Where owners choose a location and let us in; a white-labelled marketplace has another. */
  readonly authorizeUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** Where owners come back to; the same one that the app at the marketplace knows, to the letter. */
  readonly redirectUri: string
}

export const defaultApiUrl = "https://services.leadconnectorhq.com"
export const defaultAuthorizeUrl = "https://marketplace.gohighlevel.com/v2/oauth/chooselocation"

/** The `Version` header, which every endpoint but the one for tokens wants (official descriptions, 2026-06-19). */
export const contactsVersion = "2021-07-28"

/** What the app asks for. */
export const scopes = ["contacts.readonly", "contacts.write", "workflows.readonly", "locations.readonly"]

/** What it asks an agency for besides: tokens for its locations, and which those are. */
export const agencyScopes = ["oauth.write", "oauth.readonly"]

/** The app's id: a client id is that, and after a dash which of its keys it is. */
export const appIdOf = ({ clientId }: HighLevelConfig): string => clientId.split("-")[0] ?? clientId

/** The address of something; null when one of the ids cannot be a step of a path. */
export const endpoint = ({ apiUrl }: HighLevelConfig, steps: ReadonlyArray<string>): string | null => {
  // `..` would lead to something else, however it is encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  return `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/${steps.map((step) => encodeURIComponent(step.toWellFormed())).join("/")}`
}
