import { Data } from "effect"

/**
 * What happens to contacts: nothing; what is changed here goes to the CRM; or changes of either side go to the other.
 */
export const syncModes = ["off", "to_crm", "both"] as const
export type SyncMode = (typeof syncModes)[number]

/**
 * Whose the installs of whole agencies are: the deployment's. Their `locationId` is the agency's id, and their token is
 * good for nothing but to get tokens of its locations.
 */
export const ofAgencies = ""

/** A location of a CRM whose owner, or whose agency, has let us in. */
export interface CrmInstall {
  readonly tenantId: string
  readonly locationId: string
  /** The agency the location belongs to. */
  readonly companyId: string | null
  readonly sync: SyncMode
  /** `signed_out`: the CRM takes our tokens no longer. `uninstalled`: the owner took the app away. */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Sealed by `Vault` for `crmPlace`; empty once it is uninstalled. */
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
export const crmPlace = (tenantId: string, locationId: string): string => `crm:${tenantId}:${locationId}`
