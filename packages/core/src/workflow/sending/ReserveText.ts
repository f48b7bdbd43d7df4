import { Effect } from "effect"
import { placeMessage, storeMessage } from "../intake/AcceptMessage.ts"
import { type Inbound, plainInbound } from "../intake/Inbound.ts"
import { type TextReservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import type { ContactId, MessageId } from "../../domain/Id.ts"
import { overrideNote, type SendOverride } from "../../domain/consent/Override.ts"
import { Ids } from "../../port/system/Ids.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { attachmentsOf } from "./AttachUploads.ts"
import { logWait } from "./LogWait.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { OutgoingAttachment } from "../../domain/email/OutgoingMail.ts"
import { segmentsOf } from "../../domain/conversation/OutgoingText.ts"

/** The content of a text that `maySend` has allowed. */
export interface TextDraft {
  readonly tenant: Tenant
  readonly actor: "agent" | "assistant"
  /** True if the text replies automatically. Default: true for the actor `assistant`. */
  readonly automatic?: boolean
  /** The tenant's number and the contact's number, both in E.164. */
  readonly from: string
  readonly to: string
  readonly body: string
  /** The files of an MMS. Absent if it has none. */
  readonly attachments?: ReadonlyArray<OutgoingAttachment>
  readonly contactId: ContactId
  /** The id of the message, if it is already known. */
  readonly messageId?: MessageId
  /** The key of the send. A second send with the same key is not possible. Null for a send without such a limit. */
  readonly key: string | null
  readonly fingerprint: string
  /** The earliest time at which the text may be sent, in epoch milliseconds. */
  readonly dueAt: number
  /** True if the caller sends the text immediately. If the caller crashes, a worker takes over. */
  readonly claimed: boolean
  /** The denial reasons that a person has overridden. Absent or null if there are none. */
  readonly override?: SendOverride | null
  readonly now: number
}

const asInbound = (draft: TextDraft, segments: number): Inbound => ({
  ...plainInbound,
  tenant: draft.tenant,
  channel: "sms",
  source: "sms",
  actor: draft.actor,
  delivery: "queued",
  contactId: draft.contactId,
  identities: [{ kind: "phone", value: draft.to }],
  profile: { name: null, email: null, phone: draft.to, company: null },
  body: draft.body,
  numbers: {
    from: draft.from,
    to: draft.to,
    providerMessageId: null,
    attachments: attachmentsOf(draft.attachments ?? [])
  },
  metadata: { segments, ...overrideNote(draft.override) },
  timestamp: draft.now,
  pipeline: "none"
})

/** Stores an outbound text with its reservation, like `reserveSend` for mails. Runs inside a unit of work. */
export const reserveText = Effect.fnUntraced(function* (draft: TextDraft) {
  const { attachments = [], body, claimed, dueAt, from, now, tenant, to } = draft
  const { segments } = segmentsOf(body)
  const outbound = asInbound(draft, segments)
  const message = { messageId: draft.messageId ?? (yield* (yield* Ids).next("msg")), reusedId: false }
  const place = yield* placeMessage(outbound, now)
  const { contactId, leadId, messageId } = yield* storeMessage(outbound, message, place, now)
  const reservation: TextReservation = {
    channel: "sms",
    tenantId: tenant.tenantId,
    messageId,
    key: draft.key ?? `message:${messageId}`,
    fingerprint: draft.fingerprint,
    contactId,
    leadId,
    correspondent: to,
    text: { from, to, body, segments, attachments, automatic: draft.automatic ?? draft.actor === "assistant" },
    state: "reserved",
    attempts: claimed ? 1 : 0,
    slotAt: 0,
    dueAt: claimed ? now + sendLeaseMillis : dueAt,
    createdAt: now,
    reason: null,
    override: draft.override ?? null
  }
  yield* (yield* Sends).reserve(reservation)
  if (reservation.attempts === 0 && reservation.dueAt > now) {
    const reason = describeReason({ code: "quiet_hours" })
    yield* logWait(tenant.tenantId, { messageId, until: reservation.dueAt, reason })
  }
  return reservation
})
