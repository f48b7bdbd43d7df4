import type { Redacted } from "effect"

/** The scope of a grant: one location, or an agency with those of its locations in which the app is installed. */
export type GrantLevel = "location" | "agency"

/** The tokens that a CRM issues after an installation or a renewal. */
export interface CrmGrant {
  /** Null if the grant is for a whole agency. */
  readonly locationId: string | null
  readonly companyId: string | null
  readonly accessToken: Redacted.Redacted
  /**
   * The refresh token, which is valid for one use. Each renewal returns a new one. Null if the access token cannot be
   * renewed.
   */
  readonly refreshToken: Redacted.Redacted | null
  /** The lifetime of the access token in seconds. */
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<string>
}

/** A location of an agency. */
export interface AgencyLocation {
  readonly locationId: string
  readonly name: string | null
  /** True if the app is installed in the location. The agency's token can then create a token for the location. */
  readonly installed: boolean
}

/** The location of a request, and the access token for it. */
export interface CrmAccess {
  readonly locationId: string
  readonly token: Redacted.Redacted
}
