import { Option, Redacted, Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { type AnswerFormat, type Dialect, maxTokens, type Question, type Said } from "./Dialect.ts"
import { defaultBaseUrl } from "./LlmConfig.ts"

const Completion = Schema.Struct({
  model: maybe(Schema.String),
  choices: listOf(
    Schema.Struct({
      finish_reason: maybe(Schema.String),
      message: maybe(Schema.Struct({ content: maybe(Schema.String), refusal: maybe(Schema.String) }))
    })
  ),
  usage: maybe(Schema.Struct({ prompt_tokens: maybe(Schema.Finite), completion_tokens: maybe(Schema.Finite) }))
})

const responseFormat = (format: AnswerFormat, { name, schema }: Question) => {
  if (format === "text") return {}
  if (format === "json_object") return { response_format: { type: "json_object" } }
  return { response_format: { type: "json_schema", json_schema: { name, strict: true, schema } } }
}

const read = (json: unknown): Said | null => {
  const completion = Option.getOrNull(Schema.decodeUnknownOption(Completion)(json))
  const [choice] = present(completion?.choices)
  if (completion === null || choice === undefined) return null
  const { finish_reason, message } = choice
  const refused = finish_reason === "content_filter" || (message?.refusal ?? "") !== ""
  return {
    text: message?.content ?? "",
    end: refused ? "refused" : finish_reason === "length" ? "cut" : "done",
    model: completion.model ?? null,
    inputTokens: completion.usage?.prompt_tokens ?? 0,
    outputTokens: completion.usage?.completion_tokens ?? 0
  }
}

/** The dialect of `POST /chat/completions`: OpenAI, and also vLLM, Ollama, llama.cpp, LM Studio and many hosts. */
export const chatCompletions: Dialect = {
  // Most other servers know only the older field name for the limit. They ignore the newer name, so a request with it
  // would have no limit.
  traitsOf: ({ baseUrl }) => ({
    format: "json_schema",
    bound: baseUrl === defaultBaseUrl.openai ? "max_completion_tokens" : "max_tokens",
    temperature: true
  }),
  formats: ["json_schema", "json_object", "text"],
  headers: ({ apiKey }): Record<string, string> =>
    apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` },
  urls: ({ baseUrl }) => ({
    question: new URL(`${baseUrl}/chat/completions`),
    models: new URL(`${baseUrl}/models`)
  }),
  body: ({ model }, question, { bound, format, temperature }) => ({
    model,
    messages: [{ role: "system", content: question.system }, ...question.turns],
    [bound]: maxTokens,
    ...(temperature ? { temperature: question.temperature } : {}),
    ...responseFormat(format, question)
  }),
  read
}
