import { Data } from "effect"

/**
 * Who gets a session by naming a location. `open`: anybody who knows its id; `sso`: whoever brings the CRM's sealed word
 * that he is there; `off`: nobody.
 */
export const sessionModes = ["open", "sso", "off"] as const
export type SessionMode = (typeof sessionModes)[number]

/** An account of somebody's CRM, and the tenant that it stands for. No tenant has a location of another one. */
export interface CrmLocation {
  /** The CRM's own id, spelled as the CRM does. */
  readonly locationId: string
  readonly tenantId: string
  readonly sessions: SessionMode
  readonly createdAt: number
  readonly updatedAt: number
}

/** The location stands for another tenant. */
export class LocationTaken extends Data.TaggedError("LocationTaken")<{ readonly locationId: string }> {}

/** The location stands for nobody here. */
export class LocationNotFound extends Data.TaggedError("LocationNotFound")<{ readonly locationId: string }> {}

/**
 * What happens to contacts: nothing; what is changed here goes to the CRM; or changes of either side go to the other.
 */
export const syncModes = ["off", "to_crm", "both"] as const
export type SyncMode = (typeof syncModes)[number]

/**
 * Whose the installs of whole agencies are: the deployment's. Their `locationId` is the agency's id, and their token is
 * good for nothing but to get tokens of its locations.
 */
export const agencyTenantId = ""

/** A location of a CRM whose owner, or whose agency, has let us in. */
export interface CrmInstall {
  readonly tenantId: string
  readonly locationId: string
  /** The agency the location belongs to. */
  readonly companyId: string | null
  readonly sync: SyncMode
  /** `signed_out`: the CRM takes our tokens no longer. `uninstalled`: the owner took the app away. */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Sealed by `Vault` for `crmSealContext`; empty once it is uninstalled. */
  readonly sealedAccess: string
  /** Empty, too, where the agency is asked for the next token instead. */
  readonly sealedRefresh: string
  /** When the access token ends, epoch milliseconds. */
  readonly expiresAt: number
  readonly scopes: ReadonlyArray<string>
  /** Counts up with every change: who changes it says which one he has read. */
  readonly version: number
  /** Somebody is fetching new tokens until then at the latest, epoch milliseconds; null: nobody is. */
  readonly refreshingUntil: number | null
  /** Why it is signed out, for people. */
  readonly reason: string | null
  readonly installedAt: number
  readonly updatedAt: number
}

/** Nobody of this tenant has let us into this location. */
export class CrmInstallNotFound extends Data.TaggedError("CrmInstallNotFound")<{ readonly locationId: string }> {}

/** Where the tokens of a location belong (`Vault`). */
export const crmSealContext = (tenantId: string, locationId: string): string => `crm:${tenantId}:${locationId}`
