import type { ContactId } from "../Id.ts"

/** What we and a CRM both keep of a person. */
export interface SyncedFields {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly tags: ReadonlyArray<string>
}

/** Nothing known of anybody. */
export const noFields: SyncedFields = { name: null, email: null, phone: null, company: null, tags: [] }

/** What a CRM has told of a person; absent: nothing was heard of that yet. */
export interface ReportedFields extends SyncedFields {
  /** Do not disturb: nothing may go to the person by text message. */
  readonly smsOptOut?: boolean
}

/** A contact as the CRM has it. */
export interface CrmContact extends SyncedFields {
  readonly crmContactId: string
  readonly locationId: string
  /** Do not disturb: nothing may go to the person by text message. */
  readonly smsOptOut: boolean
}

/** Some of a location's contacts, in an order that stays while they are read. */
export interface CrmPage {
  /** What a list says of them may be old, and a name may be missing from it: `contact` tells what they are. */
  readonly contacts: ReadonlyArray<CrmContact>
  /** Where the next page begins; null: this was the last. */
  readonly next: string | null
  /** How many there are altogether; null: the CRM did not say. */
  readonly total: number | null
}

/** What a CRM is asked to change of a contact; null clears, absent keeps. Tags are added and removed one by one. */
export type CrmChanges = Partial<Pick<SyncedFields, "name" | "email" | "phone">>

/** A task in the CRM. */
export interface CrmTask {
  readonly title: string
  readonly body: string | null
  /** Epoch milliseconds; the CRM has no task without one. */
  readonly dueAt: number
}

/** One of our contacts and the contact of the CRM that is the same person. */
export interface CrmLink {
  readonly tenantId: string
  readonly locationId: string
  readonly crmContactId: string
  /** Goes with a merge to the contact that stays. */
  readonly contactId: ContactId
  /** What our contact said when both were last brought together; what differs from it has been changed here since. */
  readonly ours: SyncedFields
  /** What the CRM's contact said then, in its spelling; what differs from it has been changed there since. */
  readonly theirs: ReportedFields
  /** What is on its way to the CRM, or was when we were interrupted: told to us, it is nothing new. Null: nothing. */
  readonly sending: SyncedFields | null
  /** Counts up with every change: who changes it says which one he has read. */
  readonly version: number
  /** When the CRM deleted its contact, epoch milliseconds. */
  readonly goneAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

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
