/**
 * Sends: the stored state of an outbound message, and the hourly limit. Handing messages to a provider belongs to
 * `workflow/sending`.
 * Tests: `packages/core/test/domain/sending`, `packages/testkit/src/suite/sending`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time, unchecked } from "../Field.ts"
import { ContactId, type GrantId, type Id, LeadId, MessageId, type ThreadId } from "../Id.ts"
import type { SendOverride } from "../consent/Override.ts"
import type { RateLimitResult } from "../access/RateLimit.ts"
import type { OutgoingText } from "../conversation/OutgoingText.ts"
import type { OutgoingMail } from "../email/OutgoingMail.ts"

/**
 * The state of a send. `reserved`: not handed over yet. `handed_over`: a transport is sending the message, or was
 * sending it when the server failed. `unknown`: the message may have been sent, so the server never sends it again
 * automatically.
 */
export const ReservationState = Schema.Literals(["reserved", "handed_over", "confirmed", "failed", "unknown"])
export type ReservationState = typeof ReservationState.Type

/** A message that must be sent once. It is stored before it is handed over, under a key that no other send has. */
export class Sending extends Schema.Opaque<Sending>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The id of the message. It also identifies the reservation, because a message is sent only once. */
    messageId: MessageId,
    /**
     * The cause of the send, for example `reply:sig_…` or `api:key_…:my-key`. There is at most one reservation for a
     * key.
     */
    key: Schema.String.annotate({ column: "send_key" }),
    /** The fingerprint of the request. A different request with the same key is a conflict. */
    fingerprint: Schema.String,
    contactId: ContactId,
    leadId: Schema.NullOr(LeadId),
    /** The recipient's address or number. The limits of automatic replies count sends to it. */
    correspondent: Schema.String,
    state: ReservationState,
    /**
     * The number of claims. It also identifies the current claim: after another server has claimed the send, updates by
     * the previous server have no effect.
     */
    attempts: Schema.Int,
    /** The slot in the tenant's hourly limit (`SendLimit`). 0 when the send needs no slot. */
    slotAt: Time,
    /** The time from which the send can be claimed. A claim sets it to the end of the lease. */
    dueAt: Time,
    createdAt: Time,
    /** The reason for the last wait or for the outcome. For a confirmed send, the provider's response. */
    reason: Schema.NullOr(Schema.String),
    /** The override of a denial for this send by a person. Null if there is none. */
    override: Schema.NullOr(unchecked<SendOverride>())
  })
) {}

/** An outbound email. */
export interface MailReservation extends Sending {
  readonly channel: "email"
  readonly grantId: GrantId
  readonly threadId: ThreadId
  readonly mail: OutgoingMail
}

/** An outbound text message. */
export interface TextReservation extends Sending {
  readonly channel: "sms"
  readonly text: OutgoingText
}

export type Reservation = MailReservation | TextReservation

/** Returns true for a send that no person requested. */
export const isAutomatic = (send: Reservation): boolean =>
  send.channel === "email" ? send.mail.automatic : send.text.automatic

/** The time for which a server claims a send. After this time, another server may claim the send. */
export const sendLeaseMillis = 30_000

/**
 * The timeout of one handover. It is well below the lease, so that a slow handover ends before another server claims
 * the send.
 */
export const handOverMillis = 25_000

/**
 * The period in which the server retries a mail that the transport does not accept. After this period, the send fails.
 */
export const sendRetryWindowMillis = 24 * 3_600_000

/** The validity of an idempotency key. */
export const sendKeyMillis = 24 * 3_600_000

/** FROZEN. Returns the Message-ID of an outbound mail from the id of the send and the sender's domain. */
export const ownMessageId = (sendId: Id<"snd">, domain: string): string => `${sendId.slice("snd_".length)}@${domain}`

/** Returns the key of the only automatic reply to a signal. */
export const replyKey = (signalId: string): string => `reply:${signalId}`

/** Returns the message that an automatic reply answers, from the key of the send. Returns null for other sends. */
export const repliedMessageOfKey = (key: string): MessageId | null =>
  key.startsWith("reply:sig_") ? `msg_${key.slice("reply:sig_".length)}` : null

/** FROZEN. Returns the key of the only mail that an action of a rule forwards. `position` is that of the action in the run. */
export const forwardKey = (signalId: string, position: number): string => `forward:${signalId}:${position}`

/** Returns the message that an action of a rule forwards, from the key of the send. Returns null for other sends. */
export const forwardedMessageOfKey = (key: string): MessageId | null => {
  const id = key.startsWith("forward:sig_") ? (key.split(":")[1] ?? "") : ""
  return id === "" ? null : `msg_${id.slice("sig_".length)}`
}

/** A different request has already used this idempotency key. */
export class IdempotencyConflict extends TaggedError("IdempotencyConflict")<{}> {}

/** An equal request with this idempotency key is still in progress. */
export class IdempotencyInProgress extends TaggedError("IdempotencyInProgress")<{}> {}

/** The mail provider rejected the mail permanently. `reason` is its response. */
export class MailRefused extends TaggedError("MailRefused")<{
  readonly reason: string
  readonly rate: RateLimitResult
  readonly replayed: boolean
}> {}

/** The contact has no lead with an email that can be answered. */
export class AnswerableEmailNotFound extends TaggedError("AnswerableEmailNotFound")<{
  readonly tenantId: string
  readonly contactId: string
}> {}

/** The tenant has no such email to reply to. */
export class MessageNotFound extends TaggedError("MessageNotFound")<{ readonly messageId: string }> {}
