import type { LlmConfig } from "./LlmConfig.ts"

/** The methods of requesting a structured response, best first. */
export type AnswerFormat = "json_schema" | "json_object" | "text"

/** The detected capabilities of a server. */
export interface Traits {
  readonly format: AnswerFormat
  /** The name of the field that limits the response length. */
  readonly bound: "max_completion_tokens" | "max_tokens"
  /** False for reasoning models, which reject the field. */
  readonly temperature: boolean
}

/** One question to a model, with the format of the response. */
export interface Question {
  /** The name of the response format. Permitted: `^[a-z_]+$`. */
  readonly name: string
  readonly system: string
  /** The conversation with the model, starting with the user. */
  readonly turns: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly content: string }>
  /** The JSON schema of the response. It uses the strict subset: no optional and no additional properties. */
  readonly schema: Readonly<Record<string, unknown>>
  /** The sampling temperature, from 0 to 1. */
  readonly temperature: number
}

/** The response of a model. */
export interface Said {
  readonly text: string
  /** `refused`: the model or a filter refused to respond. `cut`: the response exceeded its length limit. */
  readonly end: "done" | "refused" | "cut"
  /** The model that responded; null when the server does not name it. */
  readonly model: string | null
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The request and response format of one kind of server. */
export interface Dialect {
  /** The capabilities that a server is assumed to have before any error. */
  readonly traitsOf: (config: LlmConfig) => Traits
  readonly formats: ReadonlyArray<AnswerFormat>
  readonly headers: (config: LlmConfig) => Readonly<Record<string, string>>
  /** The URLs below the base URL: one receives questions, the other returns the list of models without cost. */
  readonly urls: (config: LlmConfig) => { readonly question: URL; readonly models: URL }
  readonly body: (config: LlmConfig, question: Question, traits: Traits) => unknown
  /** Decodes a 2xx response; null when it has another format. */
  readonly read: (json: unknown) => Said | null
}

/** The maximum number of tokens in a response, including the reasoning tokens. */
export const maxTokens = 4_000

/** The codes of 400 errors about the content of a request. Other 400 errors concern its format. */
const aboutContent = /context_length|content_(?:filter|policy)|invalid_prompt|model_not_found|safety|string_above_max/u

const nextFormat = (traits: Traits, formats: ReadonlyArray<AnswerFormat>): Traits | null => {
  const format = formats[formats.indexOf(traits.format) + 1]
  return format === undefined ? null : { ...traits, format }
}

/**
 * Returns other capabilities to try after a 400, or null. An unrecognised error is attributed to the response format,
 * the most common unsupported feature.
 */
export const fallbackTraits = (
  traits: Traits,
  { code, words }: { readonly code: string; readonly words: string },
  formats: ReadonlyArray<AnswerFormat>
): Traits | null => {
  if (aboutContent.test(code)) return null
  if (traits.temperature && words.includes("temperature")) return { ...traits, temperature: false }
  if (/max_(?:completion_)?tokens/u.test(words)) {
    return { ...traits, bound: traits.bound === "max_tokens" ? "max_completion_tokens" : "max_tokens" }
  }
  return nextFormat(traits, formats)
}
