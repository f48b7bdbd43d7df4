import type { ContactId } from "../Id.ts"

/** A synchronisation job. */
export type CrmJob =
  /** Synchronises a contact with its CRM record in both directions. */
  | { readonly kind: "crm_sync"; readonly locationId: string; readonly contactId: ContactId }
  /** Finds the contact that belongs to a CRM record, or creates it, and links both. */
  | { readonly kind: "crm_meet"; readonly locationId: string; readonly crmContactId: string }

/** Synchronises all contacts of a location with the tenant's contacts, page by page. */
export interface FirstSyncJob {
  readonly kind: "crm_first_sync"
  readonly locationId: string
  /** The number of consecutive rejections by the CRM. */
  readonly refusals: number
}

/** Checks whether an agency's grant still includes a location, and opens or closes the location accordingly. */
export interface OpenLocationJob {
  readonly kind: "crm_adopt"
  readonly locationId: string
}

/** Returns the id of the only job that opens this location. */
export const openLocationId = (locationId: string): string => `crm_adopt:${locationId}`

/**
 * Returns the id of the only job that synchronises this contact with this location. Because the id is unique, two such
 * jobs never run concurrently.
 */
export const syncId = (locationId: string, contactId: ContactId): string => `crm_sync:${locationId}:${contactId}`

/** Returns the prefix of the ids of a location's synchronisation jobs. */
export const syncIds = (locationId: string): string => `crm_sync:${locationId}:`

/** Returns the id of the only first sync of a location. */
export const firstSyncId = (locationId: string): string => `crm_first_sync:${locationId}`

/** Returns the id of the only job that links this CRM contact to a local contact. */
export const linkContactId = (locationId: string, crmContactId: string): string =>
  `crm_meet:${locationId}:${crmContactId}`
