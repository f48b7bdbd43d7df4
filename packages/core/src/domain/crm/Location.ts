import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"

/**
 * The requirement for a session that names only a location. `open`: the location id is sufficient. `sso`: the request
 * must contain the CRM's encrypted single sign-on data. `off`: such sessions are disabled.
 */
export const sessionModes = ["open", "sso", "off"] as const
export type SessionMode = (typeof sessionModes)[number]

/** An account of the CRM and the tenant that it belongs to. A location belongs to one tenant only. */
export class CrmLocation extends Schema.Opaque<CrmLocation>()(
  Schema.Struct({
    /** The CRM's id in the CRM's spelling. */
    locationId: Schema.String.annotate({ description: "The CRM's id of the location" }),
    tenantId: Schema.String.annotate({ description: "The tenant to which the location belongs" }),
    sessions: Schema.Literals(sessionModes),
    createdAt: Time.annotate({ description: "The time at which the location was assigned (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** Another tenant already has the location. */
export class LocationTaken extends TaggedError("LocationTaken")<{ readonly locationId: string }> {}

/** No tenant has the location. */
export class LocationNotFound extends TaggedError("LocationNotFound")<{ readonly locationId: string }> {}

/**
 * The direction of synchronisation. `off`: none. `to_crm`: local changes go to the CRM. `both`: changes go both ways.
 */
export const syncModes = ["off", "to_crm", "both"] as const
export type SyncMode = (typeof syncModes)[number]

/**
 * The tenant id of agency installations, because these belong to the deployment and not to a tenant. Such an
 * installation has the agency's id as its `locationId`. Its token can only create tokens for the agency's locations.
 */
export const agencyTenantId = ""

/** An installation of the app in a location, by its owner or its agency. */
export class CrmInstall extends Schema.Opaque<CrmInstall>()(
  Schema.Struct({
    tenantId: Schema.String,
    locationId: Schema.String.annotate({ description: "The CRM's id of the location" }),
    /** The agency of the location. */
    companyId: Schema.NullOr(Schema.String).annotate({
      description: "The CRM's id of the location's agency; null: not known"
    }),
    sync: Schema.Literals(syncModes),
    status: Schema.Literals(["installed", "signed_out", "uninstalled"]).annotate({
      description: "signed_out: the CRM rejects the stored tokens, so the app must be installed again"
    }),
    /** Sealed by `Vault` with `crmSealContext`. Empty after uninstallation. */
    sealedAccess: Schema.String.annotate({ secret: true }),
    /** Sealed like `sealedAccess`. Empty after uninstallation, or if new tokens come from the agency's grant. */
    sealedRefresh: Schema.String.annotate({ secret: true }),
    /** The expiry of the access token. */
    expiresAt: Time,
    scopes: Schema.Array(Schema.String).annotate({ description: "The permissions that the CRM granted" }),
    /** Increases with every change. A writer must name the version that it has read. */
    version: Schema.Int,
    /** The end of the lease under which one server renews the tokens. Null if no server does. */
    refreshingUntil: Schema.NullOr(Time),
    reason: Schema.NullOr(Schema.String).annotate({ description: "Why the status is signed_out" }),
    installedAt: Time.annotate({ description: "The time of the installation (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The tenant has not installed the app in this location. */
export class CrmInstallNotFound extends TaggedError("CrmInstallNotFound")<{ readonly locationId: string }> {}

/** Returns the seal context of a location's tokens (`Vault`). */
export const crmSealContext = (tenantId: string, locationId: string): string => `crm:${tenantId}:${locationId}`

/** The app is not installed in this location, or no longer installed. */
export class CrmNotInstalled extends TaggedError("CrmNotInstalled")<{ readonly locationId: string }> {
  override get message(): string {
    return `the app is not installed in the location ${this.locationId}`
  }
}
