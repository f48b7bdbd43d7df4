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
