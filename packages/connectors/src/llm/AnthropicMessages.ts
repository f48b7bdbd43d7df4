import { Option, Redacted, Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { type Dialect, maxTokens, type Said } from "./Dialect.ts"

/** The API version of Anthropic's SDK 1.11. */
const anthropicVersion = "2026-10-21"

const Message = Schema.Struct({
  model: maybe(Schema.String),
  content: listOf(Schema.Struct({ type: maybe(Schema.String), text: maybe(Schema.String) })),
  stop_reason: maybe(Schema.String),
  usage: maybe(Schema.Struct({ input_tokens: maybe(Schema.Finite), output_tokens: maybe(Schema.Finite) }))
})

const endOf = (stopReason: string | null | undefined): Said["end"] => {
  if (stopReason === "refusal") return "refused"
  return stopReason === "max_tokens" || stopReason === "model_context_window_exceeded" ? "cut" : "done"
}

const read = (json: unknown): Said | null => {
  const message = Option.getOrNull(Schema.decodeUnknownOption(Message)(json))
  if (message === null || message.content === undefined) return null
  const texts = present(message.content).filter(({ type }) => type === "text")
  return {
    text: texts.map(({ text }) => text ?? "").join(""),
    end: endOf(message.stop_reason),
    model: message.model ?? null,
    inputTokens: message.usage?.input_tokens ?? 0,
    outputTokens: message.usage?.output_tokens ?? 0
  }
}

/** The dialect of Anthropic's `POST /v1/messages`. */
export const anthropicMessages: Dialect = {
  traitsOf: () => ({ format: "json_schema", bound: "max_tokens", temperature: true }),
  formats: ["json_schema", "text"],
  headers: ({ apiKey }) => ({
    "anthropic-version": anthropicVersion,
    ...(apiKey === null ? {} : { "x-api-key": Redacted.value(apiKey) })
  }),
  urls: ({ baseUrl }) => {
    const base = baseUrl.replace(/\/v1$/u, "")
    return { question: new URL(`${base}/v1/messages`), models: new URL(`${base}/v1/models`) }
  },
  body: ({ model }, question, { format, temperature }) => ({
    model,
    max_tokens: maxTokens,
    system: question.system,
    messages: question.turns,
    ...(temperature ? { temperature: question.temperature } : {}),
    ...(format === "json_schema" ? { output_config: { format: { type: "json_schema", schema: question.schema } } } : {})
  }),
  read
}
