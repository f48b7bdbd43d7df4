import type { ProviderService } from "@leadloom/core/domain/provider/ProviderFailure"
import type { Redacted } from "effect"
import type { HttpClient, HttpClientRequest } from "effect/http"

/** One request to a provider. */
export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** Path segments below the base URL, not yet encoded, or a complete URL of the provider. */
  readonly path: ReadonlyArray<string> | URL
  /** Follows the last segment, for example `.json`. */
  readonly extension?: string
  /** Names the requested object in failures. */
  readonly what: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as a form. */
  readonly form?: URLSearchParams
  /** A token instead of the provider's own credentials; null for a request without credentials. */
  readonly token?: Redacted.Redacted | null
  /** Secrets in the body, to be removed from the provider's error messages. */
  readonly secrets?: ReadonlyArray<string>
  /**
   * - `read`: no effect, so a lost response means only that nothing is known. Default for GET.
   * - `idempotent`: may be repeated, because the provider recognises a repetition by its idempotency key.
   * - `once`: must not be repeated after it may have arrived. Default for the other methods.
   */
  readonly effect?: "read" | "idempotent" | "once"
  /** Default: those of the provider. */
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
  /** For people. The client removes secrets and control characters and bounds the length. */
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
  /** The wait before the second attempt; it doubles. */
  readonly pauseMillis: number
  /** A provider that requests a longer wait receives no retry here. */
  readonly maxPauseMillis: number
  /** The time for all attempts. Default: unlimited. */
  readonly wholeMillis?: number
  /** A random number from 0 to 1 that lengthens waits up to twice. Default: always 0. */
  readonly jitter?: () => number
}

/** An external provider. */
export interface Provider {
  readonly service: ProviderService
  /** The subject of failures: "Twilio", "the provider". */
  readonly name: string
  readonly http: HttpClient.HttpClient
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Adds the credentials. */
  readonly authorize: (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest
  /** Removed from all texts of the provider. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly timeoutMillis: number
  readonly maxBytes: number
  /** Reads the error of a response; `json` is null when the body is not JSON. */
  readonly problemOf: (json: unknown, response: ProviderResponse) => Problem
  /** Default: `defaultVerdict`. */
  readonly verdictOf?: (status: number, problem: Problem) => Verdict
  /**
   * For a provider that answers 2xx to requests that it refuses: reads the refusal of a 2xx response, or returns null
   * for an accepted request. The refusal then has the same consequences as an error status. It does not apply to
   * `stream`.
   */
  readonly readRefusal?: (json: unknown, response: ProviderResponse) => Refusal | null
  /** Retries of reads and idempotent requests. Default: none. */
  readonly retries?: Retries
  /** The wait that a response requests, where it is not in a standard header. */
  readonly waitOf?: (response: ProviderResponse) => number | null
}

/** The meaning of a status, unless a provider documents another one. */
export const defaultVerdict = (status: number): Verdict => {
  if (status === 401 || status === 403) return "SignedOut"
  if (status === 404) return "Gone"
  if (status === 429 || status === 503) return "Unavailable"
  return status === 408 || status >= 500 ? "OutcomeUnknown" : "Refused"
}
