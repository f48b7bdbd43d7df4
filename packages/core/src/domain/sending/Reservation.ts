import { Data } from "effect"
import type { ContactId, GrantId, Id, LeadId, MessageId, ThreadId } from "../Id.ts"
import type { SendOverride } from "../consent/Override.ts"
import type { RateLimitResult } from "../access/RateLimit.ts"
import type { OutgoingText } from "../conversation/OutgoingText.ts"
import type { OutgoingMail } from "../email/OutgoingMail.ts"

/**
 * Where a send stands. `reserved`: nobody has seen it outside. `handed_over`: a transport has it or had it when its
 * server died. `unknown` is never sent again by itself: it may have arrived.
 */
export type ReservationState = "reserved" | "handed_over" | "confirmed" | "failed" | "unknown"

/** Something that is to go out once: kept before anything is handed over, under a key that no other send has. */
interface Sending {
  readonly tenantId: string
  /** The message that is sent: a message is sent once, so the reservation has no other id. */
  readonly messageId: MessageId
  /** What the send is for, for example `reply:sig_…` or `api:key_…:my-key`; one reservation a key. */
  readonly key: string
  /** Of the request: the same key with another request is a conflict. */
  readonly fingerprint: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  /** The address or number written to, for the loop budget. */
  readonly correspondent: string
  readonly state: ReservationState
  /** How often somebody has taken it; also the fence between one who hung and one who took over. */
  readonly attempts: number
  /** Its place in the tenant's hours (`SendLimit`), epoch milliseconds; 0: it takes none. */
  readonly slotAt: number
  /** When it may be taken next. Who holds it holds it until then. */
  readonly dueAt: number
  readonly createdAt: number
  /** What was last said of it: why it waits, how it ended. */
  readonly reason: string | null
  /** What a person has set aside so that it may go; null: nothing spoke against it. */
  readonly override: SendOverride | null
}

/** An email on its way out. */
export interface MailReservation extends Sending {
  readonly channel: "email"
  readonly grantId: GrantId
  readonly threadId: ThreadId
  readonly mail: OutgoingMail
}

/** A text message on its way out. */
export interface TextReservation extends Sending {
  readonly channel: "sms"
  readonly text: OutgoingText
}

export type Reservation = MailReservation | TextReservation

/** Whether the machine decided that it goes. */
export const isAutomatic = (send: Reservation): boolean =>
  send.channel === "email" ? send.mail.automatic : send.text.automatic

/** How long a server may hold a send before others see it. */
export const sendLeaseMillis = 30_000

/** How long one hand-over may take at most; well within the lease, so that whoever hangs still ends it himself. */
export const handOverMillis = 25_000

/** Within this time a transport that does not take a mail is asked again; afterwards the send has failed. */
export const sendRetryWindowMillis = 24 * 3_600_000

/** How long a key keeps a request from being made twice. */
export const sendKeyMillis = 24 * 3_600_000

/** FROZEN. Our Message-ID, derived from the id of the send; `domain` is that of the sender. */
export const ownMessageId = (sendId: Id<"snd">, domain: string): string => `${sendId.slice("snd_".length)}@${domain}`

/** The key of the one automatic reply to a signal. */
export const replyKey = (signalId: string): string => `reply:${signalId}`

/** The message that an automatic reply answers, by its key; null for every other send. */
export const repliedMessageOfKey = (key: string): MessageId | null =>
  key.startsWith("reply:sig_") ? `msg_${key.slice("reply:sig_".length)}` : null

/** The request came before under this key, and was another one. */
export class IdempotencyConflict extends Data.TaggedError("IdempotencyConflict")<{}> {}

/** The request came before under this key and is still being carried out. */
export class IdempotencyInProgress extends Data.TaggedError("IdempotencyInProgress")<{}> {}

/** The mail provider refused for good; `reason` is what it said. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly reason: string
  readonly rate: RateLimitResult
  readonly replayed: boolean
}> {}

/** No such email in this tenant that could be answered. */
export class MessageNotFound extends Data.TaggedError("MessageNotFound")<{ readonly messageId: string }> {}
