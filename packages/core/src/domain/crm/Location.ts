import { Data } from "effect"

/**
 * The condition for a session by location id. `open`: the id is sufficient. `sso`: requires the CRM's
 * encrypted single sign-on data. `off`: no sessions.
 */
export const sessionModes = ["open", "sso", "off"] as const
export type SessionMode = (typeof sessionModes)[number]

/** An account of a CRM and its tenant. A location belongs to one tenant only. */
export interface CrmLocation {
  /** The CRM's id in the CRM's spelling. */
  readonly locationId: string
  readonly tenantId: string
  readonly sessions: SessionMode
  readonly createdAt: number
  readonly updatedAt: number
}

/** The location belongs to another tenant. */
export class LocationTaken extends Data.TaggedError("LocationTaken")<{ readonly locationId: string }> {}

/** The location belongs to no tenant. */
export class LocationNotFound extends Data.TaggedError("LocationNotFound")<{ readonly locationId: string }> {}

/**
 * The direction of synchronisation. `off`: none. `to_crm`: local changes go to the CRM. `both`: changes go both ways.
 */
export const syncModes = ["off", "to_crm", "both"] as const
export type SyncMode = (typeof syncModes)[number]

/**
 * The tenant id of agency installations, which belong to the deployment. Such an installation has the agency's id as
 * its `locationId`. Its token can only create tokens for the agency's locations.
 */
export const agencyTenantId = ""

/** An installation of the app in a location, by its owner or its agency. */
export interface CrmInstall {
  readonly tenantId: string
  readonly locationId: string
  /** The agency of the location. */
  readonly companyId: string | null
  readonly sync: SyncMode
  /** `signed_out`: the CRM no longer accepts the tokens. `uninstalled`: the owner removed the app. */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Sealed by `Vault` with `crmSealContext`. Empty after uninstallation. */
  readonly sealedAccess: string
  /** Sealed like `sealedAccess`. Empty after uninstallation, or if new tokens come from the agency's grant. */
  readonly sealedRefresh: string
  /** The expiry of the access token, in epoch milliseconds. */
  readonly expiresAt: number
  readonly scopes: ReadonlyArray<string>
  /** Increases with every change. A writer must name the version that it has read. */
  readonly version: number
  /** A server holds the lease to renew the tokens until this time, in epoch milliseconds; null if none does. */
  readonly refreshingUntil: number | null
  /** The reason for `signed_out`, for people. */
  readonly reason: string | null
  readonly installedAt: number
  readonly updatedAt: number
}

/** The tenant has not installed the app in this location. */
export class CrmInstallNotFound extends Data.TaggedError("CrmInstallNotFound")<{ readonly locationId: string }> {}

/** Returns the seal context of a location's tokens (`Vault`). */
export const crmSealContext = (tenantId: string, locationId: string): string => `crm:${tenantId}:${locationId}`
