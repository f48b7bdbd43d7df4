import { Context } from "effect"
import type { Attempt } from "./Delivery.ts"

/** The delivery modes: retries by a schedule, a single attempt (literally as specified), or no delivery. */
export const deliveryModes = ["durable", "once", "off"] as const
export type DeliveryMode = (typeof deliveryModes)[number]

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The waits after the first, second, … failed attempt (Svix's schedule), in milliseconds. */
export const retryWaits: ReadonlyArray<number> = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]

/** The number of attempts after which later events no longer wait for a failing one. */
export const triesHeldBack = 3

/** The maximum deviation of a wait, as a fraction. */
const jitter = 0.2

/** The minimum wait after a response 429 (Svix). */
const tooManyWait = minute

/** The interval between attempts to reach a paused receiver. */
export const probeWait: number = 3 * minute

/** The number of failures in a row that pause a subscription (specification, "States and transitions"). */
export const maxConsecutiveFailures = 10

/** Adds jitter to a wait. `chance` is from 0 to 1. */
export const jittered = (wait: number, chance: number): number => Math.round(wait * (1 - jitter + 2 * jitter * chance))

/**
 * Returns the wait after attempt number `tries`, or null after the last one. A `Retry-After` counts within one to two
 * times the scheduled wait.
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

/** The delivery mode of this deployment. */
export class DeliveryPolicy extends Context.Service<DeliveryPolicy, { readonly mode: DeliveryMode }>()(
  "core/domain/webhook/Schedule/DeliveryPolicy"
) {}
