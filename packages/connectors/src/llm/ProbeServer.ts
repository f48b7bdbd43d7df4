import { Clock, Effect, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { anthropicVersion } from "./AnthropicMessages.ts"
import type { LlmConfig } from "./LlmConfig.ts"
import { type LlmCall, sendOnce } from "./LlmHttp.ts"
import { llmFailureOf, llmFailureOfRequest } from "./LlmFailure.ts"

const modelsOf = ({ apiKey, baseUrl, provider }: LlmConfig): LlmCall => {
  const key = apiKey === null ? null : Redacted.value(apiKey)
  if (provider === "openai") {
    return { url: `${baseUrl}/models`, headers: key === null ? {} : { authorization: `Bearer ${key}` } }
  }
  const headers = { "anthropic-version": anthropicVersion, ...(key === null ? {} : { "x-api-key": key }) }
  return { url: `${baseUrl.replace(/\/v1$/u, "")}/v1/models`, headers }
}

/**
 * Checks whether the server of a language model is usable by requesting its free list of models. Returns the problem,
 * or null. A server without such a list counts as usable.
 */
export const probeServer = (config: LlmConfig): Effect.Effect<string | null> =>
  Effect.gen(function* () {
    const answer = yield* sendOnce(yield* HttpClient.HttpClient, config, modelsOf(config))
    const unlisted = answer.status === 404 || answer.status === 405
    if (unlisted || (answer.status >= 200 && answer.status < 300)) return null
    return llmFailureOf(config, answer, yield* Clock.currentTimeMillis).reason
  }).pipe(
    Effect.catchTag("LlmRequestFailure", (failure) => Effect.succeed(llmFailureOfRequest(failure).reason)),
    Effect.provide(layerFetch)
  )
