// Drafts: replies that wait for the approval of a person. Writing and sending them does not belong here
// (`workflow/draft`, `workflow/reply`). Tests: `packages/testkit/src/suite/draft`.

import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { ContactId, DraftId, LeadId, MessageId, SignalId, TaskId } from "../Id.ts"
import { type Channel, channels } from "../Channel.ts"
import { Time } from "../Field.ts"

/**
 * The state of a draft. `superseded`: replaced by a newer inbound message, a human reply, an opt-out, or the archiving
 * of the contact.
 */
export const DraftState = Schema.Literals(["pending", "sent", "dismissed", "superseded"])
export type DraftState = typeof DraftState.Type

/** A reply that the assistant wrote and that a person must approve. */
export class Draft extends Schema.Opaque<Draft>()(
  Schema.Struct({
    draftId: DraftId.annotate({ description: "Draft id (`draft_…`)" }),
    tenantId: Schema.String,
    contactId: ContactId,
    leadId: Schema.NullOr(LeadId),
    signalId: SignalId,
    messageId: MessageId.annotate({ description: "The message that the draft answers" }),
    channel: Schema.Literals(channels),
    text: Schema.String.annotate({ description: "The text of the reply, as the pipeline wrote it", column: "body" }),
    state: DraftState,
    /** An approval is valid only while it is still the newest. */
    headMessageId: MessageId.annotate({
      description: "The newest message of the conversation when the draft was written"
    }),
    /** The review task, open while the draft is pending. Null if there is none. */
    taskId: Schema.NullOr(TaskId),
    createdAt: Time.annotate({ description: "The time at which the draft was written (ISO 8601 in UTC)" })
  })
) {}

/**
 * Returns the SHA-256 of a draft's text in hex. An approval contains it, to identify the text that the person has seen.
 */
export const contentHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** FROZEN, because the keys of sends are stored. Returns the key of the only send that a draft can become. */
export const draftKey = (draftId: string): string => `draft:${draftId}`

/** Returns the draft id of a send's key; null for sends that are not drafts. */
export const draftOfKey = (key: string): string | null => (key.startsWith("draft:") ? key.slice("draft:".length) : null)

/** The contact has no such draft. */
export class DraftNotFound extends TaggedError("DraftNotFound")<{
  readonly tenantId: string
  readonly contactId: string
}> {}

/**
 * The change of the draft since the caller last read it. `sent`: the draft was sent with another text than the
 * requested one.
 */
export type DraftChange = "superseded" | "dismissed" | "edited" | "newer_message" | "sent"

/** The draft or the conversation has changed since the caller last read them. */
export class DraftChanged extends TaggedError("DraftChanged")<{
  readonly reason: DraftChange
  /** The draft that is pending now; null if there is none. */
  readonly current: Draft | null
  /** The newer message or the sent message; null if there is none. */
  readonly messageId: MessageId | null
}> {}

/** No connection is available that can send a draft on this channel. */
export class ChannelNotWritable extends TaggedError("ChannelNotWritable")<{
  readonly channel: Channel
  readonly tenantId: string
  readonly contactId: string
  /** The address to which an approval with a subject sends the text by email; null if the contact has none. */
  readonly email: string | null
}> {}
