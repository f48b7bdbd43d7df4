import { Context } from "effect"
import type { Attempt } from "./Delivery.ts"

/**
 * The delivery modes. `durable`: retries by a schedule. `once`: a single attempt, exactly as the specification states.
 * `off`: no delivery.
 */
export const deliveryModes = ["durable", "once", "off"] as const
export type DeliveryMode = (typeof deliveryModes)[number]

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The waits after the first, second, … failed attempt (Svix's schedule), in milliseconds. */
export const retryWaits: ReadonlyArray<number> = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]

/**
 * The number of failed attempts after which later events no longer wait for a failed event. They wait only if the
 * subscription delivers strictly in order (`maxInFlight` is 1).
 */
export const triesHeldBack = 3

/** The maximum random deviation of a delay, as a fraction of the delay. */
const jitter = 0.2

/** The minimum delay after a response 429, as at Svix. */
const tooManyWait = minute

/** The interval between two probes of a paused receiver. */
export const probeWait: number = 3 * minute

/** The number of consecutive failures that pause a subscription (specification, "States and transitions"). */
export const maxConsecutiveFailures = 10

/** Adds a random deviation to a delay. `chance` is a random number from 0 to 1. */
export const jittered = (wait: number, chance: number): number => Math.round(wait * (1 - jitter + 2 * jitter * chance))

/**
 * Returns the delay after attempt number `tries`, in milliseconds. Returns null after the last attempt. A `Retry-After`
 * can at most double the scheduled delay.
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
