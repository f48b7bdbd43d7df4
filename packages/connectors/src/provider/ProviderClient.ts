/**
 * The HTTP client of all external providers. It sends a request, bounds the time and the response, retries what may be
 * repeated, and turns everything else into a `ProviderFailure` without secrets. A provider describes itself with
 * `Provider`; its adapter only builds requests and decodes responses. Requests to URLs of tenants use `../egress`.
 * Tests: `packages/connectors/test/provider`, and those of each provider.
 */
import {
  gone,
  outcomeUnknown,
  type ProviderFailure,
  refused,
  signedOut,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { retryAfterMillis } from "@leadloom/core/internal/domain/time/Retry"
import { Clock, Effect, Option, Result, Schema, Stream } from "effect"
import { boundedBody } from "./BoundedBody.ts"
import {
  clean,
  clientCodes,
  effectOf,
  exchange,
  execute,
  isFine,
  jsonOf,
  lost,
  oversized,
  transportFailure
} from "./Exchange.ts"
import {
  defaultVerdict,
  type Problem,
  type Provider,
  type ProviderRequest,
  type ProviderResponse,
  type Refusal,
  type Retries
} from "./Provider.ts"

/**
 * The maximum wait that a response may request: one day. A longer wait is ignored, because it probably has a wrong
 * unit.
 */
const maxRetryAfterMillis = 86_400_000

/** The wait that a response requests. `retry-after-ms` is more precise than `Retry-After`. */
const waitOf = (provider: Provider, response: ProviderResponse, now: number): number | null => {
  const { headers } = response
  const fine = Number(headers["retry-after-ms"] ?? Number.NaN)
  const wait =
    provider.waitOf?.(response) ?? (Number.isFinite(fine) ? fine : retryAfterMillis(headers["retry-after"], now))
  return wait !== null && wait >= 0 && wait <= maxRetryAfterMillis ? wait : null
}

/** Removes secrets from a problem and bounds it. */
const cleanProblem = (provider: Provider, request: ProviderRequest, { code, text }: Problem): Problem => ({
  code: code === null ? null : clean(provider, request, code),
  text: clean(provider, request, text)
})

/** Reads the error of a response, without secrets and bounded. */
export const problemIn = (provider: Provider, request: ProviderRequest, response: ProviderResponse): Problem =>
  cleanProblem(provider, request, provider.problemOf(jsonOf(response), response))

/** Maps the refusal of a 2xx response, or a response other than 2xx, to a failure. */
const failureOf = (
  provider: Provider,
  request: ProviderRequest,
  response: ProviderResponse,
  now: number,
  refusal: Refusal | null = null
): ProviderFailure => {
  const { service } = provider
  const problem = refusal === null ? problemIn(provider, request, response) : cleanProblem(provider, request, refusal)
  const { code, text: detail } = problem
  const verdict = refusal?.verdict ?? (provider.verdictOf ?? defaultVerdict)(response.status, problem)
  const isRead = effectOf(request) === "read"
  switch (verdict === "OutcomeUnknown" && isRead ? "Unavailable" : verdict) {
    case "Refused":
      return refused(service, detail, { status: response.status, code })
    case "Unavailable":
      return unavailable(service, detail, { code, retryAfterMillis: waitOf(provider, response, now) })
    case "OutcomeUnknown":
      return outcomeUnknown(service, detail)
    case "Gone":
      return gone(service, request.what, detail)
    case "SignedOut":
      return signedOut(service, detail)
  }
}

/** Wraps each attempt, for example with a circuit breaker. */
export type Around = (
  attempt: Effect.Effect<ProviderResponse, ProviderFailure>
) => Effect.Effect<ProviderResponse, ProviderFailure>

/**
 * Returns the provider's explicit advice on a retry; null without one. The advice takes precedence over the meaning of
 * the response.
 */
const adviceOf = ({ headers }: ProviderResponse): boolean | null => {
  const advice = headers["stripe-should-retry"] ?? headers["x-should-retry"]
  return advice === "true" ? true : advice === "false" ? false : null
}

const mayHelp = ({ reason }: ProviderFailure): boolean =>
  reason._tag === "OutcomeUnknown" ||
  (reason._tag === "Unavailable" && reason.code !== clientCodes.late && reason.code !== clientCodes.heldBack)

/** Returns a 2xx response without a refusal, or fails with the meaning of the response. */
export const requireFine = (
  provider: Provider,
  requested: ProviderRequest,
  response: ProviderResponse
): Effect.Effect<ProviderResponse, ProviderFailure> => {
  const refusal = isFine(response) ? (provider.readRefusal?.(jsonOf(response), response) ?? null) : null
  return isFine(response) && refusal === null
    ? Effect.succeed(response)
    : Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.fail(failureOf(provider, requested, response, now, refusal))
      )
}

/** Makes one attempt. Fails with the failure and whether the same request may be sent again. */
const attempt = (provider: Provider, request: ProviderRequest, timeoutMillis: number, around: Around) =>
  around(exchange(provider, request, timeoutMillis)).pipe(
    Effect.mapError((failure) => ({ failure, again: mayHelp(failure) })),
    Effect.flatMap((response) =>
      Effect.mapError(requireFine(provider, request, response), (failure) => ({
        failure,
        again: adviceOf(response) ?? mayHelp(failure)
      }))
    )
  )

/** Returns the wait before the next attempt, or null for no retry. */
const pauseBefore = (retries: Retries, { reason }: ProviderFailure, attempts: number): number | null => {
  const { jitter = () => 0, maxPauseMillis, pauseMillis } = retries
  const requested = reason._tag === "Unavailable" ? reason.retryAfterMillis : null
  if (requested === null) return Math.min(pauseMillis * 2 ** (attempts - 1), maxPauseMillis) * (1 + jitter())
  return requested <= maxPauseMillis ? requested + 2 * pauseMillis * jitter() : null
}

/**
 * Sends a request and fails unless a response is 2xx. If the request may be repeated, applies the retries of the
 * provider. If an earlier attempt of a write may have been processed and the last attempt does not show it, the outcome
 * is unknown.
 */
export const send = Effect.fnUntraced(function* (
  provider: Provider,
  request: ProviderRequest,
  around: Around = (each) => each
): Effect.fn.Return<ProviderResponse, ProviderFailure> {
  const retries = effectOf(request) === "once" ? undefined : provider.retries
  const timeoutMillis = request.timeoutMillis ?? provider.timeoutMillis
  const deadline = (yield* Clock.currentTimeMillis) + (retries?.wholeMillis ?? Number.POSITIVE_INFINITY)
  let mayBeDone = false
  for (let attempts = 1; ; attempts++) {
    const left = deadline - (yield* Clock.currentTimeMillis)
    const tried = yield* Effect.result(attempt(provider, request, Math.min(timeoutMillis, left), around))
    if (Result.isSuccess(tried)) return tried.success
    const { again, failure } = tried.failure
    mayBeDone ||= failure.reason._tag === "OutcomeUnknown"
    const isLast = !again || retries === undefined || attempts >= retries.attempts
    const pause = isLast ? null : pauseBefore(retries, failure, attempts)
    if (pause === null || (yield* Clock.currentTimeMillis) + pause >= deadline) {
      const isOpen = mayBeDone && mayBeOutcome(failure)
      return yield* isOpen ? outcomeUnknown(provider.service, failure.message) : failure
    }
    yield* Effect.sleep(pause)
  }
})

/** Returns whether the last failure does not show the outcome of an earlier attempt. */
const mayBeOutcome = ({ reason }: ProviderFailure): boolean =>
  reason._tag === "OutcomeUnknown" || reason._tag === "Unavailable"

/**
 * Decodes a response with a lenient schema. An undecodable response comes from a proxy, so it does not show the
 * outcome.
 */
export const decode = <S extends Schema.Decoder<unknown>>(
  provider: Provider,
  request: ProviderRequest,
  schema: S,
  response: ProviderResponse
): Effect.Effect<S["Type"], ProviderFailure> =>
  Option.match(Schema.decodeUnknownOption(schema)(jsonOf(response)), {
    onSome: (value) => Effect.succeed(value),
    onNone: () => Effect.fail(lost(provider, request, `the response did not come from ${provider.name}`))
  })

/** Sends a request, fails unless a response is 2xx, and decodes the response with a schema. */
export const request = <S extends Schema.Decoder<unknown>>(
  provider: Provider,
  requested: ProviderRequest,
  schema: S
): Effect.Effect<S["Type"], ProviderFailure> =>
  Effect.flatMap(send(provider, requested), (response) => decode(provider, requested, schema, response))

/** A response whose body is not read yet. */
export interface StreamedResponse {
  readonly headers: ProviderResponse["headers"]
  readonly bytes: Stream.Stream<Uint8Array, ProviderFailure>
}

/** Sends one request without retries, fails unless the response is 2xx, and streams the body up to `maxBytes`. */
export const stream = (
  provider: Provider,
  requested: ProviderRequest
): Effect.Effect<StreamedResponse, ProviderFailure> => {
  const maxBytes = requested.maxBytes ?? provider.maxBytes
  const tooLong = oversized(provider, requested)
  return execute(provider, requested, requested.timeoutMillis ?? provider.timeoutMillis, (response) =>
    Effect.gen(function* () {
      const { headers, status } = response
      if (status < 200 || status > 299) {
        const body = yield* boundedBody(response, provider.maxBytes, tooLong)
        return yield* failureOf(provider, requested, { status, headers, body }, yield* Clock.currentTimeMillis)
      }
      if (Number(headers["content-length"] ?? 0) > maxBytes) return yield* tooLong
      let length = 0
      const bytes = response.stream.pipe(
        Stream.mapError((error) => transportFailure(provider, requested, error)),
        Stream.mapEffect((chunk) =>
          (length += chunk.length) > maxBytes ? Effect.fail(tooLong) : Effect.succeed(chunk)
        )
      )
      return { headers, bytes }
    })
  )
}
