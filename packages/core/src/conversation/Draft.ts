import type { ContactId, DraftId, LeadId, MessageId, SignalId } from "../Id.ts"
import type { Channel } from "./Channel.ts"

/** A reply the assistant wrote and a person has to release. */
export interface Draft {
  readonly draftId: DraftId
  readonly tenantId: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly signalId: SignalId
  readonly channel: Channel
  readonly text: string
  /** `superseded` by a newer inbound message, a human reply or an opt-out. */
  readonly state: "pending" | "sent" | "dismissed" | "superseded"
  /** The newest message the writer had seen: approving is bound to it. */
  readonly headMessageId: MessageId
  readonly createdAt: number
}
