import { Clock, Data, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { TextReservation } from "../../domain/sending/Reservation.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import { transmit, findEarlierSend } from "../sending/SendOnce.ts"
import type { MessageId } from "../../domain/Id.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import { recordOverride } from "../sending/ReserveSend.ts"
import type { OverridableReason, SendOverride } from "../../domain/consent/Override.ts"
import { readTextSendContext } from "../sending/NumberSendContext.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { SmsProvider } from "../../port/provider/SmsProvider.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { maxOutgoingTextLength } from "../../domain/conversation/OutgoingText.ts"
import { reserveText } from "../sending/ReserveText.ts"

/** The server has no text provider, and the tenant has no number. */
export class SmsNotConfigured extends Data.TaggedError("SmsNotConfigured")<{}> {}

/** The text is not allowed, for these reasons. */
export class TextDenied extends Data.TaggedError("TextDenied")<{
  readonly tenantId: string
  readonly reasons: ReadonlyArray<string>
  /** The reasons that a permitted person can override. */
  readonly overridable: ReadonlyArray<OverridableReason>
}> {}

/** The text exceeds the maximum length. */
export class TextTooLong extends Data.TaggedError("TextTooLong")<{ readonly limit: number }> {}

/** The provider refused the text permanently; `reason` is its message. */
export class TextRejected extends Data.TaggedError("TextRejected")<{
  readonly reason: string
  readonly replayed: boolean
}> {}

/** The response to a request for a text. */
export interface SentText {
  readonly messageId: MessageId
  /** Texts have neither threads nor an hourly limit. */
  readonly threadId: null
  readonly rate: null
  /** True for the response to an earlier request with the same key. */
  readonly replayed: boolean
  /** The denial reasons that a person has overridden; null means none. */
  readonly overridden: SendOverride | null
}

/** A new text from a person. */
export interface NewText<E, R> {
  readonly tenant: Tenant
  readonly contact: Contact
  readonly body: string
  /** Identifies the purpose of the text; null when it cannot be repeated. */
  readonly key: string | null
  readonly fingerprint: string
  /** The number to answer, E.164; absent selects the number of the contact's last text, else the one in its record. */
  readonly recipient?: string
  /** The denial reasons that the person overrides; absent means none. */
  readonly override?: SendOverride | null
  /** Runs before the reservation in the same unit of work, once the text is allowed. */
  readonly besides: Effect.Effect<void, E, R>
}

/** The result of the unit of work that precedes the transmission. */
export interface TextAdmission {
  readonly reservation: TextReservation
  readonly replayed: boolean
  /** True when a worker sends it later, so that no caller waits. */
  readonly deferred: boolean
}

/** Asks `maySend` and reserves the text. Runs inside a unit of work. */
export const admitText = Effect.fnUntraced(function* <E, R>(text: NewText<E, R>) {
  const { besides, body, contact, fingerprint, key, override = null, recipient: answered, tenant } = text
  const { tenantId } = tenant
  if (body.length > maxOutgoingTextLength) return yield* new TextTooLong({ limit: maxOutgoingTextLength })
  const { configured } = yield* SmsProvider
  if (!configured && (yield* (yield* PhoneNumbers).ofTenant(tenantId)).length === 0)
    return yield* new SmsNotConfigured()
  const now = yield* Clock.currentTimeMillis
  const requested = { tenant, contact, by: "person", now, override } as const
  const sendContext = yield* readTextSendContext({
    ...requested,
    ...(answered !== undefined && { recipient: answered })
  })
  const verdict = maySend(sendContext)
  const { recipient, sender } = sendContext
  if (verdict._tag === "Deny") {
    const { overridable } = verdict
    return yield* new TextDenied({ tenantId, reasons: verdict.reasons.map((one) => describeReason(one)), overridable })
  }
  if (recipient === null || sender === null) return yield* new TextDenied({ tenantId, reasons: [], overridable: [] })
  yield* besides
  const deferred = verdict._tag === "Defer"
  const reservation = yield* reserveText({
    tenant,
    actor: "agent",
    from: sender,
    to: recipient,
    body,
    contactId: contact.contactId,
    key,
    fingerprint,
    dueAt: deferred ? verdict.until : now,
    claimed: !deferred,
    override: verdict.overridden,
    now
  })
  if (verdict.overridden !== null) yield* recordOverride(verdict.overridden, reservation.messageId)
  return { reservation, replayed: false, deferred } satisfies TextAdmission
})

/** Sends a new reservation, or repeats the result of an earlier one. Must run uninterrupted. */
export const transmitText = Effect.fnUntraced(function* ({ deferred, replayed, reservation }: TextAdmission) {
  const refusal = deferred ? null : yield* transmit(reservation, replayed)
  if (refusal !== null) return yield* new TextRejected({ reason: refusal, replayed })
  const { messageId, override } = reservation
  return { messageId, threadId: null, rate: null, replayed, overridden: override } satisfies SentText
})

/** A client's request to send a text. */
export interface TextIntent extends Pick<
  NewText<never, never>,
  "tenant" | "contact" | "body" | "fingerprint" | "override"
> {
  /** The client's idempotency key, prefixed with the principal; null when there is none. */
  readonly idempotencyKey: string | null
}

const admit = Effect.fnUntraced(function* ({ idempotencyKey, ...text }: TextIntent) {
  const { fingerprint, tenant } = text
  const key = idempotencyKey === null ? null : `api:${idempotencyKey}`
  const replay = yield* findEarlierSend(tenant.tenantId, key, fingerprint, yield* Clock.currentTimeMillis)
  if (replay?.channel === "email") return yield* new IdempotencyConflict()
  if (replay !== null) return { reservation: replay, replayed: true, deferred: false } satisfies TextAdmission
  return yield* admitText({ ...text, key, besides: Effect.void })
})

/**
 * Sends one text from a person to a contact, from the number that the contact last wrote to. A reserved text is sent at
 * most once and always gets an outcome. During the contact's quiet hours it waits for their end. Fails with
 * `TextRejected` after a permanent refusal.
 */
export const sendText = Effect.fn("sendText")(function* (intent: TextIntent) {
  const admission = yield* (yield* Transactions).atomically(intent.tenant.tenantId, admit(intent))
  return yield* transmitText(admission)
}, Effect.uninterruptible)
