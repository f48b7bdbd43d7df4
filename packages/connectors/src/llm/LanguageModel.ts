import { ModelFailed } from "@leadloom/core/domain/classification/Model"
import { classifyPrompt, type Prompt, replyPrompt } from "@leadloom/core/workflow/reply/Prompt"
import { Classifier } from "@leadloom/core/port/provider/Classifier"
import { Randomness } from "@leadloom/core/port/system/Ids"
import { ReplyWriter } from "@leadloom/core/port/provider/ReplyWriter"
import { Context, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { type ResponseCodec, classificationForm, jsonIn, replyForm } from "./ResponseCodec.ts"
import { requestCompletion, type LlmServer, makeServer } from "./RequestCompletion.ts"
import type { Question, Said } from "./Dialect.ts"
import type { LlmConfig } from "./LlmConfig.ts"
import { type Meter, makeMeter } from "./Meter.ts"
import { permanentFailure, LlmFailure } from "./LlmFailure.ts"

/** Bytes of the number that the delimiters of a prompt hold. */
const nonceLength = 16
/** What a whole question may take, retries and waiting for others included, in time-outs of one request. */
const wholeTimeouts = 3
/** Characters of an answer that could not be read which the model is shown again. */
const maxEchoLength = 4_000

const questionOf = <A>(form: ResponseCodec<A>, prompt: Prompt): Question => ({
  name: form.name,
  // In words too: not every server that takes a schema keeps to it.
  system: `${prompt.system}\nThe JSON schema of the answer: ${JSON.stringify(form.schema)}`,
  turns: [{ role: "user", content: prompt.user }],
  schema: form.schema,
  temperature: form.temperature
})

/** The question once more, with what was wrong with the answer. */
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

/** What the model said, where it said something that can be read. */
const received = ({ end, text }: Said): Effect.Effect<string, LlmFailure> => {
  if (end === "refused") return Effect.fail(permanentFailure("the model refuses to answer this message"))
  if (end === "cut") return Effect.fail(permanentFailure("the model's answer is too long and was cut off"))
  return text.trim() === "" ? Effect.fail(permanentFailure("the model's answer is empty")) : Effect.succeed(text)
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
  return yield* permanentFailure(`the model twice gave an answer that cannot be used: ${second.wrong}`)
})

/** Asks one thing of a model, and says what that cost, whatever comes of it. */
const sendRequest = Effect.fnUntraced(function* <A>(server: LlmServer, form: ResponseCodec<A>, prompt: Prompt) {
  const { config } = server
  const meter = makeMeter(config.model)
  const tooSlow = new LlmFailure({
    reason: "it did not answer in time, or too much was asked of it at once",
    later: true,
    outage: false,
    again: false,
    retryAfterMillis: null,
    complaint: null
  })
  const value = yield* converse(server, form, prompt, meter).pipe(
    Effect.timeoutOrElse({ duration: config.timeoutMillis * wholeTimeouts, orElse: () => Effect.fail(tooSlow) }),
    Effect.mapError(
      ({ later, reason, retryAfterMillis }) =>
        new ModelFailed({
          reason: `the language model at ${new URL(config.baseUrl).host}: ${reason}`,
          later,
          retryAfterMillis,
          use: meter.use()
        })
    )
  )
  const use = meter.use() ?? { model: config.model, calls: 1, inputTokens: 0, outputTokens: 0 }
  return { value, use }
})

const make = (config: LlmConfig, http: HttpClient.HttpClient, { bytes }: Randomness["Service"]) => {
  const server = makeServer(config, http, () => (bytes(1)[0] ?? 0) / 255)
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

/** Classifier and reply writer over one server, which they share: its bounds and what is known of it. */
export const layerNoDeps = (
  config: LlmConfig
): Layer.Layer<Classifier | ReplyWriter, never, HttpClient.HttpClient | Randomness> =>
  Layer.effectContext(
    Effect.gen(function* () {
      return make(config, yield* HttpClient.HttpClient, yield* Randomness)
    })
  )

/** Classifier and reply writer over the language model that is configured. */
export const layer = (config: LlmConfig): Layer.Layer<Classifier | ReplyWriter, never, Randomness> =>
  Layer.provide(layerNoDeps(config), layerFetch)
