import type { CrmAccess } from "@leadloom/core/internal/domain/crm/CrmGrant"
import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { type Effect, Option, type Redacted, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { maybe } from "../provider/Lenient.ts"
import { defaultVerdict, type Provider, type ProviderRequest, type ProviderResponse } from "../provider/Provider.ts"

/** The settings of the HighLevel app, which its marketplace page shows. */
export interface HighLevelConfig {
  /** The base URL of the API without a trailing slash; `defaultApiUrl` except in tests. */
  readonly apiUrl: string
  /**
   * The page on which owners choose a location and authorise this server. A white-labelled marketplace has its own
   * page.
   */
  readonly authorizeUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The redirect URI of the authorisation; must be identical to the one registered at the marketplace. */
  readonly redirectUri: string
}

export const defaultApiUrl = "https://services.leadconnectorhq.com"
export const defaultAuthorizeUrl = "https://marketplace.gohighlevel.com/v2/oauth/chooselocation"

/** The `Version` header. Every endpoint except the token endpoint requires it (official descriptions, 2026-06-19). */
export const contactsVersion = "2021-07-28"

/** The scopes that the app requests. */
export const scopes = ["contacts.readonly", "contacts.write", "workflows.readonly", "locations.readonly"]

/** The additional scopes for agencies: tokens of their locations, and the list of locations. */
export const agencyScopes = ["oauth.write", "oauth.readonly"]

/** Returns the app id, which is the part of the client id before the dash. The rest identifies the app's key. */
export const appIdOf = ({ clientId }: HighLevelConfig): string => clientId.split("-")[0] ?? clientId

/** Sends a request about a location with its token, subject to the rate limit of the location. */
export type RequestContacts = <S extends Schema.Decoder<unknown>>(
  access: CrmAccess,
  request: ProviderRequest,
  schema: S
) => Effect.Effect<S["Type"], ProviderFailure>

/** The wait in milliseconds after a 429 that states no wait. It equals the interval of HighLevel's rate limit. */
const defaultRetryMillis = 10_000

/** Returns the number in a header; null when the header is missing or invalid. */
export const numberIn = ({ headers }: ProviderResponse, name: string): number | null => {
  const text = headers[name]
  return text !== undefined && /^\d{1,7}$/u.test(text) ? Number(text) : null
}

/** Errors of the API and of OAuth (RFC 6749 section 5.2). `message` is a string or a list of strings. */
const readProblem = Schema.decodeUnknownOption(
  Schema.Struct({
    message: maybe(Schema.Union([Schema.String, Schema.Array(Schema.Unknown)])),
    error: maybe(Schema.String),
    error_description: maybe(Schema.String),
    traceId: maybe(Schema.String)
  })
)

/**
 * Returns the description of HighLevel for the provider client. Requests are never retried, because HighLevel has no
 * idempotency keys. Each request carries the token of a location.
 */
export const highLevelProvider = (
  { apiUrl, clientSecret }: HighLevelConfig,
  http: HttpClient.HttpClient
): Provider => ({
  service: "crm",
  name: "the CRM",
  http,
  baseUrl: apiUrl,
  // The provider has no credentials of its own: each request names the token of its location.
  authorize: (request) => request,
  secrets: [clientSecret],
  // The timeout is shorter than the lease of `withAccess`.
  timeoutMillis: 20_000,
  // The limit is enough for a contact with all its fields.
  maxBytes: 2 * 1_048_576,
  problemOf: (json, { status }) => {
    const problem = Option.getOrUndefined(readProblem(json))
    const message = problem?.message ?? null
    const said = Array.isArray(message) ? message.filter((each) => typeof each === "string").join("; ") : message
    const trace = problem?.traceId ?? ""
    const parts = [
      said ?? problem?.error_description ?? "",
      problem?.error ?? "",
      trace === "" ? "" : `(trace ${trace})`
    ]
    return { code: null, text: [String(status), ...parts.filter((part) => part !== "")].join(" ") }
  },
  verdictOf: (status, { text }) => {
    // HighLevel also answers 400 for unknown contacts.
    if (status === 400 && /not\s+found/iu.test(text)) return "Gone"
    return status === 403 ? "Refused" : defaultVerdict(status)
  },
  waitOf: (response) =>
    response.status === 429 ? (numberIn(response, "x-ratelimit-interval-milliseconds") ?? defaultRetryMillis) : null
})
