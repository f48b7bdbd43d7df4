import { Clock, Effect, Exit, Option, Semaphore } from "effect"
import type { HttpClient } from "effect/http"
import { anthropicMessages } from "./AnthropicMessages.ts"
import { type CircuitBreaker, makeCircuitBreaker } from "./CircuitBreaker.ts"
import { chatCompletions } from "./ChatCompletions.ts"
import { type Dialect, type Question, type Said, type Traits, fallbackTraits } from "./Dialect.ts"
import type { LlmConfig } from "./LlmConfig.ts"
import { type LlmAnswer, type LlmRequestFailure, sendOnce } from "./LlmHttp.ts"
import type { Meter } from "./Meter.ts"
import { permanentFailure, type LlmFailure, llmFailureOf, llmFailureOfRequest } from "./LlmFailure.ts"

/** Requests made again when one failed in passing, and the wait before the first; it doubles. */
const retries = 2
const firstPause = 500
/** Longest that is waited here for a server that asks for it; milliseconds. */
const maxPauseMillis = 5_000
/** Ways to ask that are tried for one question: three formats, two bounds, with and without temperature. */
const maxVariants = 5

/** One server of a language model, and what has been learnt of it. */
export interface LlmServer {
  readonly config: LlmConfig
  readonly http: HttpClient.HttpClient
  readonly dialect: Dialect
  readonly circuitBreaker: CircuitBreaker
  readonly permits: Semaphore.Semaphore
  /** From 0 to 1. */
  readonly jitter: () => number
  traits: Traits
}

/** Knows nothing yet of the server. */
export const makeServer = (config: LlmConfig, http: HttpClient.HttpClient, jitter: () => number): LlmServer => {
  const dialect = config.provider === "anthropic" ? anthropicMessages : chatCompletions
  return {
    config,
    http,
    dialect,
    circuitBreaker: makeCircuitBreaker(),
    permits: Semaphore.makeUnsafe(config.concurrency),
    jitter,
    traits: dialect.traitsOf(config)
  }
}

const isFine = ({ status }: LlmAnswer): boolean => status >= 200 && status < 300

const wasRequested = (exit: Exit.Exit<LlmAnswer, LlmRequestFailure>): boolean =>
  Option.getOrNull(Exit.findErrorOption(exit))?.kind !== "unsent"

/** One request. */
const once = (server: LlmServer, question: Question, traits: Traits, meter: Meter): Effect.Effect<Said, LlmFailure> => {
  const { config, dialect, http } = server
  const requested = sendOnce(http, config, dialect.call(config, question, traits)).pipe(
    // Whatever ends it: what was asked is paid for.
    Effect.onExit((exit) => Effect.sync(() => wasRequested(exit) && meter.countCall())),
    Effect.mapError(llmFailureOfRequest),
    Effect.flatMap((answer) =>
      isFine(answer)
        ? Effect.succeed(answer)
        : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(llmFailureOf(config, answer, now)))
    )
  )
  return server.permits
    .withPermits(1)(server.circuitBreaker.through(requested))
    .pipe(
      Effect.flatMap(({ json }) => {
        const said = dialect.read(json)
        if (said !== null) meter.countTokens(said)
        return said === null
          ? Effect.fail(permanentFailure("its answer is none that such a server gives: correct LEADLOOM_LLM_BASE_URL"))
          : Effect.succeed(said)
      })
    )
}

/** How long to wait before asking again; null: not at all. Waits differ, so that many do not come back at once. */
const pauseBefore = (failure: LlmFailure, attempt: number, jitter: number): number | null => {
  if (!failure.again || attempt >= retries) return null
  const wanted = failure.retryAfterMillis
  if (wanted === null) return firstPause * 2 ** attempt * (0.5 + jitter / 2)
  return wanted <= maxPauseMillis ? wanted + jitter * firstPause : null
}

/** Asks again what failed in passing. */
const withRetries = (
  server: LlmServer,
  question: Question,
  traits: Traits,
  meter: Meter,
  attempt = 0
): Effect.Effect<Said, LlmFailure> =>
  Effect.catchTag(once(server, question, traits, meter), "LlmFailure", (failure) => {
    const pause = pauseBefore(failure, attempt, server.jitter())
    if (pause === null) return Effect.fail(failure)
    return Effect.andThen(Effect.sleep(pause), withRetries(server, question, traits, meter, attempt + 1))
  })

/**
 * Asks in the way the server knows. When it complains about a way, others are tried; the one that it takes is remembered
 * for as long as this process lives. When it takes none, the first complaint is told.
 */
export const requestCompletion = (
  server: LlmServer,
  question: Question,
  meter: Meter
): Effect.Effect<Said, LlmFailure> => {
  const withTraits = (
    traits: Traits,
    tried: ReadonlyArray<Traits>,
    first: LlmFailure | null
  ): Effect.Effect<Said, LlmFailure> =>
    withRetries(server, question, traits, meter).pipe(
      Effect.tap(() => Effect.sync(() => void (server.traits = traits))),
      Effect.catchTag("LlmFailure", (failure) => {
        const reported = first ?? failure
        if (failure.complaint === null) return Effect.fail(first === null || failure.later ? failure : reported)
        const other = fallbackTraits(traits, failure.complaint, server.dialect.formats)
        const known = [...tried, traits].map((each) => JSON.stringify(each))
        if (other === null || known.length >= maxVariants || known.includes(JSON.stringify(other)))
          return Effect.fail(reported)
        return withTraits(other, [...tried, traits], reported)
      })
    )
  return Effect.suspend(() => withTraits(server.traits, [], null))
}
