// The CRM: locations, links between contacts and CRM records, and synchronisation. The HTTP interface of a particular
// CRM does not belong here (`packages/connectors/src/highlevel`). Tests: `packages/core/test/domain/crm`,
// `packages/testkit/src/suite/crm`.

import { Schema } from "effect"
import { ContactId } from "../Id.ts"
import { Time, unchecked } from "../Field.ts"

/** The fields that are synchronised between a contact and the CRM. */
export interface SyncedFields {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly tags: ReadonlyArray<string>
}

/** The fields of a person about whom nothing is known. */
export const noFields: SyncedFields = { name: null, email: null, phone: null, company: null, tags: [] }

/** The fields of a CRM contact that the CRM has reported. An absent field has not been reported yet. */
export interface ReportedFields extends SyncedFields {
  /** The CRM's "do not disturb" setting for text messages. */
  readonly smsOptOut?: boolean
}

/** A contact in the CRM. */
export interface CrmContact extends SyncedFields {
  readonly crmContactId: string
  readonly locationId: string
  /** The CRM's "do not disturb" setting for text messages. */
  readonly smsOptOut: boolean
}

/** One page of a location's contacts. The order of the contacts does not change between pages. */
export interface CrmPage {
  /** The contacts in a list can have outdated values and no names. `Crm.contact` returns the current values. */
  readonly contacts: ReadonlyArray<CrmContact>
  /** The cursor of the next page; null after the last page. */
  readonly next: string | null
  /** The total number of contacts; null if the CRM does not report it. */
  readonly total: number | null
}

/**
 * A requested change to a contact in the CRM. Null clears a field; an absent field stays unchanged. Tags are added and
 * removed separately.
 */
export type CrmChanges = Partial<Pick<SyncedFields, "name" | "email" | "phone">>

/** A task in the CRM. */
export interface CrmTask {
  readonly title: string
  readonly body: string | null
  /** Epoch milliseconds. The CRM requires a due time. */
  readonly dueAt: number
}

/** A link between a contact of this server and the CRM's record of the same person. */
export class CrmLink extends Schema.Opaque<CrmLink>()(
  Schema.Struct({
    tenantId: Schema.String,
    locationId: Schema.String,
    crmContactId: Schema.String,
    /** The linked contact. After a merge, it is the primary contact. */
    contactId: ContactId,
    /**
     * The values of the local contact after the last synchronisation. If the current values differ, they were changed
     * locally.
     */
    ours: unchecked<SyncedFields>(),
    /**
     * The values of the CRM contact after the last synchronisation, in the CRM's spelling. If the current values
     * differ, they were changed in the CRM.
     */
    theirs: unchecked<ReportedFields>(),
    /**
     * The values that are being sent to the CRM, or whose sending was interrupted. If the CRM reports these values,
     * they are not a change in the CRM. Null if there are none.
     */
    sending: Schema.NullOr(unchecked<SyncedFields>()),
    /**
     * Increases with every change. A writer must name the version that it has read, so that concurrent changes are
     * detected.
     */
    version: Schema.Int,
    /** The time when the contact was deleted in the CRM. Null if it was not deleted. */
    goneAt: Schema.NullOr(Time),
    createdAt: Time,
    updatedAt: Time
  })
) {}

/** A verified event of the CRM. */
export type CrmEvent =
  /** The app was installed in a location. Its tokens arrive separately. */
  | { readonly _tag: "Installed"; readonly locationId: string }
  | { readonly _tag: "Uninstalled"; readonly locationId: string }
  /** An agency removed the app from all its locations. */
  | { readonly _tag: "AgencyUninstalled"; readonly companyId: string }
  /**
   * A contact was created or changed. Its current values must be read from the CRM, because the values in the event
   * (`said`) may be incomplete.
   */
  | {
      readonly _tag: "ContactChanged"
      readonly locationId: string
      readonly crmContactId: string
      readonly said: Partial<ReportedFields>
    }
  | { readonly _tag: "ContactDeleted"; readonly locationId: string; readonly crmContactId: string }
  /** An event without an effect. */
  | { readonly _tag: "Ignored"; readonly type: string }

/** Returns the synchronised fields of a local contact. */
export const syncedFieldsOf = ({ company, email, name, phone, tags }: SyncedFields): SyncedFields => ({
  name,
  email,
  phone,
  company,
  tags
})
