import { Clock, Effect } from "effect"
import type { Delivery } from "../../domain/conversation/Message.ts"
import { draftOfKey } from "../../domain/draft/Draft.ts"
import { type Reservation, sendRetryWindowMillis } from "../../domain/sending/Reservation.ts"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { type SendOutcome, Sends } from "../../port/repository/conversation/Sends.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"

/** What became of one attempt. `Lost`: another server has taken the send over. */
export type HandOverResult =
  | { readonly _tag: "Confirmed" }
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "Queued"; readonly reason: string }
  | { readonly _tag: "Unknown"; readonly reason: string }
  | { readonly _tag: "Lost" }

/** Whether a person is asked to look when it fails, or whoever waits for the answer is told. */
export type Attended = "by a caller" | "by nobody"

/** How people call what is sent. */
export const nameOf = ({ channel }: Reservation): string => (channel === "email" ? "An email" : "A text")

const titleOf = (send: Reservation): string => {
  if (send.channel === "sms") return `a text to ${send.text.to}`
  const { subject, to } = send.mail
  return `${subject === "" ? "an email" : subject} to ${to[0]?.email ?? "nobody"}`
}

/** A person is asked to look at a send. Runs inside a unit of work. */
export const createReviewTask = Effect.fnUntraced(function* (send: Reservation, what: string) {
  const { contactId, leadId, tenantId } = send
  yield* (yield* Tasks).insert({
    taskId: yield* (yield* Ids).next("task"),
    tenantId,
    type: "review",
    status: "open",
    title: `${what}: ${titleOf(send)}`.slice(0, 200),
    contactId,
    leadId,
    signalId: null,
    dueAt: null,
    createdAt: yield* Clock.currentTimeMillis
  })
})

/** How a send ends: for the reservation, for the message, and for a person to look at. */
export interface SendEnding {
  readonly outcome: SendOutcome
  readonly reason: string | null
  /** Null: the message stays as it is. */
  readonly delivery: Delivery | null
  /** The task that a person gets; null: none. */
  readonly task: string | null
}

/** Ends a send in one unit of work, with what follows from it; nothing happens when somebody else has ended it. */
export const settle = Effect.fnUntraced(function* <E, R>(
  reservation: Reservation,
  { delivery, outcome, reason, task }: SendEnding,
  besides: Effect.Effect<void, E, R>
) {
  const { messageId, tenantId } = reservation
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* (yield* Sends).settle(reservation, outcome, reason?.slice(0, 500) ?? null, now))) return false
      if (delivery !== null) yield* (yield* Messages).setDelivery(tenantId, messageId, delivery)
      if (task !== null) yield* createReviewTask(reservation, task)
      yield* besides
      return true
    })
  )
})

/** What a person is asked when a send fails; null where whoever waits for the answer is told. */
export const failureTask = (send: Reservation, attended: Attended): string | null =>
  attended === "by nobody" ? `${nameOf(send)} could not be sent` : null

/** Ends a send that will not go. */
export const fail = Effect.fnUntraced(function* <E, R>(
  reservation: Reservation,
  reason: string,
  task: string | null,
  besides: Effect.Effect<void, E, R>
) {
  const ending: SendEnding = { outcome: "failed", reason, delivery: "failed", task }
  yield* settle(reservation, ending, Effect.andThen(reopenDraft(reservation), besides))
  return { _tag: "Failed", reason } satisfies HandOverResult
})

/** Gives a send back, to be tried from a time on. */
export const wait = Effect.fnUntraced(function* (reservation: Reservation, until: number, reason: string) {
  yield* (yield* Sends).release(reservation, until, reason.slice(0, 500))
  return { _tag: "Queued", reason } satisfies HandOverResult
})

/** Tries again later, until patience ends. `since`: from when on it could have gone. */
export const postpone = Effect.fnUntraced(function* (
  reservation: Reservation,
  since: number,
  reason: string,
  attended: Attended,
  minDelayMillis = 0
) {
  const now = yield* Clock.currentTimeMillis
  if (now - since >= sendRetryWindowMillis)
    return yield* fail(reservation, reason, failureTask(reservation, attended), Effect.void)
  // Whoever asks for more patience than there is, is asked once more at its end.
  const requested = Math.min(minDelayMillis, since + sendRetryWindowMillis - now)
  return yield* wait(reservation, now + Math.max(backoffMillis(reservation.attempts), requested), reason)
})

/** Whether a reply that nobody wrote has been overtaken: the contact or a person of ours has written since. */
export const isReplySuperseded = Effect.fnUntraced(function* ({ contactId, messageId, tenantId }: Reservation) {
  const conversations = yield* Conversations
  return yield* conversations.get(tenantId, contactId).pipe(
    Effect.map(({ lastMessageId }) => lastMessageId !== messageId),
    Effect.catchTag("ConversationNotFound", () => Effect.succeed(true))
  )
})

/**
 * A send has failed for good, nothing of it has left: the draft that it was made of waits for a person again, unless
 * somebody has written since. Runs in the unit of work that ends the send.
 */
export const reopenDraft = Effect.fnUntraced(function* ({ contactId, key, tenantId }: Reservation) {
  const draftId = draftOfKey(key)
  if (draftId === null) return
  const drafts = yield* Drafts
  const draft = yield* drafts.find(tenantId, draftId)
  if (draft === null) return
  const since = yield* (yield* Messages).newestSince(tenantId, contactId, draft.messageId)
  const other = yield* drafts.pending(tenantId, contactId)
  yield* drafts.restore(tenantId, draftId, since === null && other === null ? "pending" : "superseded")
})
