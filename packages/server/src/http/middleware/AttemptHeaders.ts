import type { MailboxAttemptsReached } from "@leadloom/core/internal/domain/mailbox/MailboxLimits"
import { Effect } from "effect"
import { setRateLimitHeaders } from "./RateHeaders.ts"

const isLimit = (error: { readonly _tag: string }): error is MailboxAttemptsReached =>
  error._tag === "MailboxAttemptsReached"

/** Adds `Retry-After` and the state of the limit to a response that a limit of login attempts rejects. */
export const setAttemptHeaders = <A, Err extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, Err, R>) =>
  Effect.tapError(attempt, (error) => (isLimit(error) ? setRateLimitHeaders(error.rate) : Effect.void))
