import { Clock, Data, Effect } from "effect"
import type { MessageId, ThreadId } from "../../domain/Id.ts"
import type { RateLimitResult } from "../../domain/access/RateLimit.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { EmailNotConnected, type Grant } from "../../domain/email/Grant.ts"
import { handOver } from "./HandOverSend.ts"
import { readMailSendContext } from "./MailSendContext.ts"
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

/** What a request for a send is told. */
export interface SentEmail {
  readonly messageId: MessageId
  readonly threadId: ThreadId
  readonly rate: RateLimitResult
  /** The answer to an earlier request under the same key. */
  readonly replayed: boolean
  /** What a person has set aside so that it could go; null: nothing. */
  readonly overridden: SendOverride | null
}

/** The mail may not go, for these reasons; what of them a permitted person could set aside. */
export class MailDenied extends Data.TaggedError("MailDenied")<{
  readonly tenantId: string
  readonly reasons: ReadonlyArray<string>
  readonly overridable: ReadonlyArray<OverridableReason>
}> {}

/** Who is written to about what. */
export type SendPlan = Pick<SendOrder, "answers" | "bcc" | "cc" | "contactId" | "from" | "subject" | "to">

/** A send that somebody asks for, before it is known whom it goes to. */
export interface SendIntent<Err, R> {
  readonly tenant: Tenant
  /** The caller's name for this request, its own name before it; null: none. */
  readonly idempotencyKey: string | null
  /** Tells the same request from another one. */
  readonly fingerprint: string
  /** Plain text or HTML. */
  readonly body: string
  /** What the person sets aside; absent: nothing. */
  readonly override?: SendOverride | null
  /** Made in the unit of work that reserves, so that it is of what is stored then; not for a repeated request. */
  readonly plan: (grant: Grant) => Effect.Effect<SendPlan, Err, R>
}

/** Somebody is at it for the first time: what it will be told is not known yet. */
const isRunning = ({ attempts, reason, state }: Reservation): boolean =>
  state === "handed_over" || (state === "reserved" && attempts === 1 && reason === null)

/** The reservation that was made under this key before; a key that has served its time is given free. */
export const findEarlierSend = Effect.fnUntraced(function* (
  tenantId: string,
  key: string | null,
  fingerprint: string,
  now: number
) {
  const sends = yield* Sends
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

/** What has been decided of a send, before anything leaves. */
export interface SendAdmission {
  readonly reservation: MailReservation
  readonly rate: RateLimitResult
  /** It was reserved by an earlier request. */
  readonly replayed: boolean
}

/** A send of a person that nobody has asked for before. */
export interface NewSend<Err, R, Err2 = never, R2 = never> extends Pick<
  SendIntent<Err, R>,
  "fingerprint" | "override" | "plan" | "tenant"
> {
  readonly key: string | null
  readonly body: RenderedBody
  /** Written together with the reservation, before it, once nothing speaks against the send any more. */
  readonly besides: Effect.Effect<void, Err2, R2>
}

const slotAfter = Effect.fnUntraced(function* (tenantId: string) {
  const now = yield* Clock.currentTimeMillis
  return nextSlot(yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour), now)
})

/** The answer to a request that came before. Runs inside a unit of work. */
export const admitRepeated = Effect.fnUntraced(function* (reservation: MailReservation) {
  const rate = sendLimitResult(yield* slotAfter(reservation.tenantId))
  return { reservation, rate, replayed: true } satisfies SendAdmission
})

/** Asks `maySend` about a mail of a person; answers with what had to be set aside so that it may go. */
const requireAllowed = Effect.fnUntraced(function* (
  { override = null, tenant }: Pick<SendIntent<never, never>, "override" | "tenant">,
  plan: SendPlan,
  now: number
) {
  const recipients = recipientsOf(plan)
  const verdict = maySend(yield* readMailSendContext({ tenant, recipients, override, now }))
  if (verdict._tag !== "Deny") return verdict.overridden
  const { overridable, reasons } = verdict
  return yield* new MailDenied({ tenantId: tenant.tenantId, reasons, overridable })
})

/** Checks account, recipients and the hour, and reserves. Runs inside a unit of work. */
export const admitNew = Effect.fnUntraced(function* <Err, R, Err2, R2>(send: NewSend<Err, R, Err2, R2>) {
  const { besides, body, fingerprint, key, tenant } = send
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const { rate, slotAt } = yield* slotAfter(tenantId)
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant === null) return yield* new EmailNotConnected({ tenantId })
  const plan = yield* send.plan(grant)
  const override = yield* requireAllowed(send, plan, now)
  if (!rate.allowed) return yield* new SendLimitReached({ rate })
  yield* besides
  const whose = { tenant, grant, actor: "agent", claimed: true, now } as const
  const reservation = yield* reserveSend({ ...plan, ...whose, body, key, fingerprint, slotAt, override })
  if (override !== null) yield* recordOverride(override, reservation.messageId)
  return { reservation, rate, replayed: false } satisfies SendAdmission
})

/** Everything that is decided and written before anything leaves, in one unit of work. */
const admit = Effect.fnUntraced(function* <Err, R>(intent: SendIntent<Err, R>, body: RenderedBody) {
  const { fingerprint, override = null, plan, tenant } = intent
  const now = yield* Clock.currentTimeMillis
  const key = intent.idempotencyKey === null ? null : `api:${intent.idempotencyKey}`
  const replay = yield* findEarlierSend(tenant.tenantId, key, fingerprint, now)
  if (replay?.channel === "sms") return yield* new IdempotencyConflict()
  if (replay !== null) return yield* admitRepeated(replay)
  return yield* admitNew({ tenant, key, fingerprint, body, plan, override, besides: Effect.void })
})

/** What a repeated request is told of a refusal; null: it was not refused. */
const refusalOf = ({ reason, state }: Reservation): string | null => (state === "failed" ? (reason ?? "") : null)

/** Hands it over and says whether it was refused; when the store is gone, whoever finds it later says what became of it. */
export const transmit = (reservation: Reservation, replayed: boolean) => {
  if (replayed) return Effect.succeed(refusalOf(reservation))
  return handOver(reservation, "by a caller").pipe(
    Effect.map((result) => (result._tag === "Failed" ? result.reason : null)),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logError("The outcome of a send could not be written down", { reason: error.reason }), null)
    )
  )
}

/** Hands over what was reserved just now, and says what it says to a repeated request. Not to be interrupted. */
export const transmitAdmitted = Effect.fnUntraced(function* ({ rate, replayed, reservation }: SendAdmission) {
  const refusal = yield* transmit(reservation, replayed)
  if (refusal !== null) return yield* new MailRefused({ reason: refusal, rate, replayed })
  const { messageId, override, threadId } = reservation
  return { messageId, threadId, rate, replayed, overridden: override } satisfies SentEmail
})

/**
 * Sends one email of a person through the connected account. Once this has reserved it, it goes out once or it is said
 * that it did not: a relay that is away is asked again by workers, a crash leaves it to them. Refused for good:
 * `MailRefused`.
 */
export const sendOnce = Effect.fn("sendOnce")(function* <Err, R>(intent: SendIntent<Err, R>) {
  const body = yield* renderLongBody(intent.tenant.tenantId, intent.body)
  const admission = yield* (yield* Transactions).atomically(intent.tenant.tenantId, admit(intent, body))
  return yield* transmitAdmitted(admission)
}, Effect.uninterruptible)
