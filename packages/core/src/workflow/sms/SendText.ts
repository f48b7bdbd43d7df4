import { Clock, Data, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { TextReservation } from "../../domain/sending/Reservation.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import { transmit, findEarlierSend } from "../sending/SendOnce.ts"
import type { MessageId } from "../../domain/Id.ts"
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

/** This server has nobody to send text messages through, and the tenant no number to send them from. */
export class SmsNotConfigured extends Data.TaggedError("SmsNotConfigured")<{}> {}

/** The text may not go, for these reasons. */
export class TextDenied extends Data.TaggedError("TextDenied")<{
  readonly tenantId: string
  readonly reasons: ReadonlyArray<string>
  /** What of them a permitted person could set aside. */
  readonly overridable: ReadonlyArray<OverridableReason>
}> {}

/** The text is longer than a message may be. */
export class TextTooLong extends Data.TaggedError("TextTooLong")<{ readonly limit: number }> {}

/** The provider refused for good; `reason` is what it said. */
export class TextRejected extends Data.TaggedError("TextRejected")<{
  readonly reason: string
  readonly replayed: boolean
}> {}

/** What a request for a text is told. */
export interface SentText {
  readonly messageId: MessageId
  /** Texts have no threads and no hour of their own. */
  readonly threadId: null
  readonly rate: null
  /** The answer to an earlier request under the same key. */
  readonly replayed: boolean
  /** What a person has set aside so that it could go; null: nothing. */
  readonly overridden: SendOverride | null
}

/** A text of a person that nobody has asked for before. */
export interface NewText<E, R> {
  readonly tenant: Tenant
  readonly contact: Contact
  readonly body: string
  /** Null: nothing that could come twice. */
  readonly key: string | null
  readonly fingerprint: string
  /** The number that is answered, E.164; absent: the one that the contact last wrote from, else the one in its record. */
  readonly recipient?: string
  /** What the person sets aside; absent: nothing. */
  readonly override?: SendOverride | null
  /** Written together with the reservation, before it, once nothing speaks against the text any more. */
  readonly besides: Effect.Effect<void, E, R>
}

/** What has been decided of a text, before anything leaves. */
export interface TextAdmission {
  readonly reservation: TextReservation
  readonly replayed: boolean
  /** It goes later, by itself: nobody waits for it. */
  readonly deferred: boolean
}

/** Asks `maySend` and reserves. Runs inside a unit of work. */
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
    const { overridable, reasons } = verdict
    return yield* new TextDenied({ tenantId, reasons, overridable })
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

/** Hands over what was reserved just now, and says what it says to a repeated request. Not to be interrupted. */
export const transmitText = Effect.fnUntraced(function* ({ deferred, replayed, reservation }: TextAdmission) {
  const refusal = deferred ? null : yield* transmit(reservation, replayed)
  if (refusal !== null) return yield* new TextRejected({ reason: refusal, replayed })
  const { messageId, override } = reservation
  return { messageId, threadId: null, rate: null, replayed, overridden: override } satisfies SentText
})

/** A text that somebody asks for. */
export interface TextIntent extends Pick<
  NewText<never, never>,
  "tenant" | "contact" | "body" | "fingerprint" | "override"
> {
  /** The caller's name for this request, its own name before it; null: none. */
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
 * Sends one text of a person to a contact, from the number that it last wrote to. Once this has reserved it, it goes out
 * once or it is said that it did not; in the quiet hours at the contact's place it goes when they end. Refused for good:
 * `TextRejected`.
 */
export const sendText = Effect.fn("sendText")(function* (intent: TextIntent) {
  const admission = yield* (yield* Transactions).atomically(intent.tenant.tenantId, admit(intent))
  return yield* transmitText(admission)
}, Effect.uninterruptible)
