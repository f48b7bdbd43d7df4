import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import { type HostedFailure, HostedUnavailable } from "@leadloom/core/domain/email/HostedMail"
import { Clock, Effect, Option, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { failureOf, isTransient, jsonOf, hostedFailureOf } from "./NylasAnswer.ts"
import type { NylasConfig } from "./NylasConfig.ts"
import { type NylasAnswer, type NylasCall, sendOnce } from "./NylasHttp.ts"

/** Wait before a request is made again, and the longest that it lets a provider ask for; milliseconds. */
const pause = 500
const maxPauseMillis = 5_000

const isFine = ({ status }: NylasAnswer): boolean => status >= 200 && status < 300

/** How long to wait before asking once more; null: not at all. */
const retryDelay = (answer: NylasAnswer, now: number): number | null => {
  if (!isTransient(answer.status)) return null
  const wanted = retryAfterMillis(answer.retryAfter, now) ?? pause
  return wanted <= maxPauseMillis ? wanted : null
}

/** Reads change nothing, so one that failed in passing is asked once more. */
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

/** Asks, and takes only yes for an answer; `what` names what was asked for. */
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

/** Reads an answer by a lenient schema. What cannot be read at all comes from somebody in between. */
export const decode = <S extends Schema.Decoder<unknown>>(
  schema: S,
  answer: Pick<NylasAnswer, "body">
): Effect.Effect<S["Type"], HostedUnavailable> =>
  Option.match(Option.flatMap(jsonOf(answer), Schema.decodeUnknownOption(schema)), {
    onSome: (value) => Effect.succeed(value),
    onNone: () => Effect.fail(new HostedUnavailable({ reason: "the answer is not one of the provider's" }))
  })
