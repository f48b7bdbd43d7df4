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

/** The fields of an unknown person. */
export const noFields: SyncedFields = { name: null, email: null, phone: null, company: null, tags: [] }

/** The fields that the CRM has reported. An absent field has not been reported yet. */
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

/** One page of a location's contacts. The order is stable while the pages are read. */
export interface CrmPage {
  /** A list can contain outdated values and miss names. The method `contact` returns the current values. */
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

/** Links a contact of this server with the CRM's record of the same person. */
export class CrmLink extends Schema.Opaque<CrmLink>()(
  Schema.Struct({
    tenantId: Schema.String,
    locationId: Schema.String,
    crmContactId: Schema.String,
    /** After a merge, the link belongs to the contact that remains. */
    contactId: ContactId,
    /** The local contact after the last synchronisation. A difference from it is a local change. */
    ours: unchecked<SyncedFields>(),
    /**
     * The CRM's contact after the last synchronisation, in the CRM's spelling. A difference from it is a change in the
     * CRM.
     */
    theirs: unchecked<ReportedFields>(),
    /**
     * The values in transit to the CRM, or interrupted in transit. If the CRM reports these values, they are not a change
     * in the CRM. Null if there are none.
     */
    sending: Schema.NullOr(unchecked<SyncedFields>()),
    /** Increases with every change. A writer must name the version that it has read. */
    version: Schema.Int,
    /** The time when the CRM deleted its contact. */
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
   * A contact was created or changed. Its current values are read from the CRM. `said` contains the values in the
   * event, which may be incomplete.
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

/** Returns the fields of our contact that are synchronised. */
export const syncedFieldsOf = ({ company, email, name, phone, tags }: SyncedFields): SyncedFields => ({
  name,
  email,
  phone,
  company,
  tags
})
