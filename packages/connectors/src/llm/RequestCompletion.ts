import { type ProviderFailure, refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Exit, Option, type Scope, Semaphore } from "effect"
import { HttpClient } from "effect/http"
import { makeCircuitBreaker } from "../provider/CircuitBreaker.ts"
import { clientCodes, exchange, jsonOf } from "../provider/Exchange.ts"
import { layerFetch } from "../provider/Fetch.ts"
import type { Provider, ProviderRequest, ProviderResponse } from "../provider/Provider.ts"
import { type Around, requireFine, send } from "../provider/ProviderClient.ts"
import { anthropicMessages } from "./AnthropicMessages.ts"
import { chatCompletions } from "./ChatCompletions.ts"
import { type Dialect, type Question, type Said, type Traits, fallbackTraits } from "./Dialect.ts"
import { type LlmConfig, llmProvider } from "./LlmConfig.ts"
import type { Meter } from "./Meter.ts"

/**
 * The maximum number of request variants per question. Variants differ in the format (three), the limit field (two) and
 * the presence of the temperature.
 */
const maxVariants = 5

/** One server of a language model and its detected capabilities. */
export interface LlmServer {
  readonly config: LlmConfig
  readonly provider: Provider
  readonly dialect: Dialect
  readonly circuitBreaker: Around
  readonly permits: Semaphore.Semaphore
  traits: Traits
}

const dialectOf = ({ provider }: LlmConfig): Dialect => (provider === "anthropic" ? anthropicMessages : chatCompletions)

/** Creates a server with the assumed capabilities of its dialect. `jitter` returns a random number from 0 to 1. */
export const makeServer = (
  config: LlmConfig,
  http: HttpClient.HttpClient,
  jitter: () => number
): Effect.Effect<LlmServer, never, Scope.Scope> =>
  Effect.map(makeCircuitBreaker("model"), (circuitBreaker) => {
    const dialect = dialectOf(config)
    return {
      config,
      provider: llmProvider(config, http, jitter),
      dialect,
      circuitBreaker,
      permits: Semaphore.makeUnsafe(config.concurrency),
      traits: dialect.traitsOf(config)
    }
  })

const wasSent = (exit: Exit.Exit<ProviderResponse, ProviderFailure>): boolean => {
  const reason = Option.getOrNull(Exit.findErrorOption(exit))?.reason
  return reason?._tag !== "Unavailable" || reason.code !== clientCodes.unsent
}

/** Sends one question with one set of capabilities. Retries after transient failures. */
const ask = (server: LlmServer, question: Question, traits: Traits, meter: Meter) => {
  const { circuitBreaker, config, dialect, permits, provider } = server
  const request: ProviderRequest = {
    method: "POST",
    path: dialect.urls(config).question,
    what: "model",
    headers: dialect.headers(config),
    json: dialect.body(config, question, traits),
    effect: "read"
  }
  const around: Around = (attempt) =>
    // The request is counted even if it fails or is interrupted, because a sent request costs money.
    permits.withPermits(1)(
      circuitBreaker(Effect.onExit(attempt, (exit) => Effect.sync(() => wasSent(exit) && meter.countCall())))
    )
  return Effect.flatMap(send(provider, request, around), (response) => {
    const said = dialect.read(jsonOf(response))
    if (said !== null) meter.countTokens(said)
    return said === null
      ? Effect.fail(refused("model", "its response has an unknown format: correct LEADLOOM_LLM_BASE_URL"))
      : Effect.succeed(said)
  })
}

/** Returns the code and the text of an error about the format of a request (400 or 422); null for any other failure. */
const complaintOf = ({ message, reason }: ProviderFailure) =>
  reason._tag === "Refused" && (reason.status === 400 || reason.status === 422)
    ? { code: reason.code ?? "", words: `${reason.code ?? ""} ${message}`.toLowerCase() }
    : null

/**
 * Sends a question with the capabilities that the server is known to have. After a 400 or 422, tries other
 * capabilities. The first accepted set is remembered for the lifetime of the process. If no set is accepted, fails with
 * the first error.
 */
export const requestCompletion = (
  server: LlmServer,
  question: Question,
  meter: Meter
): Effect.Effect<Said, ProviderFailure> => {
  const withTraits = (
    traits: Traits,
    tried: ReadonlyArray<Traits>,
    first: ProviderFailure | null
  ): Effect.Effect<Said, ProviderFailure> =>
    ask(server, question, traits, meter).pipe(
      Effect.tap(() => Effect.sync(() => void (server.traits = traits))),
      Effect.catch((failure) => {
        const reported = first ?? failure
        const complaint = complaintOf(failure)
        if (complaint === null) return Effect.fail(failure.reason._tag === "Refused" ? reported : failure)
        const other = fallbackTraits(traits, complaint, server.dialect.formats)
        const known = [...tried, traits].map((each) => JSON.stringify(each))
        if (other === null || known.length >= maxVariants || known.includes(JSON.stringify(other)))
          return Effect.fail(reported)
        return withTraits(other, [...tried, traits], reported)
      })
    )
  return Effect.suspend(() => withTraits(server.traits, [], null))
}

/**
 * Checks whether the server of a language model is usable, by requesting its free list of models. Returns the problem,
 * or null. A server without such a list counts as usable.
 */
export const probeServer = (config: LlmConfig): Effect.Effect<string | null> =>
  Effect.gen(function* () {
    const provider = llmProvider(config, yield* HttpClient.HttpClient, () => 0)
    const dialect = dialectOf(config)
    const request: ProviderRequest = {
      method: "GET",
      path: dialect.urls(config).models,
      what: "list of models",
      headers: dialect.headers(config)
    }
    const response = yield* exchange(provider, request)
    if (response.status !== 404 && response.status !== 405) yield* requireFine(provider, request, response)
    return null
  }).pipe(
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.provide(layerFetch)
  )
