import { Schema, Struct } from "effect"
import type { SignalId } from "../Id.ts"
import { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import { Time } from "../Field.ts"
import { Lead } from "../lead/Lead.ts"
import type { QueuedTrigger } from "../rule/Trigger.ts"
import { RecordFacts } from "../rule/RecordFact.ts"
import type { Tenant } from "../tenant/Tenant.ts"

/** The inputs of a run besides message and configuration. They are stored with the run, so that it can be replayed. */
export class RunInputs extends Schema.Opaque<RunInputs>()(
  Schema.Struct({
    tenantName: Schema.String.annotate({ description: "The display name of the tenant" }),
    contact: Schema.Struct(Struct.pick(Contact.fields, ["name", "email", "phone", "company", "tags"])).annotate({
      description: "The sender at the time of the run"
    }),
    contactIsNew: Schema.Boolean.annotate({ description: "Whether the message was the contact's first one" }),
    lead: Schema.NullOr(Schema.Struct(Struct.pick(Lead.fields, ["state", "source", "assignee", "createdAt"]))),
    leadIsNew: Schema.Boolean.annotate({ description: "Whether the message opened the lead" }),
    /** The reply answers the newer message. */
    overtaken: Schema.Boolean.annotate({ description: "Whether the contact had sent a newer message" }),
    repliesToday: Schema.Int.annotate({ description: "The assistant's messages in the preceding 24 hours" }),
    /** The time of the last message from a person of the tenant. */
    lastByPersonAt: Schema.NullOr(Time).annotate({
      description: "The time of the last message from a person of the tenant (ISO 8601 in UTC); null: there is none"
    }),
    /** True when a language model is available. */
    modelConfigured: Schema.Boolean.annotate({ description: "Whether the server had a language model at that time" }),
    now: Time.annotate({ description: "The time at which the run decided (ISO 8601 in UTC)" }),
    /** The version of the built-in classifier. Runs of older releases have none and used version 1. */
    keywordsVersion: Schema.optionalKey(Schema.Int).annotate({
      description: "The version of the built-in classifier; absent: version 1"
    }),
    /** The company and the custom fields that the rules compare. Absent if no rule compares them. */
    recordFacts: Schema.optionalKey(RecordFacts),
    /**
     * True when the decision exceeded the time limit and the run ended with a review. It is stored because a replay may
     * take a different time. Absent otherwise.
     */
    outOfTime: Schema.optionalKey(Schema.Literal(true))
  })
) {}

/** The fields of a message that a run reads. */
export type RunMessage = Pick<
  Message,
  "attachments" | "auto" | "body" | "channel" | "flags" | "metadata" | "receivedAlias" | "source" | "subject"
> &
  Partial<Pick<Message, "authentication">>

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
  ...(subject.keywordsVersion !== undefined && { keywordsVersion: subject.keywordsVersion }),
  ...(subject.recordFacts !== undefined && { recordFacts: subject.recordFacts }),
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

/** The records that actions may change, and the cause of the actions. They are read inside the unit of work. */
export interface ActionTarget {
  readonly tenant: Tenant
  readonly contact: Contact
  readonly lead: Lead | null
  /** The newest message of the conversation; null if there is none. */
  readonly message: Message | null
  /** The signal whose run requests the actions; null if a person requests them. */
  readonly signalId: SignalId | null
  /** The trigger of the rule. Absent for a rule that reacts to messages, and for a macro. */
  readonly trigger?: QueuedTrigger["type"]
  /** The author of changes. Default: `system` with a signal, `agent` without one. */
  readonly actor?: "system"
  /**
   * The time of the event of the rule. A later message of the contact prevents actions that end the work on the
   * conversation. Null: no message prevents them.
   */
  readonly eventAt: number | null
  /** The id of the run or request. Jobs of the actions derive their ids from it. */
  readonly causeId: string
  readonly now: number
}

/** The records that a run may change. They are read inside the unit of work. */
export interface RunTarget extends Omit<ActionTarget, "causeId" | "eventAt"> {
  readonly message: Message
  readonly signalId: SignalId
}
