import { type PaymentsFailure, PaymentsUnavailable, PaymentsUncertain } from "@leadloom/core/domain/billing/Payment"
import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import { Clock, Effect, Option, Result, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { failureOf, jsonOf } from "./StripeAnswer.ts"
import type { StripeConfig } from "./StripeConfig.ts"
import { type StripeAnswer, type StripeCall, type StripeRequestFailure, sendOnce } from "./StripeHttp.ts"

/**
 * The maximum number of attempts of one request, and the timeout for all of them in milliseconds. It is short, because
 * people wait for most requests.
 */
const attempts = 3
const timeoutMillis = 12_000
const maxPauseMillis = 5_000

const isFine = ({ status }: StripeAnswer): boolean => status >= 200 && status < 300

/** Stripe's explicit `Stripe-Should-Retry` takes precedence over the status. */
const wantsAgain = ({ shouldRetry, status }: StripeAnswer): boolean =>
  shouldRetry ?? (status === 409 || status === 429 || status >= 500)

/** The state of a request after some attempts. */
interface Tried {
  readonly outcome: Result.Result<StripeAnswer, StripeRequestFailure>
  /** Whether Stripe may have processed an attempt without a response. */
  readonly mayBeDone: boolean
}

const isOver = ({ outcome }: Tried): boolean => Result.isSuccess(outcome) && !wantsAgain(outcome.success)

const isObscure = (outcome: Tried["outcome"]): boolean =>
  Result.isFailure(outcome) ? outcome.failure.kind === "lost" : outcome.success.status >= 500

const tryOften = Effect.fnUntraced(function* (http: HttpClient.HttpClient, config: StripeConfig, call: StripeCall) {
  const deadline = (yield* Clock.currentTimeMillis) + timeoutMillis
  const once = (left: number) => Effect.result(sendOnce(http, config, call, left))
  const first = yield* once(timeoutMillis)
  let tried: Tried = { outcome: first, mayBeDone: isObscure(first) }
  for (let attempt = 1; attempt < attempts && !isOver(tried); attempt++) {
    const now = yield* Clock.currentTimeMillis
    const requested = Result.isSuccess(tried.outcome) ? retryAfterMillis(tried.outcome.success.retryAfter, now) : null
    const pause = Math.min(requested ?? (config.pauseMillis ?? 500) * 2 ** (attempt - 1), maxPauseMillis)
    if (now + pause >= deadline) break
    yield* Effect.sleep(pause)
    const outcome: Tried["outcome"] = yield* once(deadline - now - pause)
    tried = { outcome, mayBeDone: tried.mayBeDone || isObscure(outcome) }
  }
  return tried
})

/**
 * Sends a request with retries and fails unless a response is 2xx. `what` names the requested object. Every write has
 * an idempotency key, so it is as safe to repeat as a read.
 */
export const sendRequest = Effect.fnUntraced(function* (
  http: HttpClient.HttpClient,
  config: StripeConfig,
  call: StripeCall,
  what: string
) {
  const { mayBeDone, outcome } = yield* tryOften(http, config, call)
  const changes = call.method === "POST" && mayBeDone
  if (Result.isFailure(outcome)) {
    const { reason } = outcome.failure
    return yield* changes ? new PaymentsUncertain({ reason }) : new PaymentsUnavailable({ reason })
  }
  const answer = outcome.success
  if (isFine(answer)) return answer
  return yield* failureOf(config, { answer, mayBeDone: changes && wantsAgain(answer) }, what)
})

const Named = Schema.Struct({ object: Schema.String })

/**
 * Decodes a response with a lenient schema, if its `object` matches. Any other 200 comes from a proxy, and then it is
 * unknown whether Stripe processed the request.
 */
export const decode = <S extends Schema.Decoder<unknown>>(
  schema: S,
  object: string,
  answer: Pick<StripeAnswer, "body">
): Effect.Effect<S["Type"], PaymentsFailure> => {
  const json = jsonOf(answer)
  const named = Option.flatMap(json, Schema.decodeUnknownOption(Named))
  const right = Option.isSome(named) && named.value.object === object
  return Option.match(right ? Option.flatMap(json, Schema.decodeUnknownOption(schema)) : Option.none(), {
    onSome: (value) => Effect.succeed(value),
    onNone: () => Effect.fail(new PaymentsUncertain({ reason: `the response is not a ${object} of the provider` }))
  })
}
