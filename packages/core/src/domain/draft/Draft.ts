import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Data } from "effect"
import type { ContactId, DraftId, LeadId, MessageId, SignalId, TaskId } from "../Id.ts"
import type { Channel } from "../Channel.ts"

/** `superseded` by a newer inbound message, a human reply, an opt-out, or when the contact is archived. */
export type DraftState = "pending" | "sent" | "dismissed" | "superseded"

/** A reply the assistant wrote and a person has to release. */
export interface Draft {
  readonly draftId: DraftId
  readonly tenantId: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly signalId: SignalId
  /** The message it was written for, which it answers. */
  readonly messageId: MessageId
  readonly channel: Channel
  readonly text: string
  readonly state: DraftState
  /** The newest message the writer had seen: approving is bound to it. */
  readonly headMessageId: MessageId
  /** The task that asks a person to release it: open while the draft is pending. Null: it has none. */
  readonly taskId: TaskId | null
  readonly createdAt: number
}

/** SHA-256 in hex of a draft's text: what a person has seen, in few words. */
export const contentHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** FROZEN. The key of the one email that a draft becomes. */
export const draftKey = (draftId: string): string => `draft:${draftId}`

/** The draft that a send was made of; null for every other send. */
export const draftOfKey = (key: string): string | null => (key.startsWith("draft:") ? key.slice("draft:".length) : null)

/** There is no such draft of this contact, or none at all. */
export class DraftNotFound extends Data.TaggedError("DraftNotFound")<{
  readonly tenantId: string
  readonly contactId: string
}> {}

/** Why a draft is not what the caller has seen. `sent`: with another text than the one asked for now. */
export type DraftChange = "superseded" | "dismissed" | "edited" | "newer_message" | "sent"

/** The draft is not what the caller has seen, or the conversation has moved on since. */
export class DraftChanged extends Data.TaggedError("DraftChanged")<{
  readonly reason: DraftChange
  /** What is pending now. */
  readonly current: Draft | null
  /** The message that came since, or the one that was sent; null: none. */
  readonly messageId: MessageId | null
}> {}

/** There is nothing to send a draft of this channel through. */
export class ChannelNotWritable extends Data.TaggedError("ChannelNotWritable")<{
  readonly channel: Channel
  readonly tenantId: string
  readonly contactId: string
}> {}
