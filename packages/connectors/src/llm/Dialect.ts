import type { LlmConfig } from "./LlmConfig.ts"
import type { LlmCall } from "./LlmHttp.ts"

/** How a server wants to be told the form of its answer, best first. */
export type AnswerFormat = "json_schema" | "json_object" | "text"

/** What a server has turned out to know. */
export interface Traits {
  readonly format: AnswerFormat
  /** The name of the field that bounds the answer. */
  readonly bound: "max_completion_tokens" | "max_tokens"
  /** Models that reason refuse it. */
  readonly temperature: boolean
}

/** One question. */
export interface Question {
  /** Name of the form of the answer: `^[a-z_]+$`. */
  readonly name: string
  readonly system: string
  /** The turns of the conversation with the model, beginning with the user's. */
  readonly turns: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly content: string }>
  /** JSON schema of the answer, within the strict subset: nothing optional, nothing additional. */
  readonly schema: Readonly<Record<string, unknown>>
  /** 0 to 1. */
  readonly temperature: number
}

/** What a model said. */
export interface Said {
  readonly text: string
  /** `refused`: it, or a filter, would not. `cut`: it was longer than it may be. */
  readonly end: "done" | "refused" | "cut"
  /** The model that answered; null: it is not said. */
  readonly model: string | null
  readonly inputTokens: number
  readonly outputTokens: number
}

/** How a kind of server is spoken to. */
export interface Dialect {
  /** What a server is taken to know until it says otherwise. */
  readonly traitsOf: (config: LlmConfig) => Traits
  readonly formats: ReadonlyArray<AnswerFormat>
  readonly call: (config: LlmConfig, question: Question, traits: Traits) => LlmCall
  /** Reads a 2xx; null: it is none of its kind. */
  readonly read: (json: unknown) => Said | null
}

/** Most tokens of an answer; models that reason count their reasoning. */
export const maxTokens = 4_000

/** 400s that are about what was said, not about how it was asked. */
const aboutContent = /context_length|content_(?:filter|policy)|invalid_prompt|model_not_found|safety|string_above_max/u

const nextFormat = (traits: Traits, formats: ReadonlyArray<AnswerFormat>): Traits | null => {
  const format = formats[formats.indexOf(traits.format) + 1]
  return format === undefined ? null : { ...traits, format }
}

/**
 * What to try when a server complains about a request; null: nothing. A complaint that names nothing we know is taken for
 * one about the form of the answer, which is what servers most often do not know.
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
