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

/** The number of retries after a transient failure, and the first wait in milliseconds. The wait doubles. */
const retries = 2
const firstPause = 500
/** The maximum wait that a server may request, in milliseconds. */
const maxPauseMillis = 5_000
/**
 * The maximum number of request variants per question: three formats, two limit fields, with and without temperature.
 */
const maxVariants = 5

/** One server of a language model and its detected capabilities. */
export interface LlmServer {
  readonly config: LlmConfig
  readonly http: HttpClient.HttpClient
  readonly dialect: Dialect
  readonly circuitBreaker: CircuitBreaker
  readonly permits: Semaphore.Semaphore
  /** A random number from 0 to 1. */
  readonly jitter: () => number
  traits: Traits
}

/** Creates a server with the assumed capabilities of its dialect. */
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

/** Sends one request. */
const once = (server: LlmServer, question: Question, traits: Traits, meter: Meter): Effect.Effect<Said, LlmFailure> => {
  const { config, dialect, http } = server
  const requested = sendOnce(http, config, dialect.call(config, question, traits)).pipe(
    // A sent request costs money even if it fails or is interrupted.
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
          ? Effect.fail(permanentFailure("its response has an unknown format: correct LEADLOOM_LLM_BASE_URL"))
          : Effect.succeed(said)
      })
    )
}

/** Returns the wait before a retry, or null for no retry. Jitter spreads simultaneous retries. */
const pauseBefore = (failure: LlmFailure, attempt: number, jitter: number): number | null => {
  if (!failure.again || attempt >= retries) return null
  const wanted = failure.retryAfterMillis
  if (wanted === null) return firstPause * 2 ** attempt * (0.5 + jitter / 2)
  return wanted <= maxPauseMillis ? wanted + jitter * firstPause : null
}

/** Retries after transient failures. */
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
 * Sends the request in the form that the server is known to support. After a 400 it tries other forms. The first
 * accepted form is remembered for the lifetime of the process. If none is accepted, the first error is reported.
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
