import type { MailboxAttemptsReached } from "@leadloom/core/internal/domain/mailbox/MailboxLimits"
import type { RateLimitResult } from "@leadloom/core/internal/domain/access/RateLimit"
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Returns the headers with the state of a rate limiter, and `Retry-After` for a rejected request. */
export const rateLimitHeaders = (result: RateLimitResult, retryAfter = true): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": String(result.limit),
  "x-ratelimit-remaining": String(result.remaining),
  "x-ratelimit-reset": String(result.resetAtSeconds),
  ...(result.allowed || !retryAfter ? {} : { "retry-after": String(result.retryAfterSeconds) })
})

/**
 * Adds the state of the rate limiter to the headers of the response, even if the request fails. The response to a
 * rejected request also gets `Retry-After`, unless `retryAfter` is false.
 */
export const setRateLimitHeaders = (
  result: RateLimitResult,
  retryAfter = true
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, rateLimitHeaders(result, retryAfter)))
  )

const isAttemptLimit = (error: { readonly _tag: string }): error is MailboxAttemptsReached =>
  error._tag === "MailboxAttemptsReached"

/** Adds `Retry-After` and the state of the limit to a response that a limit of login attempts rejects. */
export const setAttemptHeaders = <A, Err extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, Err, R>) =>
  Effect.tapError(attempt, (error) => (isAttemptLimit(error) ? setRateLimitHeaders(error.rate) : Effect.void))
