import { Clock, Effect } from "effect"
import type { Delivery } from "../../domain/conversation/Message.ts"
import { draftOfKey } from "../../domain/draft/Draft.ts"
import { draftEvent } from "../../domain/draft/DraftEvent.ts"
import { type Reservation, sendRetryWindowMillis } from "../../domain/sending/Reservation.ts"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { type SendOutcome, Sends } from "../../port/repository/conversation/Sends.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { changeDelivery, deferAnswer } from "../provider/ChangeDelivery.ts"
import { addTask } from "../task/OpenTask.ts"

/** The result of one attempt at a send. `Lost`: another server has claimed the send. */
export type HandOverResult =
  | { readonly _tag: "Confirmed" }
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "Queued"; readonly reason: string; readonly until: number }
  | { readonly _tag: "Unknown"; readonly reason: string }
  | { readonly _tag: "Lost" }

/**
 * `by a caller`: a caller waits and receives a failure as the response. `by nobody`: after a failure, a person gets a
 * task.
 */
export type Attended = "by a caller" | "by nobody"

/** Returns the name of the kind of message, for people. */
export const nameOf = ({ channel }: Reservation): string => (channel === "email" ? "An email" : "A text")

const titleOf = (send: Reservation): string => {
  if (send.channel === "sms") return `a text to ${send.text.to}`
  const { subject, to } = send.mail
  return `${subject === "" ? "an email" : subject} to ${to[0]?.email ?? "nobody"}`
}

/** Creates a review task for a send. Runs inside a unit of work. */
export const createReviewTask = Effect.fnUntraced(function* (send: Reservation, what: string) {
  const { contactId, leadId, tenantId } = send
  yield* addTask({
    taskId: yield* (yield* Ids).next("task"),
    tenantId,
    type: "review",
    title: `${what}: ${titleOf(send)}`.slice(0, 200),
    contactId,
    leadId,
    signalId: null,
    dueAt: null,
    createdAt: yield* Clock.currentTimeMillis
  })
})

/** The end of a send: its outcome, the delivery state of its message, and the task that a person gets. */
export interface SendEnding {
  readonly outcome: SendOutcome
  readonly reason: string | null
  /** The new delivery state of the message. Null leaves it unchanged. */
  readonly delivery: Delivery | null
  /** The title of the review task. If it is null, no task is created. */
  readonly task: string | null
}

/**
 * Stores the outcome of a send, and applies its consequences in the same unit of work. Has no effect when the send
 * already has an outcome.
 */
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
      if (delivery !== null) yield* changeDelivery(tenantId, messageId, delivery, reason)
      if (task !== null) yield* createReviewTask(reservation, task)
      yield* besides
      return true
    })
  )
})

/** Returns the title of the review task after a failure. Returns null when a caller receives the failure. */
export const failureTask = (send: Reservation, attended: Attended): string | null =>
  attended === "by nobody" ? `${nameOf(send)} could not be sent` : null

/** Stores the outcome `failed` of a send. */
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

/** Returns a send to the queue until a later time. */
export const wait = Effect.fnUntraced(function* (reservation: Reservation, until: number, reason: string) {
  const { messageId, tenantId } = reservation
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const isReleased = yield* (yield* Sends).release(reservation, until, reason.slice(0, 500))
      if (isReleased) yield* deferAnswer(tenantId, messageId)
    })
  )
  return { _tag: "Queued", reason, until } satisfies HandOverResult
})

/** Retries a send later. After the retry window, which starts at `since`, stores the outcome `failed`. */
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
  // A requested delay that exceeds the retry window is shortened, so that the last attempt is at the end of the window.
  const requested = Math.min(minDelayMillis, since + sendRetryWindowMillis - now)
  return yield* wait(reservation, now + Math.max(backoffMillis(reservation.attempts), requested), reason)
})

/**
 * Returns whether a newer message in the conversation has superseded an automatic reply. A mail that the server forwards
 * to the contact does not.
 */
export const isReplySuperseded = Effect.fnUntraced(function* ({ contactId, messageId, tenantId }: Reservation) {
  const [conversations, messages] = [yield* Conversations, yield* Messages]
  const newest = yield* conversations.get(tenantId, contactId).pipe(
    Effect.map(({ lastMessageId }) => lastMessageId),
    Effect.catchTag("ConversationNotFound", () => Effect.succeed(null))
  )
  if (newest === messageId || newest === null) return newest === null
  if ((yield* messages.find(tenantId, newest))?.actor !== "system") return true
  return (yield* messages.newestSince(tenantId, contactId, messageId)) !== null
})

/**
 * Restores the draft of a failed send. The draft becomes pending, or superseded if there is a newer message or draft.
 * Runs in the unit of work that ends the send.
 */
export const reopenDraft = Effect.fnUntraced(function* ({ contactId, key, tenantId }: Reservation) {
  const draftId = draftOfKey(key)
  if (draftId === null) return
  const drafts = yield* Drafts
  const draft = yield* drafts.find(tenantId, draftId)
  if (draft === null) return
  const since = yield* (yield* Messages).newestSince(tenantId, contactId, draft.messageId)
  const other = yield* drafts.pending(tenantId, contactId)
  const isPending = since === null && other === null
  yield* drafts.restore(tenantId, draftId, isPending ? "pending" : "superseded")
  if (isPending) yield* recordEvents([draftEvent("draft.updated", draft)], yield* Clock.currentTimeMillis)
})
