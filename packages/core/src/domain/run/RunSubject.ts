import type { SignalId } from "../Id.ts"
import type { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import type { Lead } from "../lead/Lead.ts"
import type { Tenant } from "../tenant/Tenant.ts"

/**
 * The inputs of a run other than message and configuration. They are stored with the run, so that the run can be
 * replayed.
 */
export interface RunInputs {
  readonly tenantName: string
  readonly contact: Pick<Contact, "company" | "email" | "name" | "phone" | "tags">
  readonly contactIsNew: boolean
  readonly lead: Pick<Lead, "assignee" | "createdAt" | "source" | "state"> | null
  readonly leadIsNew: boolean
  /** True when the contact has written again after this message. The reply then answers the newer message. */
  readonly overtaken: boolean
  /** The assistant's messages to the contact in the preceding 24 hours. */
  readonly repliesToday: number
  /** The time of the last message from a person of the tenant, in epoch milliseconds. Null when there is none. */
  readonly lastByPersonAt: number | null
  /** True when a language model is available. */
  readonly modelConfigured: boolean
  /** Epoch milliseconds. */
  readonly now: number
  /**
   * True when the decision exceeded the time limit, so that the run ended with a review. Absent otherwise. It is
   * stored, because a replay may take a different time.
   */
  readonly outOfTime?: true
}

/** The fields of a message that a run reads. */
export type RunMessage = Pick<
  Message,
  "attachments" | "auto" | "body" | "channel" | "flags" | "metadata" | "receivedAlias" | "source" | "subject"
>

/** The complete input of a decision. A decision reads nothing else, and changes nothing. */
export interface RunSubject extends Omit<RunInputs, "tenantName"> {
  readonly tenant: Tenant
  readonly message: RunMessage
}

/** Returns the inputs to store. Of contact and lead, they contain only the fields that a run reads. */
export const inputsOf = ({ contact, lead, tenant, ...subject }: RunSubject): RunInputs => ({
  tenantName: tenant.name,
  contact: {
    company: contact.company,
    email: contact.email,
    name: contact.name,
    phone: contact.phone,
    tags: contact.tags
  },
  contactIsNew: subject.contactIsNew,
  lead:
    lead === null
      ? null
      : { assignee: lead.assignee, createdAt: lead.createdAt, source: lead.source, state: lead.state },
  leadIsNew: subject.leadIsNew,
  overtaken: subject.overtaken,
  repliesToday: subject.repliesToday,
  lastByPersonAt: subject.lastByPersonAt,
  modelConfigured: subject.modelConfigured,
  now: subject.now,
  ...(subject.outOfTime === true && { outOfTime: true })
})

/**
 * Restores the subject of a run from stored inputs. The configuration of `tenant` decides, not the one at the time of
 * the run.
 */
export const subjectOfInputs = (tenant: Tenant, message: RunMessage, inputs: RunInputs): RunSubject => {
  const { tenantName, ...rest } = inputs
  return { ...rest, tenant: { ...tenant, name: tenantName }, message }
}

/** The records that a run may change. They are read inside the unit of work. */
export interface RunTarget {
  readonly tenant: Tenant
  readonly signalId: SignalId
  readonly message: Message
  readonly contact: Contact
  readonly lead: Lead | null
  readonly now: number
}
