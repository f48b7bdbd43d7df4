import type { Redacted } from "effect"

/** For what we are let in: one location, or an agency with those of its locations that it chooses. */
export type GrantLevel = "location" | "agency"

/** What a CRM hands out when somebody lets us in, or when we ask for new tokens. */
export interface CrmGrant {
  /** Null: it is for the whole agency, and names no location. */
  readonly locationId: string | null
  readonly companyId: string | null
  readonly accessToken: Redacted.Redacted
  /** Good for one use: the answer to it brings the next. Null: the token cannot be renewed. */
  readonly refreshToken: Redacted.Redacted | null
  /** How long the access token is good, seconds. */
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<string>
}

/** A location of an agency. */
export interface AgencyLocation {
  readonly locationId: string
  readonly name: string | null
  /** The app is installed there, so that the agency's token opens it. */
  readonly installed: boolean
}

/** The location a call is about, and the token that lets us in. */
export interface CrmAccess {
  readonly locationId: string
  readonly token: Redacted.Redacted
}
