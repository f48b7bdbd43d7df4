import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import type { HostedProvider } from "@leadloom/core/internal/domain/email/HostedMail"
import {
  type ProviderFailure,
  refused,
  signedOut,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Egress } from "@leadloom/core/internal/port/system/Egress"
import { Effect, Result } from "effect"
import * as oauth from "oauth4webapi"
import { redactSecrets } from "../provider/RedactSecrets.ts"

/** The timeout of a request to a provider, in milliseconds. */
const timeoutMillis = 15_000
/** The maximum size of a response in bytes. Those of Google and Microsoft have up to 8 kB. */
const maxResponseBytes = 65_536
/** The maximum length of a quoted description, in characters. */
const maxQuoteLength = 300

export const providerTitles: Readonly<Record<HostedProvider, string>> = { google: "Google", microsoft: "Microsoft" }

/** A request to a provider failed before its response. */
class RequestFailed extends Error {
  readonly failure: ProviderFailure

  constructor(failure: ProviderFailure) {
    super(failure.message)
    this.failure = failure
  }
}

const statusFailure = (title: string, status: number, retryAfter: string | null): ProviderFailure => {
  const seconds = Number(retryAfter ?? Number.NaN)
  const retryAfterMillis = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 86_400) * 1_000 : null
  return unavailable("mail", `${title} answers ${status}`, { code: String(status), retryAfterMillis })
}

/** The methods of `fetch` that the library uses, through `Egress`. A redirect is a response like any other. */
export const fetchThrough =
  (egress: Egress["Service"], title: string) =>
  async (url: string, options: oauth.CustomFetchOptions<"POST", URLSearchParams>): Promise<Response> => {
    const body = options.body.toString()
    const request = { url, headers: options.headers, body, timeoutMillis, maxResponseBytes }
    const answer = await Effect.runPromise(Effect.result(egress.post(request)))
    if (Result.isFailure(answer)) {
      const { failure } = answer
      const detail = failure._tag === "EgressFailed" ? failure.kind : failure.reason
      throw new RequestFailed(unavailable("mail", `${title} did not respond: ${detail}`))
    }
    const { headers, status } = answer.success
    if (status >= 500 || status === 429 || status === 408)
      throw new RequestFailed(statusFailure(title, status, headers["retry-after"] ?? null))
    return new Response(Uint8Array.from(answer.success.body), { status, headers: { ...headers } })
  }

/** The errors with which a provider reports that the owner must sign in again (RFC 6749, OpenID Connect Core 3.1.2.6). */
const ownersErrors = new Set(["invalid_grant", "interaction_required", "consent_required", "login_required"])

/** The errors of the OAuth response that a retry may correct. */
const temporaryErrors = new Set(["temporarily_unavailable", "server_error"])

/** What a request is for: a sign-in that a person waits for, or a renewal. */
export type TokenRequest = "exchange" | "refresh" | "revoke"

/** Maps an OAuth error response. A rejected client is the operator's problem, so no owner has to sign in again. */
const errorFailure = (title: string, kind: TokenRequest, code: string, detail: string): ProviderFailure => {
  if (ownersErrors.has(code) && kind !== "exchange") return signedOut("mail", detail)
  if (kind === "exchange" && !["invalid_client", "unauthorized_client"].includes(code) && !temporaryErrors.has(code))
    return refused("mail", detail, { code })
  return unavailable("mail", `${detail}. Check the client of this server at ${title}`, { code })
}

const quote = (text: string, secrets: ReadonlyArray<string>): string =>
  visibleLine(redactSecrets(secrets, text)).slice(0, maxQuoteLength)

/** Maps an error of the library. Its messages name the invalid part of a response, and quote no value. */
export const failureOf = (
  error: unknown,
  provider: HostedProvider,
  kind: TokenRequest,
  secrets: ReadonlyArray<string>
): ProviderFailure => {
  const title = providerTitles[provider]
  if (error instanceof RequestFailed) return error.failure
  if (error instanceof oauth.ResponseBodyError) {
    const description = quote(error.error_description ?? "", secrets)
    const code = quote(error.error, secrets)
    return errorFailure(
      title,
      kind,
      error.error,
      `${title} answers ${code}${description === "" ? "" : `: ${description}`}`
    )
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return unavailable("mail", `${title} rejects the client of this server. Check its id and secret`)
  const reason = error instanceof Error ? quote(error.message, secrets) : "unknown error"
  const detail = `the response of ${title} is not valid: ${reason}`
  return kind === "exchange" ? refused("mail", detail) : unavailable("mail", detail)
}
