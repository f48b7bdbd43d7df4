import type { SignalId } from "../Id.ts"
import type { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import type { Lead } from "../lead/Lead.ts"
import type { Tenant } from "../tenant/Tenant.ts"

/** What a run looks at beside the message and the configuration. It is kept with the run, so that it can be replayed. */
export interface RunInputs {
  readonly tenantName: string
  readonly contact: Pick<Contact, "company" | "email" | "name" | "phone" | "tags">
  readonly contactIsNew: boolean
  readonly lead: Pick<Lead, "assignee" | "createdAt" | "source" | "state"> | null
  readonly leadIsNew: boolean
  /** The contact has written again since: whoever answers, answers that. */
  readonly overtaken: boolean
  /** Messages of the assistant to the contact in the 24 hours before. */
  readonly repliesToday: number
  /** When a person of the tenant last wrote to the contact, epoch milliseconds; null: nobody has. */
  readonly lastByPersonAt: number | null
  /** There is a language model that can be asked. */
  readonly modelConfigured: boolean
  /** Epoch milliseconds. */
  readonly now: number
  /**
   * Deciding took longer than the clock allows, so the run ended for review. Kept, because a replay takes another time;
   * absent otherwise.
   */
  readonly outOfTime?: true
}

/** What a run reads of its message. */
export type RunMessage = Pick<
  Message,
  "attachments" | "auto" | "body" | "channel" | "flags" | "metadata" | "receivedAlias" | "source" | "subject"
>

/** What a run looks at. Everything is here: a run reads nothing else and changes nothing. */
export interface RunSubject extends Omit<RunInputs, "tenantName"> {
  readonly tenant: Tenant
  readonly message: RunMessage
}

/** What is to be kept of a subject: no more of contact and lead than a run reads. */
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

/** The subject again, from what was kept of it; `tenant` with the configuration to decide by. */
export const subjectOfInputs = (tenant: Tenant, message: RunMessage, inputs: RunInputs): RunSubject => {
  const { tenantName, ...rest } = inputs
  return { ...rest, tenant: { ...tenant, name: tenantName }, message }
}

/** What a run changes: the records as they stand inside the unit of work. */
export interface RunTarget {
  readonly tenant: Tenant
  readonly signalId: SignalId
  readonly message: Message
  readonly contact: Contact
  readonly lead: Lead | null
  readonly now: number
}
