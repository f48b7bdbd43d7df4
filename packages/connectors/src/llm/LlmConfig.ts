import type { Redacted } from "effect"

/** The supported APIs of language models. */
export const llmProviders = ["openai", "anthropic"] as const

/** `openai`: chat completions, which most servers support. `anthropic`: messages. */
export type LlmProvider = (typeof llmProviders)[number]

/** The settings of the language model. */
export interface LlmConfig {
  readonly provider: LlmProvider
  /** The base URL without a trailing slash, to which `/chat/completions` or `/v1/messages` is appended. */
  readonly baseUrl: string
  /** Null when the server needs no key. */
  readonly apiKey: Redacted.Redacted | null
  /** The provider's name of the model. */
  readonly model: string
  /** The timeout of one request. */
  readonly timeoutMillis: number
  /** The maximum number of concurrent requests. */
  readonly concurrency: number
  /** Whether the server may receive messages of HIPAA tenants. */
  readonly coversHipaa: boolean
}

/** The default base URLs. */
export const defaultBaseUrl: Readonly<Record<LlmProvider, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com"
}
