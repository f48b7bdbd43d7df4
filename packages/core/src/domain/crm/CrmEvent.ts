import type { ReportedFields } from "./CrmContact.ts"

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
