/**
 * The delivery to one subscription as a state machine. `stateOf` derives the state from the stored subscription, and
 * `transition` applies events to the subscription. Both are pure. Requests, reads and writes belong to
 * `workflow/webhook`. Tests: `packages/core/test/domain/webhook/DeliveryState.test.ts`.
 */
import { type Attempt, type DeliveryRow, type LogEntry, maxStoredAttempts, type StoredAttempt } from "./Delivery.ts"
import { type DeliveryMode, jittered, maxConsecutiveFailures, probeWait, triesHeldBack, waitAfter } from "./Schedule.ts"
import { never, type Subscription } from "./Subscription.ts"

/** The state of the delivery to a subscription. It determines the next step. */
export type DeliveryState =
  /** New events are sent in order. If there are none, the subscription waits for the next event. */
  | { readonly _tag: "Delivering" }
  /** A failed delivery is due. It is retried before new events are sent. */
  | { readonly _tag: "Retrying" }
  /** A failed event blocks all later events until a time. */
  | { readonly _tag: "Waiting"; readonly until: number }
  /**
   * The subscription was paused after failures, and a probe is due: one attempt checks whether the receiver is
   * available again.
   */
  | { readonly _tag: "Probing" }
  /** The subscription was paused after failures. Nothing is sent until the next probe. */
  | { readonly _tag: "Paused"; readonly until: number }
  /** The subscription is disabled, or a person has paused it. Nothing is sent. */
  | { readonly _tag: "Stopped" }

/** Returns the state of a subscription at a time. */
export const stateOf = (
  { inactiveReason, nextAt, retryAt, status }: Pick<Subscription, "inactiveReason" | "nextAt" | "retryAt" | "status">,
  now: number
): DeliveryState => {
  if (status === "active") {
    if (nextAt > now) return { _tag: "Waiting", until: nextAt }
    return retryAt <= now ? { _tag: "Retrying" } : { _tag: "Delivering" }
  }
  if (status === "disabled" || inactiveReason !== "failures") return { _tag: "Stopped" }
  return nextAt > now ? { _tag: "Paused", until: nextAt } : { _tag: "Probing" }
}

/** An event that changes the delivery to a subscription. */
export type DeliveryEvent =
  /** Each event up to `position` is delivered, has a row, or does not match the subscription. */
  | { readonly _tag: "Passed"; readonly position: number }
  /** An attempt has ended. `row` is the row of the delivery; null if it was the first attempt. */
  | {
      readonly _tag: "Attempted"
      readonly sequence: number
      readonly attempt: Attempt
      readonly row: DeliveryRow | null
      /** True if a person requested the attempt. Such an attempt does not affect the retry schedule. */
      readonly byHand: boolean
    }
  /** A probe was due, but there was no event to send. */
  | { readonly _tag: "ProbedNothing" }
  /** Failed deliveries have become pending again. */
  | { readonly _tag: "Recovered" }
  /** A person activated the subscription. `last` is the sequence number of the tenant's last event. */
  | { readonly _tag: "Activated"; readonly last: number }
  /** A person paused or disabled the subscription. */
  | { readonly _tag: "Stopped"; readonly status: "paused" | "disabled" }

/** The values that a transition needs besides the events. */
export interface Terms {
  readonly now: number
  readonly mode: DeliveryMode
  /** A random number from 0 to 1 for the jitter of waits. */
  readonly chance: number
}

/** The result of applying events: the new subscription and the writes that belong to it. */
export interface Transition {
  readonly subscription: Subscription
  /** The rows to write. */
  readonly rows: ReadonlyArray<DeliveryRow>
  /** The successful first attempts to log. */
  readonly log: ReadonlyArray<LogEntry>
  /** The change of all pending rows. `restart`: they become due now, with all attempts again. `giveUp`: they fail. */
  readonly pending: "restart" | "giveUp" | null
  /** True when the caller must compute `retryAt` again from the rows. */
  readonly findsRetry: boolean
}

/** The response time above which a receiver counts as slow. */
export const slowMillis = 2_000

/** The HTTP status 410. With it, a receiver asks for no further deliveries (Standard Webhooks, "Delivery success"). */
const gone = 410

/** Returns true for a successful attempt. */
export const succeeded = ({ error }: Pick<Attempt, "error">): boolean => error === null

const kept = ({ at, error, millis, response, status }: Attempt): StoredAttempt => ({
  at,
  status,
  millis,
  error,
  response
})

/** Creates the row of a delivery without attempts. */
export const untried = (
  { tenantId, webhookId }: Pick<Subscription, "tenantId" | "webhookId">,
  sequence: number
): DeliveryRow => ({
  tenantId,
  webhookId,
  sequence,
  status: "pending",
  dueAt: 0,
  tries: 0,
  attempts: [],
  updatedAt: 0
})

/**
 * Applies an attempt to the row of its delivery. A delivered row stays delivered, even if a later attempt fails. The
 * delivery fails if the receiver responds 410, in the mode `once`, and if the subscription was disabled during the
 * attempt. Manual attempts, and attempts while the subscription is paused, do not count towards the retry schedule.
 */
const afterTry = (
  row: DeliveryRow,
  { status }: Subscription,
  attempt: Attempt,
  byHand: boolean,
  { chance, mode }: Terms
): DeliveryRow => {
  const ended = attempt.at + attempt.millis
  const noted = { ...row, attempts: [...row.attempts, kept(attempt)].slice(-maxStoredAttempts), updatedAt: ended }
  if (row.status === "delivered") return noted
  if (succeeded(attempt)) return { ...noted, status: "delivered", dueAt: never }
  const isOver = attempt.status === gone || mode === "once" || status === "disabled"
  if (isOver) return { ...noted, status: "failed", dueAt: never }
  if (byHand || status !== "active") return noted
  const wait = waitAfter(row.tries + 1, attempt, chance)
  return wait === null
    ? { ...noted, status: "failed", tries: row.tries + 1, dueAt: never }
    : { ...noted, tries: row.tries + 1, dueAt: ended + wait }
}

/**
 * Applies a successful attempt to the subscription. It resets the count of failures and ends a pause after failures.
 */
const afterSuccess = (subscription: Subscription, { at, millis }: Attempt): Subscription => {
  const healthy = { ...subscription, consecutiveFailures: 0, ailing: millis > slowMillis, lastSuccessAt: at + millis }
  return subscription.inactiveReason === "failures"
    ? { ...healthy, status: "active", inactiveReason: null, nextAt: 0 }
    : healthy
}

/**
 * Applies a failed attempt to the subscription. The tenth consecutive failure pauses it, and a response 410 disables
 * it. `row` is the row of the delivery after the attempt.
 */
const afterFailure = (
  subscription: Subscription,
  { at, millis, status: answered }: Attempt,
  row: DeliveryRow,
  { chance, mode }: Terms
): Subscription => {
  const ended = at + millis
  const consecutiveFailures = subscription.consecutiveFailures + 1
  const failed = { ...subscription, consecutiveFailures, ailing: true, lastFailureAt: ended }
  if (answered === gone) return { ...failed, status: "disabled", inactiveReason: "gone", nextAt: never }
  const nextProbe = mode === "once" ? never : ended + jittered(probeWait, chance)
  if (failed.status === "active" && consecutiveFailures >= maxConsecutiveFailures)
    return { ...failed, status: "paused", inactiveReason: "failures", nextAt: nextProbe }
  if (failed.inactiveReason === "failures") return { ...failed, nextAt: nextProbe }
  const holds =
    failed.status === "active" && failed.maxInFlight === 1 && row.status === "pending" && row.tries < triesHeldBack
  return holds ? { ...failed, nextAt: Math.max(failed.nextAt, row.dueAt) } : failed
}

/** Applies a person's change of the status. Nothing changes if the subscription already has this status. */
const byPerson = (
  subscription: Subscription,
  event: Extract<DeliveryEvent, { readonly _tag: "Activated" | "Stopped" }>,
  mode: DeliveryMode
): Subscription => {
  const status = event._tag === "Activated" ? "active" : event.status
  if (status === subscription.status && subscription.inactiveReason !== "failures") return subscription
  if (event._tag === "Stopped") return { ...subscription, status, inactiveReason: "person", nextAt: never }
  const keepsPlace = subscription.status === "paused" && mode !== "once"
  const position = keepsPlace ? subscription.position : event.last
  const healthy = { consecutiveFailures: 0, ailing: false, nextAt: 0, position }
  return { ...subscription, ...healthy, status, inactiveReason: null }
}

/** Applies one event to the subscription, without the rows. */
const afterEvent = (subscription: Subscription, event: DeliveryEvent, row: DeliveryRow | null, terms: Terms) => {
  switch (event._tag) {
    case "Passed":
      return { ...subscription, position: Math.max(subscription.position, event.position) }
    case "Attempted":
      return succeeded(event.attempt) || row === null
        ? afterSuccess(subscription, event.attempt)
        : afterFailure(subscription, event.attempt, row, terms)
    case "ProbedNothing":
      return { ...subscription, nextAt: terms.now + jittered(probeWait, terms.chance) }
    case "Recovered":
      return subscription
    case "Activated":
    case "Stopped":
      return byPerson(subscription, event, terms.mode)
  }
}

/**
 * Returns the change of the pending rows that follows from a change of the status: activation restarts them, and
 * disabling makes them fail.
 */
const pendingAfter = (before: Subscription, after: Subscription): Transition["pending"] => {
  if (after.status === "active") return before.status === "active" ? null : "restart"
  return after.status === "disabled" && before.status !== "disabled" ? "giveUp" : null
}

/**
 * Applies events in their order. A successful first attempt is logged, and every other attempt changes the row of its
 * delivery.
 */
export const transition = (before: Subscription, events: ReadonlyArray<DeliveryEvent>, terms: Terms): Transition => {
  const rows: Array<DeliveryRow> = []
  const log: Array<LogEntry> = []
  let subscription = before
  for (const event of events) {
    let row: DeliveryRow | null = null
    if (event._tag === "Attempted") {
      const { attempt, byHand, sequence } = event
      if (event.row === null && succeeded(attempt)) {
        log.push({ sequence, at: attempt.at, millis: attempt.millis, status: attempt.status ?? 0 })
      } else {
        row = afterTry(event.row ?? untried(before, sequence), subscription, attempt, byHand, terms)
        rows.push(row)
      }
    }
    subscription = afterEvent(subscription, event, row, terms)
  }
  const changes = rows.length > 0 || subscription.status !== before.status || before.retryAt <= terms.now
  const findsRetry = changes || events.some(({ _tag }) => _tag === "Recovered" || _tag === "Stopped")
  return { subscription, rows, log, pending: pendingAfter(before, subscription), findsRetry }
}
