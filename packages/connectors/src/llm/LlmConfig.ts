import type { Redacted } from "effect"

/** How servers of language models are spoken to. */
export const llmProviders = ["openai", "anthropic"] as const

/** `openai`: chat completions, as OpenAI and most others have them. `anthropic`: messages. */
export type LlmProvider = (typeof llmProviders)[number]

/** The language model of this server. */
export interface LlmConfig {
  readonly provider: LlmProvider
  /** What `/chat/completions` or `/v1/messages` is appended to; without a slash at its end. */
  readonly baseUrl: string
  /** Null: the server asks for none. */
  readonly apiKey: Redacted.Redacted | null
  /** By the provider's name for it. */
  readonly model: string
  /** How long one request may take altogether. */
  readonly timeoutMillis: number
  /** Requests at the same time, at most. */
  readonly concurrency: number
  /** Messages of HIPAA tenants may be shown to it. */
  readonly coversHipaa: boolean
}

/** Where each is when nothing else is said. */
export const defaultBaseUrl: Readonly<Record<LlmProvider, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com"
}
