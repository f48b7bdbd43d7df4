import {
  type LlmConfig,
  type LlmProvider,
  llmProviders,
  defaultBaseUrl
} from "@leadloom/connectors/internal/llm/LlmConfig"
import { Redacted } from "effect"
import { isHttpUrl, type Variables } from "./Variables.ts"

const isAnthropic = (baseUrl: string): boolean => URL.parse(baseUrl)?.hostname === "api.anthropic.com"

const providerOf = ({ choice }: Variables, baseUrl: string | null): LlmProvider =>
  choice("LEADLOOM_LLM_PROVIDER", llmProviders, baseUrl !== null && isAnthropic(baseUrl) ? "anthropic" : "openai")

/** Reads the settings of the language model; null if no model is configured. A self-hosted server needs no key. */
export const readLlm = (variables: Variables): LlmConfig | null => {
  const { flag, integer, secret, text, wrong } = variables
  const model = text("LEADLOOM_LLM_MODEL")
  const given = text("LEADLOOM_LLM_BASE_URL")
  const provider = providerOf(variables, given)
  const apiKey = secret("LEADLOOM_LLM_API_KEY")
  const timeoutSeconds = integer("LEADLOOM_LLM_TIMEOUT_SECONDS", 20, 1, 300)
  const concurrency = integer("LEADLOOM_LLM_CONCURRENCY", 8, 1, 1_000)
  const coversHipaa = flag("LEADLOOM_LLM_HIPAA")
  if (model === null) return null
  const baseUrl = (given ?? defaultBaseUrl[provider]).replace(/(?<!\/)\/+$/u, "")
  if (!isHttpUrl(baseUrl)) {
    return wrong("LEADLOOM_LLM_BASE_URL", `must have the form ${defaultBaseUrl.openai}, without a password.`, null)
  }
  if (apiKey === null && (baseUrl === defaultBaseUrl.openai || isAnthropic(baseUrl))) {
    return wrong("LEADLOOM_LLM_API_KEY", `is missing. ${baseUrl} requires an API key.`, null)
  }
  if (apiKey !== null && !/^[\x21-\x7e]+$/u.test(apiKey)) {
    return wrong("LEADLOOM_LLM_API_KEY", "contains characters that are invalid in a header.", null)
  }
  return {
    provider,
    baseUrl,
    apiKey: apiKey === null ? null : Redacted.make(apiKey),
    model,
    timeoutMillis: timeoutSeconds * 1_000,
    concurrency,
    coversHipaa
  }
}
