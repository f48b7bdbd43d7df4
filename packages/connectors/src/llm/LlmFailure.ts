import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import { Data, Option, Redacted, Schema } from "effect"
import { maybe } from "../http/Lenient.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"
import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import type { LlmConfig } from "./LlmConfig.ts"
import type { LlmAnswer, LlmRequestFailure } from "./LlmHttp.ts"

/** The failure of one request. */
export class LlmFailure extends Data.TaggedError("LlmFailure")<{
  /** The reason and the next step, for people. Without the key. */
  readonly reason: string
  /** A later request may succeed. */
  readonly later: boolean
  /** The server is failing for all requests. */
  readonly outage: boolean
  /** The same request may be repeated immediately. */
  readonly again: boolean
  /** The wait that the server requests; null when it requests none. */
  readonly retryAfterMillis: number | null
  /** The message of a 400 in lower case, and its code; null for other failures. */
  readonly complaint: { readonly code: string; readonly words: string } | null
}> {}

/** Errors of OpenAI, compatible servers and Anthropic. Some servers send a string. */
const Problem = Schema.Struct({
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

const maxDetailLength = 300
/** One day; a longer wait is probably a wrong unit. */
const maxRetryAfterMillis = 86_400_000

interface Words {
  readonly kinds: ReadonlyArray<string>
  readonly param: string
  readonly message: string
}

const wordsOf = (config: LlmConfig, { json }: LlmAnswer): Words => {
  const problem = Option.getOrNull(Schema.decodeUnknownOption(Problem)(json))
  const error = problem?.error ?? null
  const said = typeof error === "string" ? { message: error } : (error ?? {})
  const { code, message, param, type } = { type: null, code: null, param: null, ...said }
  const clean = (text: string): string =>
    visibleLine(redactSecrets(config.apiKey === null ? [] : [Redacted.value(config.apiKey)], text)).slice(
      0,
      maxDetailLength
    )
  return {
    kinds: [type, code].flatMap((kind) => (kind === null ? [] : [clean(String(kind))])),
    param: clean(param ?? ""),
    message: clean(message ?? problem?.message ?? problem?.detail ?? "")
  }
}

/**
 * Returns the requested wait. OpenAI's `retry-after-ms` is more precise than `Retry-After`. Implausible values are
 * ignored.
 */
const requestedWait = ({ headers }: LlmAnswer, now: number): number | null => {
  const fine = Number(headers["retry-after-ms"] ?? Number.NaN)
  const wait = Number.isFinite(fine) ? fine : retryAfterMillis(headers["retry-after"] ?? null, now)
  return wait !== null && wait >= 0 && wait <= maxRetryAfterMillis ? wait : null
}

const exhausted = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_error", "billing_not_active"])

/** Returns the next step after a permanent refusal. */
const advice = (status: number, { kinds }: Words): string => {
  if (status === 402 || kinds.some((kind) => exhausted.has(kind)))
    return "the account at the provider has no credit left"
  if (status === 401 || status === 403) return "it rejects the key: correct LEADLOOM_LLM_API_KEY"
  if (status === 404) return "the model or the URL does not exist: correct LEADLOOM_LLM_MODEL or LEADLOOM_LLM_BASE_URL"
  if (status >= 300 && status < 400) return "it redirects to another URL: correct LEADLOOM_LLM_BASE_URL"
  return "it rejects the request"
}

const said = (status: number, { kinds, message }: Words): string =>
  [String(status), kinds[0] ?? "", message].filter((part) => part !== "").join(" ")

/** Maps a response other than 2xx to a failure. */
export const llmFailureOf = (config: LlmConfig, answer: LlmAnswer, now: number): LlmFailure => {
  const { headers, status } = answer
  const words = wordsOf(config, answer)
  const spent = words.kinds.some((kind) => exhausted.has(kind))
  const passing = !spent && (status === 408 || status === 409 || status === 429 || status >= 500)
  const hint = headers["x-should-retry"]
  const complains = status === 400 || status === 422
  const what = passing
    ? status === 429
      ? "it received too many requests"
      : "it has a temporary failure"
    : advice(status, words)
  return new LlmFailure({
    reason: `${what} (${said(status, words)})`,
    later: passing,
    outage: passing && status !== 409 && status !== 429,
    again: passing && hint !== "false",
    retryAfterMillis: passing ? requestedWait(answer, now) : null,
    complaint: complains
      ? { code: words.kinds.join(" "), words: `${words.param} ${words.message}`.toLowerCase() }
      : null
  })
}

/**
 * Maps a missing response to a failure. A timeout is not retried, because the caller has already waited long enough.
 */
export const llmFailureOfRequest = ({ kind, reason }: LlmRequestFailure): LlmFailure =>
  new LlmFailure({
    reason,
    later: kind !== "oversized",
    outage: kind !== "oversized",
    again: kind === "unsent" || kind === "lost",
    retryAfterMillis: null,
    complaint: null
  })

/** Returns a failure that the same question would cause again. */
export const permanentFailure = (reason: string): LlmFailure =>
  new LlmFailure({ reason, later: false, outage: false, again: false, retryAfterMillis: null, complaint: null })
