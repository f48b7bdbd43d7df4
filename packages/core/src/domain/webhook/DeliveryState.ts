/**
 * The delivery to one subscription as a state machine. `stateOf` reads the state from the stored subscription and
 * `transition` applies events to it; both are pure. Requests, reads and writes belong to `workflow/webhook`.
 *
 * Tests: `packages/core/test/domain/webhook/DeliveryState.test.ts`.
 */
import { type Attempt, type DeliveryRow, type LogEntry, maxStoredAttempts, type StoredAttempt } from "./Delivery.ts"
import { type DeliveryMode, jittered, maxConsecutiveFailures, probeWait, triesHeldBack, waitAfter } from "./Schedule.ts"
import { never, type Subscription } from "./Subscription.ts"

/** The next step of a subscription. */
export type DeliveryState =
  /** New events are sent in order. Without any, the subscription is idle until the next event. */
  | { readonly _tag: "Delivering" }
  /** A failed delivery is due. It is retried before new events are sent. */
  | { readonly _tag: "Retrying" }
  /** A failed event blocks the subscription until a time. */
  | { readonly _tag: "Waiting"; readonly until: number }
  /** Paused after failures: one attempt finds out whether the receiver is available again. */
  | { readonly _tag: "Probing" }
  /** Paused after failures: nothing is sent until the next probe. */
  | { readonly _tag: "Paused"; readonly until: number }
  /** Disabled, or paused by a person: nothing is sent. */
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

/** An event in the delivery to a subscription. */
export type DeliveryEvent =
  /** All events up to `position` are delivered, have a row, or do not match the subscription. */
  | { readonly _tag: "Passed"; readonly position: number }
  /** An attempt ended. `row` is the delivery's row; null for the first attempt. */
  | {
      readonly _tag: "Attempted"
      readonly sequence: number
      readonly attempt: Attempt
      readonly row: DeliveryRow | null
      /** A person requested the attempt, so it does not affect the retry schedule. */
      readonly byHand: boolean
    }
  /** There was no event for a probe. */
  | { readonly _tag: "ProbedNothing" }
  /** Failed deliveries are pending again. */
  | { readonly _tag: "Recovered" }
  /** A person activated the subscription. `last` is the number of the tenant's last event. */
  | { readonly _tag: "Activated"; readonly last: number }
  /** A person paused or disabled the subscription. */
  | { readonly _tag: "Stopped"; readonly status: "paused" | "disabled" }

/** The time, the delivery mode and the jitter of a transition. */
export interface Terms {
  readonly now: number
  readonly mode: DeliveryMode
  /** A random number from 0 to 1 for the jitter of waits. */
  readonly chance: number
}

/** The result of events: the new subscription and the writes that belong to it. */
export interface Transition {
  readonly subscription: Subscription
  /** Rows to write. */
  readonly rows: ReadonlyArray<DeliveryRow>
  /** Successful first attempts to log. */
  readonly log: ReadonlyArray<LogEntry>
  /** The change of all pending rows: due now with all attempts again, or failed. */
  readonly pending: "restart" | "giveUp" | null
  /** True when `retryAt` must be read again from the rows. */
  readonly findsRetry: boolean
}

/** A receiver that takes longer than this is slow. */
export const slowMillis = 2_000

/** HTTP 410: the receiver has permanently gone (Standard Webhooks, "Delivery success"). */
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

/** Creates a delivery without attempts. */
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
 * Applies an attempt to its delivery. Manual attempts, and attempts while the subscription is paused, do not count for
 * the schedule. When the subscription was disabled during the attempt, the delivery fails. A delivered row stays
 * delivered, even if a later attempt fails.
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

/** A success resets the failures and ends a pause after failures. */
const afterSuccess = (subscription: Subscription, { at, millis }: Attempt): Subscription => {
  const healthy = { ...subscription, consecutiveFailures: 0, ailing: millis > slowMillis, lastSuccessAt: at + millis }
  return subscription.inactiveReason === "failures"
    ? { ...healthy, status: "active", inactiveReason: null, nextAt: 0 }
    : healthy
}

/** The tenth failure in a row pauses the subscription. 410 disables it. `row` is the new state of the delivery. */
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

/** A person's change of the status. A subscription that is already so does not change. */
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

/** The change of one event, except for the rows. */
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

/** The pending rows follow a change of the status: activation restarts them, and disabling gives them up. */
const pendingAfter = (before: Subscription, after: Subscription): Transition["pending"] => {
  if (after.status === "active") return before.status === "active" ? null : "restart"
  return after.status === "disabled" && before.status !== "disabled" ? "giveUp" : null
}

/** Applies events in their order. A successful first attempt is logged; every other attempt changes its row. */
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
