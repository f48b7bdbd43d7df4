/**
 * Messages of people that are sent later: scheduling, changing, cancelling and releasing them. Handing them to a
 * provider belongs to `workflow/sending`, writing to a contact immediately to `workflow/conversation`.
 * Tests: `packages/testkit/src/suite/sending/ScheduledSuite.ts`, `packages/core/test/domain/sending`.
 */
import { Clock, Effect } from "effect"
import type { SendOverride } from "../../domain/consent/Override.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import { type ScheduledSend, ScheduledSendLimitReached } from "../../domain/sending/ScheduledSend.ts"
import { maxScheduledSends, readSendTime, type StatedTime } from "../../domain/sending/SendTime.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { resolveContact } from "../contact/ResolveContact.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { connectedAccounts } from "../mailbox/Accounts.ts"
import { holdUploads } from "../sending/AttachUploads.ts"
import { contactZones, quietEnd } from "../sending/ContactQuietHours.ts"
import { expandForward } from "../forward/ForwardMail.ts"
import { planAddressed } from "../sending/PlanComposition.ts"
import { correspondentOf } from "../sending/ReserveSend.ts"
import { findEarlierScheduled } from "../sending/SendOnce.ts"
import { ActingUser } from "../ActingUser.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { scheduledEvent } from "../../domain/sending/ScheduledEvent.ts"
import { withSpan } from "../WithSpan.ts"
import { requireSendable } from "./SendableNow.ts"

/** The time of a message that is sent later. */
export interface SendSchedule {
  /** The stated time. Null if the message waits only for its undo window. */
  readonly time: StatedTime | null
  /** The length of the undo window. Without effect if a time is stated. */
  readonly undoSeconds: number
  readonly cancelOnReply: boolean
}

/** A request to send a checked message later. */
export interface ScheduleRequest {
  readonly tenant: Tenant
  /** Null: the contact of the main correspondent. */
  readonly contactId: string | null
  readonly composition: Composition
  readonly schedule: SendSchedule
  /** The name of the caller, from `principalName`. */
  readonly createdBy: string
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
  readonly idempotencyKey: string | null
  readonly fingerprint: string
  readonly override: SendOverride | null
}

/** The result of a request to send a message later. */
export interface Scheduled {
  readonly scheduled: ScheduledSend
  /** True if this is the result of an earlier request with the same key. */
  readonly replayed: boolean
}

/** Finds or creates the contact of a mail to stated recipients. */
const contactOf = Effect.fnUntraced(function* ({ composition, contactId, tenant }: ScheduleRequest, now: number) {
  const { tenantId } = tenant
  if (contactId !== null) return yield* requireUnmergedContact(tenantId, contactId)
  const plan = yield* planAddressed(tenantId, composition, yield* connectedAccounts(tenantId))
  const correspondent = correspondentOf(plan)
  const identity = correspondent === null ? null : emailIdentity(correspondent.email)
  const profile = { name: correspondent?.name ?? null, email: identity?.value ?? null, phone: null, company: null }
  const { change, contact } = yield* resolveContact(tenantId, identity === null ? [] : [identity], profile, now)
  if (change !== "none") yield* recordEvents([contactEvent(`contact.${change}`, contact)], now)
  return contact
})

/** A time of sending, and the reason why it differs from the stated time. */
export interface PlannedTime {
  readonly sendAt: number
  readonly reason: string | null
}

/** Returns the time of sending. A stated time in the contact's quiet hours moves to their end. */
export const planTime = Effect.fnUntraced(function* (tenant: Tenant, contact: Contact, time: StatedTime, now: number) {
  const zones = yield* contactZones(tenant, contact)
  const tenantZone = tenant.config.timeZone
  const at = readSendTime(time, (zone) => (zone === "tenant" ? tenantZone : (zones[0] ?? tenantZone)), now)
  if (typeof at !== "number") return yield* at
  const quiet = yield* quietEnd(tenant, contact, at)
  const reason = quiet === null ? null : describeReason({ code: "quiet_hours" })
  return { sendAt: quiet ?? at, reason } satisfies PlannedTime
})

const timeOf = ({ schedule: { time, undoSeconds }, tenant }: ScheduleRequest, contact: Contact, now: number) =>
  time === null
    ? Effect.succeed<PlannedTime>({ sendAt: now + undoSeconds * 1_000, reason: null })
    : planTime(tenant, contact, time, now)

/** Returns the earlier result of a repeated request; null for a new one. */
const replayOf = Effect.fnUntraced(function* (tenantId: string, key: string | null, fingerprint: string, now: number) {
  if (key === null) return null
  const earlier = yield* findEarlierScheduled(tenantId, key, now)
  const sent = yield* (yield* Sends).findByKey(tenantId, key)
  if (sent !== null || (earlier !== null && earlier.fingerprint !== fingerprint))
    return yield* new IdempotencyConflict()
  return earlier
})

/** Stores a message that is sent later. Runs inside a unit of work. */
export const insertScheduled = Effect.fnUntraced(function* (request: ScheduleRequest, key: string | null, now: number) {
  const { composition, createdBy, fingerprint, override, schedule, tenant } = request
  const { tenantId } = tenant
  const scheduledSends = yield* ScheduledSends
  if ((yield* scheduledSends.count(tenantId, maxScheduledSends)) >= maxScheduledSends)
    return yield* new ScheduledSendLimitReached({ limit: maxScheduledSends })
  const contact = yield* contactOf(request, now)
  const kept = yield* requireSendable({ tenant, contact, composition, override })
  const messageId = yield* (yield* Ids).next("msg")
  const { reason, sendAt } = yield* timeOf(request, contact, now)
  const scheduled: ScheduledSend = {
    tenantId,
    messageId,
    contactId: contact.contactId,
    state: "scheduled",
    composition: kept === null ? composition : { ...composition, from: kept },
    override,
    sendAt,
    undo: schedule.time === null,
    cancelOnReply: schedule.cancelOnReply,
    version: 1,
    sendKey: key ?? `message:${messageId}`,
    fingerprint,
    reason,
    attempts: 0,
    dueAt: sendAt,
    createdBy,
    createdByUser: (yield* ActingUser)?.userId ?? null,
    createdAt: now,
    updatedAt: now
  }
  yield* scheduledSends.insert(scheduled)
  yield* holdUploads(tenantId, composition, messageId)
  yield* recordEvents([scheduledEvent(scheduled, true)], now)
  return scheduled
})

/**
 * Stores a message that is sent later. A stated time in the contact's quiet hours moves to their end. Fails at once if
 * the message could not be sent now. A repeated request with the same key returns the first result.
 */
export const scheduleSend = Effect.fnUntraced(function* (request: ScheduleRequest) {
  const { fingerprint, idempotencyKey, tenant } = request
  const { tenantId } = tenant
  const composition = yield* expandForward(tenantId, request.composition)
  const key = idempotencyKey === null ? null : `api:${idempotencyKey}`
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const earlier = yield* replayOf(tenantId, key, fingerprint, now)
      if (earlier !== null) return { scheduled: earlier, replayed: true } satisfies Scheduled as Scheduled
      const scheduled = yield* insertScheduled({ ...request, composition }, key, now)
      return { scheduled, replayed: false } satisfies Scheduled as Scheduled
    })
  )
}, withSpan("scheduleSend"))
