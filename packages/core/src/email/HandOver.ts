import { Cause, Clock, Effect, Exit, Option } from "effect"
import type { Delivery } from "../conversation/Message.ts"
import { Conversations } from "../port/Conversations.ts"
import type { Drafts } from "../port/Drafts.ts"
import { EmailTransport, OutcomeUnknown, type TransportFailure, type TransportReceipt } from "../port/EmailTransport.ts"
import { Grants } from "../port/Grants.ts"
import { Ids } from "../port/Ids.ts"
import { Messages } from "../port/Messages.ts"
import { type SendOutcome, Sends } from "../port/Sends.ts"
import { Tasks } from "../port/Tasks.ts"
import type { StoreUnavailable } from "../port/StoreUnavailable.ts"
import { Tenants } from "../port/Tenants.ts"
import type { Threads } from "../port/Threads.ts"
import { Transactions } from "../port/Transactions.ts"
import { takeBackDraft } from "../conversation/TakeBackDraft.ts"
import { expireGrant } from "./ExpireGrant.ts"
import type { Grant } from "./Grant.ts"
import { nameSent } from "./ProviderNames.ts"
import { backoffMillis } from "./Backoff.ts"
import { type Reservation, sendLeaseMillis, sendPatienceMillis } from "./Reservation.ts"

/** What became of one attempt. `Lost`: another server has taken the send over. */
export type HandOverResult =
  | { readonly _tag: "Confirmed" }
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "Queued"; readonly reason: string }
  | { readonly _tag: "Unknown"; readonly reason: string }
  | { readonly _tag: "Lost" }

/** Whether a person is asked to look when it fails, or whoever waits for the answer is told. */
export type Attended = "by a caller" | "by nobody"

const askPerson = Effect.fnUntraced(function* ({ contactId, leadId, mail, tenantId }: Reservation, what: string) {
  yield* (yield* Tasks).insert({
    taskId: yield* (yield* Ids).next("task"),
    tenantId,
    type: "review",
    status: "open",
    title: `${what}: ${mail.subject === "" ? "an email" : mail.subject} to ${mail.to[0]?.email ?? "nobody"}`.slice(
      0,
      200
    ),
    contactId,
    leadId,
    signalId: null,
    dueAt: null,
    createdAt: yield* Clock.currentTimeMillis
  })
})

/** How a send ends: for the reservation, for the message, and for a person to look at. */
interface Ending {
  readonly outcome: SendOutcome
  readonly reason: string | null
  /** Null: the message stays as it is. */
  readonly delivery: Delivery | null
  /** The task that a person gets; null: none. */
  readonly task: string | null
}

/** Ends a send in one unit of work; nothing happens when somebody else has ended it. */
const settle = Effect.fnUntraced(function* (
  reservation: Reservation,
  { delivery, outcome, reason, task }: Ending,
  besides: Effect.Effect<void, StoreUnavailable, Drafts | Messages | Threads> = Effect.void
) {
  const { messageId, tenantId } = reservation
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* (yield* Sends).settle(reservation, outcome, reason?.slice(0, 500) ?? null, now))) return false
      if (delivery !== null) yield* (yield* Messages).setDelivery(tenantId, messageId, delivery)
      if (task !== null) yield* askPerson(reservation, task)
      yield* besides
      return true
    })
  )
})

/** What a person is asked when a send fails; null where whoever waits for the answer is told. */
const failureTask = (attended: Attended): string | null =>
  attended === "by nobody" ? "An email could not be sent" : null

const fail = Effect.fnUntraced(function* (reservation: Reservation, reason: string, task: string | null) {
  const ending: Ending = { outcome: "failed", reason, delivery: "failed", task }
  yield* settle(reservation, ending, takeBackDraft(reservation))
  return { _tag: "Failed", reason } satisfies HandOverResult
})

/** Ends a send that may have arrived: a person decides, nothing sends it again. */
export const settleUnknown = Effect.fnUntraced(function* (reservation: Reservation, reason: string) {
  const task = "It is not known whether an email was sent"
  yield* settle(reservation, { outcome: "unknown", reason, delivery: "unknown", task })
  return { _tag: "Unknown", reason } satisfies HandOverResult
})

const confirm = Effect.fnUntraced(function* (reservation: Reservation, grant: Grant, receipt: TransportReceipt) {
  const { assigned, left, refused, response } = receipt
  const some = refused.length === 0 ? "" : `; refused for ${refused.join(", ")}`
  const task = refused.length === 0 ? null : `An email was refused for ${refused.length} of its recipients`
  const delivery = left ? "sent" : null
  const ending: Ending = { outcome: "confirmed", reason: `${response}${some}`, delivery, task }
  // What it is called now is written down with its end: an answer names it by that.
  yield* settle(reservation, ending, assigned === null ? Effect.void : nameSent(reservation, grant, assigned))
  return { _tag: "Confirmed" } satisfies HandOverResult
})

const postpone = Effect.fnUntraced(function* (reservation: Reservation, reason: string, attended: Attended) {
  const now = yield* Clock.currentTimeMillis
  if (now - reservation.slotAt >= sendPatienceMillis) return yield* fail(reservation, reason, failureTask(attended))
  const dueAt = now + backoffMillis(reservation.attempts)
  yield* (yield* Sends).release(reservation, dueAt, reason.slice(0, 500))
  return { _tag: "Queued", reason } satisfies HandOverResult
})

/** Whether a reply that nobody wrote has been overtaken: the contact or a person of ours has written since. */
const isOvertaken = Effect.fnUntraced(function* ({ contactId, mail, messageId, tenantId }: Reservation) {
  if (!mail.automatic) return false
  const conversations = yield* Conversations
  return yield* conversations.get(tenantId, contactId).pipe(
    Effect.map(({ lastMessageId }) => lastMessageId !== messageId),
    Effect.catchTag("ConversationNotFound", () => Effect.succeed(true))
  )
})

const signInAgain = "the account has to be signed in again"

const transmit = Effect.fnUntraced(function* (reservation: Reservation, grant: Grant, attended: Attended) {
  const exit = yield* Effect.exit((yield* EmailTransport).send({ grant, mail: reservation.mail }))
  if (Exit.isSuccess(exit)) return yield* confirm(reservation, grant, exit.value)
  const broken = new OutcomeUnknown({ reason: Cause.pretty(exit.cause).slice(0, 500) })
  const failure: TransportFailure = Option.getOrElse(Cause.findErrorOption(exit.cause), () => broken)
  switch (failure._tag) {
    case "TransportRefused":
      return yield* fail(reservation, failure.reason, failureTask(attended))
    case "TransportUnavailable":
      return yield* postpone(reservation, failure.reason, attended)
    case "TransportSignedOut":
      yield* expireGrant(grant, failure.reason)
      return yield* postpone(reservation, signInAgain, attended)
    case "OutcomeUnknown":
      return yield* settleUnknown(reservation, failure.reason)
  }
})

/** The tenant's email may have been closed since the send was kept. */
const isClosed = Effect.fnUntraced(function* (tenantId: string) {
  const tenants = yield* Tenants
  return yield* tenants.get(tenantId).pipe(
    Effect.map(({ hipaa }) => hipaa),
    Effect.catchTag("TenantNotFound", () => Effect.succeed(true))
  )
})

const attempt = Effect.fnUntraced(function* (reservation: Reservation, attended: Attended) {
  if (yield* isClosed(reservation.tenantId))
    return yield* fail(reservation, "email is closed to this tenant", failureTask(attended))
  const grant = yield* (yield* Grants).current(reservation.tenantId)
  if (grant === null || grant.grantId !== reservation.grantId) {
    const reason = "the account it was to be sent from is disconnected"
    return yield* fail(reservation, reason, failureTask(attended))
  }
  if (yield* isOvertaken(reservation)) return yield* fail(reservation, "the conversation has moved on", null)
  if (grant.status !== "active") return yield* postpone(reservation, signInAgain, attended)
  const leaseUntil = (yield* Clock.currentTimeMillis) + sendLeaseMillis
  if (yield* (yield* Sends).handOver(reservation, leaseUntil)) return yield* transmit(reservation, grant, attended)
  return { _tag: "Lost" } satisfies HandOverResult
})

/**
 * Hands a send over that the caller holds, and writes down what became of it. It is `handed_over` in the store before the
 * first byte goes, so that a crash at any moment leaves either a send that nobody has seen, which is tried again, or one
 * that somebody may have seen, which is not. Not to be interrupted: who has begun to speak has to hear the answer.
 */
export const handOver = Effect.fn("handOver")(function* (reservation: Reservation, attended: Attended) {
  const result: HandOverResult = yield* attempt(reservation, attended)
  if ("reason" in result) {
    const { messageId, tenantId } = reservation
    const about = { tenant: tenantId, message: messageId, outcome: result._tag, reason: result.reason }
    yield* Effect.annotateLogs(Effect.logWarning("An email was not taken"), about)
  }
  return result
}, Effect.uninterruptible)
