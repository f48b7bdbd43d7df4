import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import { type HostedFailure, HostedUnavailable } from "@leadloom/core/domain/email/HostedMail"
import { Clock, Effect, Option, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { failureOf, isTransient, jsonOf, hostedFailureOf } from "./NylasAnswer.ts"
import type { NylasConfig } from "./NylasConfig.ts"
import { type NylasAnswer, type NylasCall, sendOnce } from "./NylasHttp.ts"

/** The wait before a retry, and the maximum wait that a provider may request, in milliseconds. */
const pause = 500
const maxPauseMillis = 5_000

const isFine = ({ status }: NylasAnswer): boolean => status >= 200 && status < 300

/** Returns the wait before a retry, or null for no retry. */
const retryDelay = (answer: NylasAnswer, now: number): number | null => {
  if (!isTransient(answer.status)) return null
  const wanted = retryAfterMillis(answer.retryAfter, now) ?? pause
  return wanted <= maxPauseMillis ? wanted : null
}

/** Reads have no side effects, so a transient failure is retried once. */
const twice = (http: HttpClient.HttpClient, config: NylasConfig, call: NylasCall) => {
  const once = sendOnce(http, config, call)
  const again = (wait: number) => Effect.andThen(Effect.sleep(wait), once)
  return once.pipe(
    Effect.matchEffect({
      onFailure: (failure) => (failure.kind === "oversized" ? Effect.fail(failure) : again(pause)),
      onSuccess: (answer) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const wait = retryDelay(answer, now)
          return wait === null ? Effect.succeed(answer) : again(wait)
        })
    })
  )
}

/** Sends a request and fails unless the response is 2xx. `what` names the requested object. */
export const sendRequest = (
  http: HttpClient.HttpClient,
  config: NylasConfig,
  call: NylasCall,
  what: string
): Effect.Effect<NylasAnswer, HostedFailure> =>
  (call.method === "GET" ? twice(http, config, call) : sendOnce(http, config, call)).pipe(
    Effect.mapError(hostedFailureOf),
    Effect.flatMap((answer) => (isFine(answer) ? Effect.succeed(answer) : Effect.fail(failureOf(config, answer, what))))
  )

/** Decodes a response with a lenient schema. An undecodable one comes from a proxy. */
export const decode = <S extends Schema.Decoder<unknown>>(
  schema: S,
  answer: Pick<NylasAnswer, "body">
): Effect.Effect<S["Type"], HostedUnavailable> =>
  Option.match(Option.flatMap(jsonOf(answer), Schema.decodeUnknownOption(schema)), {
    onSome: (value) => Effect.succeed(value),
    onNone: () => Effect.fail(new HostedUnavailable({ reason: "the response did not come from the provider" }))
  })
