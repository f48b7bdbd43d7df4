/**
 * Reserves and transmits outbound emails and texts, and stores their outcomes. Each is sent at most once. The decision
 * to send does not belong here (`domain/consent/MaySend.ts`). Tests: `packages/testkit/src/suite/sending`,
 * `packages/core/test/workflow/sending`.
 */
import { Clock, Effect } from "effect"
import type { Composition } from "../../domain/sending/Composition.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { UploadHolder } from "../../domain/upload/Upload.ts"
import { takeUploads } from "./AttachUploads.ts"
import type { MessageId, ThreadId } from "../../domain/Id.ts"
import type { RateLimitResult } from "../../domain/access/RateLimit.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Accounts } from "../../domain/email/Accounts.ts"
import { connectedAccounts } from "../mailbox/Accounts.ts"
import { handOver } from "./HandOverSend.ts"
import { readMailSendContext } from "./MailSendContext.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import { recordOverride, type RenderedBody, renderLongBody, reserveSend, type SendOrder } from "./ReserveSend.ts"
import type { OverridableReason, SendOverride } from "../../domain/consent/Override.ts"
import { recipientsOf } from "../../domain/email/OutgoingMail.ts"
import {
  IdempotencyConflict,
  IdempotencyInProgress,
  type MailReservation,
  MailRefused,
  type Reservation,
  sendKeyMillis
} from "../../domain/sending/Reservation.ts"
import {
  hourMillis,
  nextSlot,
  SendLimitReached,
  maxSendsPerHour,
  sendLimitResult
} from "../../domain/sending/SendLimit.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** The result of a request to send an email. */
export interface SentEmail {
  readonly messageId: MessageId
  readonly threadId: ThreadId
  readonly rate: RateLimitResult
  /** True if this is the result of an earlier request with the same key. */
  readonly replayed: boolean
  /** The denial reasons that a person has overridden. Null if there are none. */
  readonly overridden: SendOverride | null
}

/** The mail is not allowed, for these reasons. `overridable` lists the reasons that a permitted person may override. */
export class MailDenied extends TaggedError("MailDenied")<{
  readonly tenantId: string
  readonly reasons: ReadonlyArray<string>
  readonly overridable: ReadonlyArray<OverridableReason>
}> {}

/** The recipients, sender and subject of a send. */
export type SendPlan = Pick<
  SendOrder,
  "answers" | "bcc" | "cc" | "contactId" | "from" | "grant" | "own" | "replyTo" | "subject" | "to"
>

/** A request to send a mail. `plan` determines its recipients. */
export interface SendIntent<Err, R> {
  readonly tenant: Tenant
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
  readonly idempotencyKey: string | null
  /** Identifies the content of the request. Another request with the same key is a conflict. */
  readonly fingerprint: string
  /** The message as it was composed. `body` is plain text or HTML. */
  readonly composition: Pick<Composition, "attachments" | "body">
  /** The denial reasons that the person overrides. Absent or null if there are none. */
  readonly override?: SendOverride | null
  /**
   * Determines sender, recipients and subject. Runs in the unit of work of the reservation, so it uses current data. It
   * does not run for a repeated request.
   */
  readonly plan: (accounts: Accounts) => Effect.Effect<SendPlan, Err, R>
}

/** Returns whether the first attempt is still running. Its outcome is then not known yet. */
const isRunning = ({ attempts, reason, state }: Reservation): boolean =>
  state === "handed_over" || (state === "reserved" && attempts === 1 && reason === null)

/** Returns the earlier scheduled message with this key. If the key has expired, releases it and returns null. */
export const findEarlierScheduled = Effect.fnUntraced(function* (tenantId: string, key: string, now: number) {
  const scheduled = yield* ScheduledSends
  const found = yield* scheduled.findByKey(tenantId, key)
  if (found === null || found.createdAt > now - sendKeyMillis) return found
  yield* scheduled.replace({ ...found, sendKey: `used:${found.messageId}` })
  return null
})

/** Returns the earlier reservation with this key. If the key has expired, releases it and returns null. */
export const findEarlierSend = Effect.fnUntraced(function* (
  tenantId: string,
  key: string | null,
  fingerprint: string,
  now: number
) {
  const sends = yield* Sends
  // A request that was scheduled has another content than every request that sends immediately.
  if (key !== null && (yield* findEarlierScheduled(tenantId, key, now)) !== null)
    return yield* new IdempotencyConflict()
  const found = key === null ? null : yield* sends.findByKey(tenantId, key)
  if (found === null) return null
  if (found.createdAt <= now - sendKeyMillis) {
    yield* sends.retireKey(tenantId, found.messageId)
    return null
  }
  if (found.fingerprint !== fingerprint) return yield* new IdempotencyConflict()
  if (isRunning(found)) return yield* new IdempotencyInProgress()
  return found
})

/** The result of the unit of work that precedes the transmission. */
export interface SendAdmission {
  readonly reservation: MailReservation
  readonly rate: RateLimitResult
  /** True if an earlier request with the same key has made the reservation. */
  readonly replayed: boolean
}

/** A new mail that a person sends. */
export interface NewSend<Err, R, Err2 = never, R2 = never> extends Pick<
  SendIntent<Err, R>,
  "fingerprint" | "override" | "plan" | "tenant"
> {
  readonly key: string | null
  readonly body: RenderedBody
  /** The uploads that the mail contains. Default: none. */
  readonly attachments?: Composition["attachments"]
  /** The draft or scheduled message that holds the uploads. Default: none. */
  readonly holder?: UploadHolder
  /** The id of the message, if it is already known. */
  readonly messageId?: MessageId
  /** The author of the message. Default: a person. `assistant`: a sequence, whose texts a person has written. */
  readonly actor?: "agent" | "assistant"
  /** False if a worker transmits the mail. Default: the caller transmits it. */
  readonly claimed?: boolean
  /** Runs in the same unit of work, after the send is allowed and before it is reserved. */
  readonly besides: Effect.Effect<void, Err2, R2>
}

const slotAfter = Effect.fnUntraced(function* (tenantId: string) {
  const now = yield* Clock.currentTimeMillis
  return nextSlot(yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour), now)
})

/** Returns the admission of a repeated request. Runs inside a unit of work. */
export const admitRepeated = Effect.fnUntraced(function* (reservation: MailReservation) {
  const rate = sendLimitResult(yield* slotAfter(reservation.tenantId))
  return { reservation, rate, replayed: true } satisfies SendAdmission
})

/**
 * Decides with `maySend` about a mail from a person. Returns the override that was necessary. Fails with `MailDenied`
 * if the mail is not allowed.
 */
export const requireAllowed = Effect.fnUntraced(function* (
  { override = null, tenant }: Pick<SendIntent<never, never>, "override" | "tenant">,
  plan: SendPlan,
  now: number
) {
  const recipients = recipientsOf(plan)
  const verdict = maySend(yield* readMailSendContext({ tenant, recipients, override, now }))
  if (verdict._tag !== "Deny") return verdict.overridden
  const reasons = verdict.reasons.map((one) => describeReason(one))
  return yield* new MailDenied({ tenantId: tenant.tenantId, reasons, overridable: verdict.overridable })
})

/**
 * Checks the account, the recipients and the hourly limit of a mail. Reserves nothing.
 */
export const checkNew = Effect.fnUntraced(function* <Err, R>(
  send: Pick<SendIntent<Err, R>, "override" | "plan" | "tenant">
) {
  const { tenantId } = send.tenant
  const now = yield* Clock.currentTimeMillis
  const { rate, slotAt } = yield* slotAfter(tenantId)
  const plan = yield* send.plan(yield* connectedAccounts(tenantId))
  const override = yield* requireAllowed(send, plan, now)
  if (!rate.allowed) return yield* new SendLimitReached({ rate })
  return { now, override, plan, rate, slotAt }
})

/** Checks the account, the recipients and the hourly limit, and reserves the send. Runs inside a unit of work. */
export const admitNew = Effect.fnUntraced(function* <Err, R, Err2, R2>(send: NewSend<Err, R, Err2, R2>) {
  const { attachments = [], besides, body, claimed = true, fingerprint, holder = null, key, messageId, tenant } = send
  const { tenantId } = tenant
  const { now, override, plan, rate, slotAt } = yield* checkNew(send)
  yield* besides
  const files = yield* takeUploads(tenantId, { channel: "email", attachments }, holder)
  const reservation = yield* reserveSend({
    ...plan,
    tenant,
    actor: send.actor ?? "agent",
    automatic: false,
    claimed,
    now,
    attachments: files,
    body,
    key,
    fingerprint,
    slotAt,
    override,
    ...(messageId !== undefined && { messageId })
  })
  if (override !== null) yield* recordOverride(override, reservation.messageId)
  return { reservation, rate, replayed: false } satisfies SendAdmission
})

/** Finds the earlier send of a repeated request, or reserves a new one. Runs inside a unit of work. */
const admit = Effect.fnUntraced(function* <Err, R>(intent: SendIntent<Err, R>, body: RenderedBody) {
  const { fingerprint, override = null, plan, tenant } = intent
  const now = yield* Clock.currentTimeMillis
  const key = intent.idempotencyKey === null ? null : `api:${intent.idempotencyKey}`
  const replay = yield* findEarlierSend(tenant.tenantId, key, fingerprint, now)
  if (replay?.channel === "sms") return yield* new IdempotencyConflict()
  if (replay !== null) return yield* admitRepeated(replay)
  const { attachments } = intent.composition
  return yield* admitNew({ tenant, key, fingerprint, body, attachments, plan, override, besides: Effect.void })
})

/** Returns the reason why the earlier send was refused. Returns null when it was not refused. */
const refusalOf = ({ reason, state }: Reservation): string | null => (state === "failed" ? (reason ?? "") : null)

/**
 * Transmits the message of a reservation. If `replayed` is true, transmits nothing and uses the result of the earlier
 * request. Returns the reason if the transport refused the message permanently, and null otherwise. If the store fails
 * after the transmission, a worker stores the outcome.
 */
export const transmit = (reservation: Reservation, replayed: boolean) => {
  if (replayed) return Effect.succeed(refusalOf(reservation))
  return handOver(reservation, "by a caller").pipe(
    Effect.map((result) => (result._tag === "Failed" ? result.reason : null)),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(log("message.outcome_late", { reason: error.reason }), null)
    )
  )
}

/** Sends a new reservation, or returns the result of an earlier one. Must run uninterruptibly. */
export const transmitAdmitted = Effect.fnUntraced(function* ({ rate, replayed, reservation }: SendAdmission) {
  const refusal = yield* transmit(reservation, replayed)
  if (refusal !== null) return yield* new MailRefused({ reason: refusal, rate, replayed })
  const { messageId, override, threadId } = reservation
  return { messageId, threadId, rate, replayed, overridden: override } satisfies SentEmail
})

/**
 * Sends one email from a person through an account of the tenant. A reserved mail is sent at most once, and always gets
 * an outcome. Workers retry while the transport is unavailable, and take over after a crash. Fails with `MailRefused`
 * after a permanent refusal.
 */
export const sendOnce = Effect.fnUntraced(
  function* <Err, R>(intent: SendIntent<Err, R>) {
    const body = yield* renderLongBody(intent.tenant.tenantId, intent.composition.body)
    const admission = yield* (yield* Transactions).atomically(intent.tenant.tenantId, admit(intent, body))
    return yield* transmitAdmitted(admission)
  },
  Effect.uninterruptible,
  withSpan("sendOnce")
)
