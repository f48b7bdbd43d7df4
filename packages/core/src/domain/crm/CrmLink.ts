import type { ContactId } from "../Id.ts"
import type { SyncedFields, ToldFields } from "./CrmContact.ts"

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
  readonly theirs: ToldFields
  /** What is on its way to the CRM, or was when we were interrupted: told to us, it is nothing new. Null: nothing. */
  readonly sending: SyncedFields | null
  /** Counts up with every change: who changes it says which one he has read. */
  readonly version: number
  /** When the CRM deleted its contact, epoch milliseconds. */
  readonly goneAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}
