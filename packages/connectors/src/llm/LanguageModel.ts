// Classifier and reply writer over a language model. Prompts and the pipeline are in core. Tests:
// `packages/connectors/test/llm`.
import { ModelFailed } from "@leadloom/core/internal/domain/classification/Model"
import { type ProviderFailure, refused, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { requestedWait } from "@leadloom/core/internal/domain/provider/ProviderBehavior"
import { classifyPrompt, type Prompt, replyPrompt } from "@leadloom/core/internal/workflow/reply/Prompt"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Randomness } from "@leadloom/core/internal/port/system/Ids"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { Context, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { type ResponseCodec, classificationForm, jsonIn, replyForm } from "./ResponseCodec.ts"
import { requestCompletion, type LlmServer, makeServer } from "./RequestCompletion.ts"
import type { Question, Said } from "./Dialect.ts"
import type { LlmConfig } from "./LlmConfig.ts"
import { type Meter, makeMeter } from "./Meter.ts"

/** The number of random bytes in the delimiters of a prompt. */
const nonceLength = 16
/** The timeout of a whole question, including retries and waits, as a multiple of the timeout of one request. */
const wholeTimeouts = 3
/** The maximum number of characters of an invalid response that are sent back to the model for correction. */
const maxEchoLength = 4_000

const questionOf = <A>(form: ResponseCodec<A>, prompt: Prompt): Question => ({
  name: form.name,
  // The prompt repeats the schema, because some servers ignore the schema parameter.
  system: `${prompt.system}\nThe JSON schema of the answer: ${JSON.stringify(form.schema)}`,
  turns: [{ role: "user", content: prompt.user }],
  schema: form.schema,
  temperature: form.temperature
})

/** Repeats the question together with the error in the previous response. */
const repairQuestion = (question: Question, answer: string, wrong: string): Question => ({
  ...question,
  turns: [
    ...question.turns,
    { role: "assistant", content: answer.trim().slice(0, maxEchoLength).toWellFormed() },
    {
      role: "user",
      content: `This cannot be used: ${wrong}. Answer again with one JSON object of the schema, and nothing else.`
    }
  ]
})

/** Returns the text of a response, or fails when it is refused, truncated or empty. */
const received = ({ end, text }: Said): Effect.Effect<string, ProviderFailure> => {
  if (end === "refused") return Effect.fail(refused("model", "the model refused to answer this message"))
  if (end === "cut") return Effect.fail(refused("model", "the model's response was too long and was truncated"))
  return text.trim() === "" ? Effect.fail(refused("model", "the model's response is empty")) : Effect.succeed(text)
}

const readAs = <A>(form: ResponseCodec<A>, text: string) => {
  const json = jsonIn(text)
  return json === undefined ? { wrong: "it is not JSON" } : form.read(json)
}

const converse = Effect.fnUntraced(function* <A>(
  server: LlmServer,
  form: ResponseCodec<A>,
  prompt: Prompt,
  meter: Meter
) {
  const question = questionOf(form, prompt)
  const text = yield* Effect.flatMap(requestCompletion(server, question, meter), received)
  const first = readAs(form, text)
  if ("value" in first) return first.value
  const again = repairQuestion(question, text, first.wrong)
  const second = readAs(form, yield* Effect.flatMap(requestCompletion(server, again, meter), received))
  if ("value" in second) return second.value
  return yield* refused("model", `the model gave an unusable response twice: ${second.wrong}`)
})

/** Sends one question to a model. Reports the cost, whether the question succeeds or fails. */
const sendRequest = Effect.fnUntraced(function* <A>(server: LlmServer, form: ResponseCodec<A>, prompt: Prompt) {
  const { config } = server
  const meter = makeMeter(config.model)
  const tooSlow = unavailable("model", "it did not respond in time, or too many requests were waiting")
  const value = yield* converse(server, form, prompt, meter).pipe(
    Effect.timeoutOrElse({ duration: config.timeoutMillis * wholeTimeouts, orElse: () => Effect.fail(tooSlow) }),
    Effect.mapError(
      (failure) =>
        new ModelFailed({
          reason: `the language model: ${failure.message}`,
          later: failure.reason._tag === "Unavailable",
          retryAfterMillis: requestedWait(failure),
          use: meter.use()
        })
    )
  )
  const use = meter.use() ?? { model: config.model, calls: 1, inputTokens: 0, outputTokens: 0 }
  return { value, use }
})

const make = (config: LlmConfig, server: LlmServer, { bytes }: Randomness["Service"]) => {
  const nonce = (): string => Buffer.from(bytes(nonceLength)).toString("hex")
  return Context.make(
    Classifier,
    Classifier.of({
      configured: true,
      coversHipaa: config.coversHipaa,
      classify: (message) =>
        Effect.suspend(() => sendRequest(server, classificationForm, classifyPrompt(message, nonce()))).pipe(
          Effect.map(({ use, value }) => ({ classification: value, use })),
          Effect.withSpan("LanguageModel.classify")
        )
    })
  ).pipe(
    Context.add(
      ReplyWriter,
      ReplyWriter.of({
        configured: true,
        coversHipaa: config.coversHipaa,
        write: (reply) =>
          Effect.suspend(() => sendRequest(server, replyForm, replyPrompt(reply, nonce()))).pipe(
            Effect.map(({ use, value }) => ({ text: value, use })),
            Effect.withSpan("LanguageModel.write")
          )
      })
    )
  )
}

/** Provides classifier and reply writer for one server. They share its limits and its detected capabilities. */
export const layerNoDeps = (
  config: LlmConfig
): Layer.Layer<Classifier | ReplyWriter, never, HttpClient.HttpClient | Randomness> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const randomness = yield* Randomness
      const jitter = () => (randomness.bytes(1)[0] ?? 0) / 255
      return make(config, yield* makeServer(config, yield* HttpClient.HttpClient, jitter), randomness)
    })
  )

/** Provides classifier and reply writer for the configured language model. */
export const layer = (config: LlmConfig): Layer.Layer<Classifier | ReplyWriter, never, Randomness> =>
  Layer.provide(layerNoDeps(config), layerFetch)
