import { Option, type Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { maybe } from "../provider/Lenient.ts"
import { defaultVerdict, type Provider } from "../provider/Provider.ts"

/** The settings of the Nylas application, which its dashboard shows. */
export interface NylasConfig {
  /** The region of the application: `https://api.us.nylas.com` or `https://api.eu.nylas.com`. */
  readonly apiUrl: string
  /** Gives access to all accounts of the application. */
  readonly apiKey: Redacted.Redacted<string>
  readonly clientId: string
  /** The redirect URI after the sign-in; must be identical to the one registered for the application. */
  readonly redirectUri: string
}

/** Errors have two formats: that of the API, and that of OAuth (RFC 6749 section 5.2) from `/connect/token`. */
const readProblem = Schema.decodeUnknownOption(
  Schema.Struct({
    request_id: maybe(Schema.String),
    error: maybe(
      Schema.Union([Schema.String, Schema.Struct({ type: maybe(Schema.String), message: maybe(Schema.String) })])
    ),
    error_description: maybe(Schema.String)
  })
)

/**
 * Returns the description of Nylas for the provider client. Reads are retried once. Sends have no retries here, because
 * `NylasTransport` repeats them.
 */
export const nylasProvider = ({ apiKey, apiUrl }: NylasConfig, http: HttpClient.HttpClient): Provider => ({
  service: "mail",
  name: "the provider",
  http,
  baseUrl: `${apiUrl.replace(/(?<!\/)\/+$/u, "")}/v3`,
  authorize: HttpClientRequest.bearerToken(apiKey),
  secrets: [apiKey],
  timeoutMillis: 20_000,
  // The limit is enough for attachments of 25 MB.
  maxBytes: 26 * 1_048_576,
  problemOf: (json, { status }) => {
    const problem = Option.getOrUndefined(readProblem(json))
    const error = problem?.error ?? null
    const [type, message] = typeof error === "string" ? [error, null] : [error?.type ?? "", error?.message]
    const words = [type, message ?? problem?.error_description ?? ""].filter((part) => part !== "").join(": ")
    const request = problem?.request_id ? `(request ${problem.request_id})` : ""
    // An expired account and an invalid API key cause the same response.
    const doubt = status === 401 ? "; an unknown or revoked API key causes the same error" : ""
    const text = [String(status), words, request].filter((part) => part !== "").join(" ") + doubt
    return { code: type === "" ? null : type.replace(/^api\./u, ""), text }
  },
  verdictOf: (status) => (status === 408 || status >= 500 ? "Unavailable" : defaultVerdict(status)),
  retries: { attempts: 2, pauseMillis: 500, maxPauseMillis: 5_000 }
})
