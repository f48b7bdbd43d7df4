import { type PaymentsFailure, PaymentsUnavailable, PaymentsUncertain } from "@leadloom/core/domain/billing/Payment"
import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import { Clock, Effect, Option, Result, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { failureOf, jsonOf } from "./StripeAnswer.ts"
import type { StripeConfig } from "./StripeConfig.ts"
import { type StripeAnswer, type StripeCall, type StripeRequestFailure, sendOnce } from "./StripeHttp.ts"

/** Attempts at one request, and how long all of them may take: a person waits for most of them. */
const attempts = 3
const timeoutMillis = 12_000
const maxPauseMillis = 5_000

const isFine = ({ status }: StripeAnswer): boolean => status >= 200 && status < 300

/** Stripe's own wish counts before the status. */
const wantsAgain = ({ shouldRetry, status }: StripeAnswer): boolean =>
  shouldRetry ?? (status === 409 || status === 429 || status >= 500)

/** What has become of a request so far. */
interface Tried {
  readonly outcome: Result.Result<StripeAnswer, StripeRequestFailure>
  /** Some attempt may have been carried out though nobody here was told. */
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
 * Asks, and takes only yes for an answer; `what` names what was asked for. A request that changes something has a key, and
 * so may be asked as often as a reading one.
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
 * Reads an answer by a lenient schema, if it says that it is such an object: whatever else answers with 200 is somebody in
 * between, and nothing that was asked for is known to be done.
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
    onNone: () => Effect.fail(new PaymentsUncertain({ reason: `the answer is no ${object} of the provider's` }))
  })
}
