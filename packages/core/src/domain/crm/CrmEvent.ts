import type { ReportedFields } from "./CrmContact.ts"

/** What a CRM tells, after it has been verified. */
export type CrmEvent =
  /** Somebody took the app into a location; the tokens come another way. */
  | { readonly _tag: "Installed"; readonly locationId: string }
  | { readonly _tag: "Uninstalled"; readonly locationId: string }
  /** An agency took the app away, from all of its locations. */
  | { readonly _tag: "AgencyUninstalled"; readonly companyId: string }
  /** A contact was made or changed: what it is now, we ask. `said` is what it says of it, which may be only a part. */
  | {
      readonly _tag: "ContactChanged"
      readonly locationId: string
      readonly crmContactId: string
      readonly said: Partial<ReportedFields>
    }
  | { readonly _tag: "ContactDeleted"; readonly locationId: string; readonly crmContactId: string }
  /** Nothing that we follow. */
  | { readonly _tag: "Ignored"; readonly type: string }
