import { Context } from "effect"
import type { Attempt } from "./Delivery.ts"

/** How outbound events are delivered: tried again by a schedule, tried once (the specification to the letter), or not. */
export const deliveryModes = ["durable", "once", "off"] as const
export type DeliveryMode = (typeof deliveryModes)[number]

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after the first, second, … attempt that failed (Svix's schedule). Milliseconds. */
export const retryWaits: ReadonlyArray<number> = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]

/** After so many attempts a failing event lets those behind it pass. */
export const triesHeldBack = 3

/** How far a wait is from its middle, at most. */
const jitter = 0.2

/** A receiver that says 429 is left alone for so long at least (Svix). */
const tooManyWait = minute

/** Between two looks whether a paused receiver is back. */
export const probeWait: number = 3 * minute

/** Failures in a row that pause a subscription (specification, "States and transitions"). */
export const maxConsecutiveFailures = 10

/** A wait with its jitter; `chance` is from 0 to 1. */
export const jittered = (wait: number, chance: number): number => Math.round(wait * (1 - jitter + 2 * jitter * chance))

/**
 * How long to wait after the `tries`th attempt of a delivery; null: that was the last. What the receiver asked for counts
 * between one and two times what would be waited anyway.
 */
export const waitAfter = (
  tries: number,
  { retryAfterMillis, status }: Pick<Attempt, "retryAfterMillis" | "status">,
  chance: number
): number | null => {
  const wait = retryWaits[tries - 1]
  if (wait === undefined) return null
  const requested = retryAfterMillis === null ? 0 : Math.min(Math.max(retryAfterMillis, wait), 2 * wait)
  const delay = Math.max(jittered(wait, chance), requested)
  return status === 429 ? Math.max(delay, tooManyWait) : delay
}

/** How this deployment delivers outbound events. */
export class DeliveryPolicy extends Context.Service<DeliveryPolicy, { readonly mode: DeliveryMode }>()(
  "core/domain/webhook/Schedule/DeliveryPolicy"
) {}
