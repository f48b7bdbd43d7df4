import type { ProviderService } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Redacted } from "effect"
import type { HttpClient, HttpClientRequest } from "effect/http"

/** One request to a provider. */
export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** The path segments below the base URL, not yet encoded; or a complete URL of the provider. */
  readonly path: ReadonlyArray<string> | URL
  /** The text after the last segment, for example `.json`. */
  readonly extension?: string
  /** The name of the requested object in failures. */
  readonly what: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** The body, which is sent as JSON. */
  readonly json?: unknown
  /** The body, which is sent as a form. */
  readonly form?: URLSearchParams
  /** The body, which is sent as a form with files. */
  readonly multipart?: FormData
  /** A token instead of the provider's own credentials; null for a request without credentials. */
  readonly token?: Redacted.Redacted | null
  /** Secrets in the body. The client removes them from the provider's error messages. */
  readonly secrets?: ReadonlyArray<string>
  /**
   * - `read`: the request changes nothing, so a lost response leaves nothing undecided. Default for GET.
   * - `idempotent`: may be repeated, because the provider recognises a repetition by its idempotency key.
   * - `once`: must not be repeated after it may have arrived. Default for the other methods.
   */
  readonly effect?: "read" | "idempotent" | "once"
  /** The timeout and the size limit of this request. Default: those of the provider. */
  readonly timeoutMillis?: number
  readonly maxBytes?: number
}

/** A response, whatever its status. Header names are in lower case. */
export interface ProviderResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** The error in a response other than 2xx. */
export interface Problem {
  /** The provider's code; null when it is missing. */
  readonly code: string | null
  /** The error in words for people. The client removes secrets and control characters, and limits the length. */
  readonly text: string
}

/** The meaning of a response other than 2xx. `OutcomeUnknown` of a read becomes `Unavailable`. */
export type Verdict = "Refused" | "Unavailable" | "OutcomeUnknown" | "Gone" | "SignedOut"

/** A refusal in a 2xx response. */
export interface Refusal extends Problem {
  readonly verdict: Verdict
}

/** The retries within one request. Times are in milliseconds. */
export interface Retries {
  readonly attempts: number
  /** The wait before the second attempt. It doubles with each further attempt. */
  readonly pauseMillis: number
  /** The maximum wait. If the provider requests a longer wait, the request is not retried here. */
  readonly maxPauseMillis: number
  /** The time for all attempts. Default: unlimited. */
  readonly wholeMillis?: number
  /** Returns a random number from 0 to 1, which lengthens the waits. Default: always 0. */
  readonly jitter?: () => number
}

/** An external provider. */
export interface Provider {
  readonly service: ProviderService
  /** The subject of sentences in failures, such as "Twilio" or "the provider". */
  readonly name: string
  readonly http: HttpClient.HttpClient
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string
  /** Adds the provider's credentials to a request. */
  readonly authorize: (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest
  /** The secrets that the client removes from all texts of the provider. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly timeoutMillis: number
  readonly maxBytes: number
  /** Reads the error of a response. `json` is null when the body is not JSON. */
  readonly problemOf: (json: unknown, response: ProviderResponse) => Problem
  /** Returns the meaning of a response other than 2xx. Default: `defaultVerdict`. */
  readonly verdictOf?: (status: number, problem: Problem) => Verdict
  /**
   * For a provider that answers 2xx to requests that it refuses: reads the refusal of a 2xx response, or returns null
   * for an accepted request. The refusal then has the same consequences as an error status. It does not apply to
   * `stream`.
   */
  readonly readRefusal?: (json: unknown, response: ProviderResponse) => Refusal | null
  /** Retries of reads and idempotent requests. Default: none. */
  readonly retries?: Retries
  /** Returns the wait that a response requests, if the provider does not use a standard header. */
  readonly waitOf?: (response: ProviderResponse) => number | null
}

/** Returns the meaning of a status, unless a provider documents another meaning. */
export const defaultVerdict = (status: number): Verdict => {
  if (status === 401 || status === 403) return "SignedOut"
  if (status === 404) return "Gone"
  if (status === 429 || status === 503) return "Unavailable"
  return status === 408 || status >= 500 ? "OutcomeUnknown" : "Refused"
}
