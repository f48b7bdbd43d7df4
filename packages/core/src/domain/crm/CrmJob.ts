import type { ContactId } from "../Id.ts"

/** Something to be brought together with a CRM. */
export type CrmJob =
  /** Bring one of our contacts and the CRM's together, whoever has changed. */
  | { readonly kind: "crm_sync"; readonly locationId: string; readonly contactId: ContactId }
  /** Find out which of our contacts one of the CRM's is, or make one. */
  | { readonly kind: "crm_meet"; readonly locationId: string; readonly crmContactId: string }

/** Bring all contacts of a location and ours together, page by page. */
export interface FirstSyncJob {
  readonly kind: "crm_first_sync"
  readonly locationId: string
  /** How often in a row the CRM has refused. */
  readonly refusals: number
}

/** Bring a location in line with the agencies that let us in: one of them may open it, or has closed it. */
export interface OpenLocationJob {
  readonly kind: "crm_adopt"
  readonly locationId: string
}

/** The one job that does so. */
export const openLocationId = (locationId: string): string => `crm_adopt:${locationId}`

/** The one job that brings this contact and the location's together: never two at once. */
export const syncId = (locationId: string, contactId: ContactId): string => `crm_sync:${locationId}:${contactId}`

/** What the ids of a location's begin with that bring one contact together. */
export const syncIds = (locationId: string): string => `crm_sync:${locationId}:`

/** The one job that goes through all contacts of a location. */
export const firstSyncId = (locationId: string): string => `crm_first_sync:${locationId}`

/** The one job that finds out who this is. */
export const linkContactId = (locationId: string, crmContactId: string): string =>
  `crm_meet:${locationId}:${crmContactId}`
