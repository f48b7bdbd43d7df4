import { Option, type Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { maybe } from "../provider/Lenient.ts"
import type { Problem, Provider, Verdict } from "../provider/Provider.ts"

/** The supported APIs of language models. */
export const llmProviders = ["openai", "anthropic"] as const

/** `openai`: the chat completions API, which most servers support. `anthropic`: the messages API. */
export type LlmProvider = (typeof llmProviders)[number]

/** The settings of the language model. */
export interface LlmConfig {
  readonly provider: LlmProvider
  /** The base URL without a trailing slash. The path `/chat/completions` or `/v1/messages` is appended to it. */
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

/** Errors of OpenAI, compatible servers and Anthropic. Some servers send a string. */
const readProblem = Schema.decodeUnknownOption(
  Schema.Struct({
    error: maybe(
      Schema.Union([
        Schema.String,
        Schema.Struct({
          type: maybe(Schema.String),
          code: maybe(Schema.Union([Schema.String, Schema.Finite])),
          param: maybe(Schema.String),
          message: maybe(Schema.String)
        })
      ])
    ),
    message: maybe(Schema.String),
    detail: maybe(Schema.String)
  })
)

const exhausted = /\b(?:insufficient_quota|billing_hard_limit_reached|billing_error|billing_not_active)\b/u

const isTemporary = (status: number, code: string | null): boolean =>
  !exhausted.test(code ?? "") && (status === 408 || status === 409 || status === 429 || status >= 500)

/** Returns the meaning of a status and the next step, in words for people. */
const advice = (status: number, code: string | null): string => {
  if (isTemporary(status, code)) return status === 429 ? "it received too many requests" : "it has a temporary failure"
  if (status === 402 || exhausted.test(code ?? "")) return "the account at the provider has no credit left"
  if (status === 401 || status === 403) return "it rejects the key: correct LEADLOOM_LLM_API_KEY"
  if (status === 404) return "the model or the URL does not exist: correct LEADLOOM_LLM_MODEL or LEADLOOM_LLM_BASE_URL"
  if (status >= 300 && status < 400) return "it redirects to another URL: correct LEADLOOM_LLM_BASE_URL"
  return "it rejects the request"
}

/** `code` joins the type, the code and the parameter of an error, because servers fill these fields differently. */
const problemOf = (json: unknown, { status }: { readonly status: number }): Problem => {
  const problem = Option.getOrUndefined(readProblem(json))
  const error = problem?.error ?? null
  const { code, message, param, type } = error === null || typeof error === "string" ? { message: error } : error
  const kinds = [type ?? "", String(code ?? "")].filter((kind) => kind !== "")
  const words = message ?? problem?.message ?? problem?.detail ?? ""
  const codes = [...kinds, param ?? ""].filter((kind) => kind !== "").join(" ")
  const said = [String(status), kinds[0] ?? "", words].filter((part) => part !== "").join(" ")
  return { code: codes, text: `${advice(status, codes)} (${said})` }
}

/**
 * Returns the description of a model's server for the provider client. A question changes nothing on the server, so it
 * may be repeated.
 */
export const llmProvider = (
  { apiKey, baseUrl, timeoutMillis }: LlmConfig,
  http: HttpClient.HttpClient,
  jitter: () => number
): Provider => ({
  service: "model",
  name: "it",
  http,
  baseUrl,
  // The provider adds no credentials, because each dialect sends the key in a header of its own.
  authorize: HttpClientRequest.acceptJson,
  secrets: apiKey === null ? [] : [apiKey],
  timeoutMillis,
  // The limit is generous: valid responses have a few kilobytes.
  maxBytes: 1_048_576,
  problemOf,
  verdictOf: (status, { code }): Verdict => (isTemporary(status, code) ? "Unavailable" : "Refused"),
  retries: { attempts: 3, pauseMillis: 250, maxPauseMillis: 5_000, jitter }
})
