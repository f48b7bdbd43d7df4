import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { checkMessage, fingerprintOfMessage, type MessageToSend } from "../conversation/SendMessage.ts"
import { checkAddressed, fingerprintOfEmail, type SendInput } from "../sending/SendEmail.ts"
import { type ScheduleRequest, scheduleSend } from "./ScheduleSend.ts"
import { withSpan } from "../WithSpan.ts"

type Timing = Pick<ScheduleRequest, "createdBy" | "idempotencyKey" | "schedule" | "tenant">

/**
 * FROZEN as long as idempotency keys with such fingerprints are valid. Returns the fingerprint of a message that is
 * sent later.
 */
const fingerprintOf = (message: string, { schedule }: Pick<Timing, "schedule">): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify([message, schedule]))))

/** A message to a contact that is sent later. */
export interface MessageToSchedule extends Timing {
  readonly contactId: string
  readonly message: MessageToSend
}

/** Schedules a message to a contact, with the content that `sendMessage` accepts. */
export const scheduleMessage = Effect.fnUntraced(function* ({ contactId, message, ...timing }: MessageToSchedule) {
  const { tenant } = timing
  const { override = null } = message
  const composition = yield* checkMessage(tenant, message)
  const contact = yield* (yield* Contacts).get(tenant.tenantId, contactId)
  const fingerprint = fingerprintOf(fingerprintOfMessage(contact.contactId, composition, override), timing)
  return yield* scheduleSend({ ...timing, contactId, composition, fingerprint, override })
}, withSpan("scheduleMessage"))

/** An email to stated recipients that is sent later. */
export interface EmailToSchedule extends Timing, Pick<SendInput, "override" | "request"> {}

/** Schedules an email to stated recipients, with the content that `sendEmail` accepts. */
export const scheduleEmail = Effect.fnUntraced(function* ({ override = null, request, ...timing }: EmailToSchedule) {
  const checked = yield* checkAddressed(request)
  const fingerprint = fingerprintOf(fingerprintOfEmail(checked, override), timing)
  // Without a subject, a message in a conversation answers the newest mail. An addressed email opens a thread instead.
  const opensThread = checked.replyToMessageId === null && checked.forwardMessageId === null
  const composition = opensThread ? { ...checked, subject: checked.subject ?? "" } : checked
  return yield* scheduleSend({ ...timing, contactId: null, composition, fingerprint, override })
}, withSpan("scheduleEmail"))
