import type { ProviderFailure, ProviderReason } from "./ProviderFailure.ts"

/**
 * The behavior of a worker after a failed request to a provider.
 * - `retry`: the provider did nothing. Try again, but not before the delay that the provider requests.
 * - `resolve`: never repeat a request that is not idempotent. Find out whether the provider carried it out, or ask a
 *   person.
 * - `sign_out`: stop until an owner signs in again.
 * - `give_up`: a retry would fail too. If a person waits for the result, report the failure to this person.
 */
export type ProviderBehavior = "retry" | "resolve" | "sign_out" | "give_up"

/** The behavior after each reason. `server/http/error/ProviderErrors` maps the same reasons to wire errors. */
export const providerBehaviors: Readonly<Record<ProviderReason["_tag"], ProviderBehavior>> = {
  Refused: "give_up",
  Gone: "give_up",
  Unavailable: "retry",
  // The operator may configure the provider later.
  NotConfigured: "retry",
  OutcomeUnknown: "resolve",
  SignedOut: "sign_out"
}

export const behaviorAfter = ({ reason }: ProviderFailure): ProviderBehavior => providerBehaviors[reason._tag]

/**
 * Returns the delay before a retry that the provider requests, in milliseconds. Returns null when the provider requests
 * none.
 */
export const requestedWait = ({ reason }: ProviderFailure): number | null =>
  reason._tag === "Unavailable" ? reason.retryAfterMillis : null
