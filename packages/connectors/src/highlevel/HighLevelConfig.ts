import type { Redacted } from "effect"

/** The settings of the HighLevel app, from its marketplace page. */
export interface HighLevelConfig {
  /** Without a trailing slash. `defaultApiUrl` except in tests. */
  readonly apiUrl: string
  /** The page on which owners choose a location and authorise this server. A white-labelled marketplace has its own. */
  readonly authorizeUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The redirect URI of the authorisation; must be identical to the one registered at the marketplace. */
  readonly redirectUri: string
}

export const defaultApiUrl = "https://services.leadconnectorhq.com"
export const defaultAuthorizeUrl = "https://marketplace.gohighlevel.com/v2/oauth/chooselocation"

/** The `Version` header. Every endpoint except the token endpoint requires it (official descriptions, 2026-06-19). */
export const contactsVersion = "2021-07-28"

/** The scopes that the app requests. */
export const scopes = ["contacts.readonly", "contacts.write", "workflows.readonly", "locations.readonly"]

/** The additional scopes for agencies: tokens of their locations, and the list of locations. */
export const agencyScopes = ["oauth.write", "oauth.readonly"]

/** Returns the app id: the part of the client id before the dash. The rest identifies the app's key. */
export const appIdOf = ({ clientId }: HighLevelConfig): string => clientId.split("-")[0] ?? clientId

/** Returns the URL of a resource, or null when an id cannot be a path segment. */
export const endpoint = ({ apiUrl }: HighLevelConfig, steps: ReadonlyArray<string>): string | null => {
  // `..` would change the path even when it is percent-encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  return `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/${steps.map((step) => encodeURIComponent(step.toWellFormed())).join("/")}`
}
