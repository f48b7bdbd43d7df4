import { Clock, Effect } from "effect"
import type { Composition } from "../../domain/sending/Composition.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { UploadHolder } from "../../domain/upload/Upload.ts"
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
import { takeUploads } from "../sending/AttachUploads.ts"
import { reserveText } from "../sending/ReserveText.ts"
import { withSpan } from "../WithSpan.ts"

/** The server has no SMS provider, and the tenant has no number. */
export class SmsNotConfigured extends TaggedError("SmsNotConfigured")<{}> {}

/** The text is not allowed, for these reasons. */
export class TextDenied extends TaggedError("TextDenied")<{
  readonly tenantId: string
  readonly reasons: ReadonlyArray<string>
  /** The reasons that a permitted person may override. */
  readonly overridable: ReadonlyArray<OverridableReason>
}> {}

/** The text exceeds the maximum length. */
export class TextTooLong extends TaggedError("TextTooLong")<{ readonly limit: number }> {}

/** The provider refused the text permanently. `reason` is the provider's message. */
export class TextRejected extends TaggedError("TextRejected")<{
  readonly reason: string
  readonly replayed: boolean
}> {}

/** The result of a request to send a text. */
export interface SentText {
  readonly messageId: MessageId
  /** Always null, because texts have neither threads nor an hourly limit. */
  readonly threadId: null
  readonly rate: null
  /** True if this is the result of an earlier request with the same key. */
  readonly replayed: boolean
  /** The denial reasons that a person has overridden. Null if there are none. */
  readonly overridden: SendOverride | null
}

/** A new text that a person sends. */
export interface NewText<E, R> {
  readonly tenant: Tenant
  readonly contact: Contact
  readonly body: string
  /** The key of the send. A second send with the same key is not possible. Null for a send without such a limit. */
  readonly key: string | null
  readonly fingerprint: string
  /**
   * The contact's number in E.164. If absent, the number of the contact's last text is used, otherwise the number in
   * the contact's record.
   */
  readonly recipient?: string
  /** The denial reasons that the person overrides. Absent or null if there are none. */
  readonly override?: SendOverride | null
  /** The uploads that the text contains. Default: none. */
  readonly attachments?: Composition["attachments"]
  /** The draft or scheduled message that holds the uploads. Default: none. */
  readonly holder?: UploadHolder
  /** The id of the message, if it is already known. */
  readonly messageId?: MessageId
  /** The author of the message. Default: a person. `assistant`: a sequence, whose texts a person has written. */
  readonly actor?: "agent" | "assistant"
  /** False if a worker transmits the text. Default: the caller transmits it, unless it has to wait. */
  readonly claimed?: boolean
  /** Runs in the same unit of work, after the text is allowed and before it is reserved. */
  readonly besides: Effect.Effect<void, E, R>
}

/** The result of the unit of work that precedes the transmission. */
export interface TextAdmission {
  readonly reservation: TextReservation
  readonly replayed: boolean
  /** True if a worker sends the text later. The caller then does not wait for the result. */
  readonly deferred: boolean
}

/** Decides with `maySend` about a text. Reserves nothing. A text in quiet hours is allowed, and is deferred. */
export const checkText = Effect.fnUntraced(function* ({
  body,
  contact,
  override = null,
  recipient: answered,
  tenant
}: Pick<NewText<never, never>, "body" | "contact" | "override" | "recipient" | "tenant">) {
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
  return { now, recipient, sender, verdict }
})

/** Decides with `maySend` about a text, and reserves it. Runs inside a unit of work. */
export const admitText = Effect.fnUntraced(function* <E, R>(text: NewText<E, R>) {
  const { besides, body, contact, fingerprint, key, messageId, tenant } = text
  const { tenantId } = tenant
  const { now, recipient, sender, verdict } = yield* checkText(text)
  yield* besides
  const { attachments = [], claimed = true, holder = null } = text
  const files = yield* takeUploads(tenantId, { channel: "sms", attachments }, holder)
  const deferred = verdict._tag === "Defer"
  const reservation = yield* reserveText({
    tenant,
    actor: text.actor ?? "agent",
    automatic: false,
    from: sender,
    to: recipient,
    body,
    attachments: files,
    contactId: contact.contactId,
    ...(messageId !== undefined && { messageId }),
    key,
    fingerprint,
    dueAt: deferred ? verdict.until : now,
    claimed: claimed && !deferred,
    override: verdict.overridden,
    now
  })
  if (verdict.overridden !== null) yield* recordOverride(verdict.overridden, reservation.messageId)
  return { reservation, replayed: false, deferred } satisfies TextAdmission
})

/** Sends a new reservation, or returns the result of an earlier one. Must run uninterruptibly. */
export const transmitText = Effect.fnUntraced(function* ({ deferred, replayed, reservation }: TextAdmission) {
  const refusal = deferred ? null : yield* transmit(reservation, replayed)
  if (refusal !== null) return yield* new TextRejected({ reason: refusal, replayed })
  const { messageId, override } = reservation
  return { messageId, threadId: null, rate: null, replayed, overridden: override } satisfies SentText
})

/** A request to send a text. */
export interface TextIntent extends Pick<
  NewText<never, never>,
  "tenant" | "contact" | "body" | "attachments" | "fingerprint" | "override"
> {
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
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
 * Sends one text from a person to a contact, from the number to which the contact last wrote. A reserved text is sent
 * at most once, and always gets an outcome. During the contact's quiet hours, the text waits until they end. Fails with
 * `TextRejected` after a permanent refusal.
 */
export const sendText = Effect.fnUntraced(
  function* (intent: TextIntent) {
    const admission = yield* (yield* Transactions).atomically(intent.tenant.tenantId, admit(intent))
    return yield* transmitText(admission)
  },
  Effect.uninterruptible,
  withSpan("sendText")
)
