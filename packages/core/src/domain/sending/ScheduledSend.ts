import { Schema } from "effect"
import type { SendOverride } from "../consent/Override.ts"
import { Time, unchecked } from "../Field.ts"
import { ContactId, MessageId, UserId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import { maxTaskDescriptionLength } from "../task/Task.ts"
import { Composition } from "./Composition.ts"

/**
 * The state of a scheduled message. `sent`: the message is part of the conversation, and its `delivery` shows the
 * progress. `failed`: a rule or a missing connection prevented it at the scheduled time.
 */
export const scheduledStates = ["scheduled", "sent", "canceled", "failed"] as const
export type ScheduledState = (typeof scheduledStates)[number]

/**
 * A message of a person that is sent later. It becomes a message and a send (`Reservation`) in one unit of work. Until
 * then, the conversation does not contain it.
 */
export class ScheduledSend extends Schema.Opaque<ScheduledSend>()(
  Schema.Struct({
    tenantId: Schema.String,
    messageId: MessageId.annotate({ description: "The id that the message will have (`msg_…`)" }),
    contactId: ContactId.annotate({ description: "The contact to whom the message is sent" }),
    state: Schema.Literals(scheduledStates).annotate({
      description:
        "`scheduled`: waits for its time. `sent`: part of the conversation. `canceled`: by a person or by a newer message. `failed`: not allowed at its time"
    }),
    composition: Composition,
    override: Schema.NullOr(unchecked<SendOverride>()),
    sendAt: Time.annotate({ description: "The time of the send, outside the contact's quiet hours (ISO 8601 in UTC)" }),
    /** True for the wait of an undo window. The rules of an immediate message apply, also for quiet hours. */
    undo: Schema.Boolean.annotate({ description: "true: the message waits only for its undo window" }),
    cancelOnReply: Schema.Boolean.annotate({
      description: "true: a newer message of the contact or of a person of the tenant cancels this message"
    }),
    version: Schema.Int.annotate({ description: "The number of the version. Every edit increases it" }),
    /** The idempotency key of the request with its principal, or a key that no request can have. */
    sendKey: Schema.String,
    fingerprint: Schema.String,
    reason: Schema.NullOr(Schema.String).annotate({
      description: "Why the message was cancelled, failed or moved to another time; null: none of these"
    }),
    /** The number of claims by workers. */
    attempts: Schema.Int,
    /** The time from which a worker can claim it. */
    dueAt: Time,
    createdBy: Schema.String.annotate({ description: "The caller who scheduled the message" }),
    createdByUser: Schema.NullOr(UserId).annotate({ description: "The user who scheduled the message; null: unknown" }),
    createdAt: Time.annotate({ description: "The time of the request (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** FROZEN, because keys of sends are stored. Returns the key of the only send that a scheduled message can become. */
export const scheduledKey = (messageId: MessageId): string => `scheduled:${messageId}`

/** Returns whether a send was scheduled for a chosen time, so that quiet hours apply to it on every channel. */
export const isScheduledKey = (key: string): boolean => key.startsWith("scheduled:")

/** FROZEN like `scheduledKey`. Returns the key of the send after an undo window. */
export const undoneKey = (messageId: MessageId): string => `undo:${messageId}`

/** Returns the text of the task about a message that could not be sent: its subject and text, as far as they fit. */
export const describeUnsent = ({
  composition: { body, subject },
  messageId
}: Pick<ScheduledSend, "composition" | "messageId">): string => {
  const text = subject === null ? body : `${subject}\n\n${body}`
  if (text.length <= maxTaskDescriptionLength) return text
  const rest = `…\n\nThe complete text is in the scheduled message ${messageId}`
  return text.slice(0, maxTaskDescriptionLength - rest.length).toWellFormed() + rest
}

/** The tenant has no scheduled message with this id. */
export class ScheduledSendNotFound extends TaggedError("ScheduledSendNotFound")<{ readonly messageId: string }> {}

/** The message is no longer waiting, so it cannot be changed or cancelled. */
export class ScheduledSendEnded extends TaggedError("ScheduledSendEnded")<{
  readonly messageId: MessageId
  readonly state: ScheduledState
}> {}

/** Another request has changed the scheduled message. `version` is the current version. */
export class ScheduledSendOutdated extends TaggedError("ScheduledSendOutdated")<{ readonly version: number }> {}

/** The tenant has too many waiting scheduled messages. */
export class ScheduledSendLimitReached extends TaggedError("ScheduledSendLimitReached")<{ readonly limit: number }> {}
