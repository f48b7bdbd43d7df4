import type { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import type { SignalId } from "../Id.ts"
import type { Lead } from "../lead/Lead.ts"
import type { Tenant } from "../tenant/Tenant.ts"

/** What a run changes: the records as they stand inside the unit of work. */
export interface RunTarget {
  readonly tenant: Tenant
  readonly signalId: SignalId
  readonly message: Message
  readonly contact: Contact
  readonly lead: Lead | null
  readonly now: number
}
