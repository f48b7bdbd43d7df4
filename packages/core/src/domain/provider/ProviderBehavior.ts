import type { ProviderFailure, ProviderReason } from "./ProviderFailure.ts"

/**
 * What a worker does after a failure.
 * - `retry`: nothing was done. Try again, not before the wait that the provider requests.
 * - `resolve`: never repeat a request that is not idempotent. Find out what happened, or ask a person.
 * - `sign_out`: stop until an owner signs in again.
 * - `give_up`: a retry would fail too. Report it to a person where one waits for the result.
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

/** The wait in milliseconds that the provider requests before a retry; null when it requests none. */
export const requestedWait = ({ reason }: ProviderFailure): number | null =>
  reason._tag === "Unavailable" ? reason.retryAfterMillis : null
