import {
  type HostedFailure,
  HostedGone,
  HostedRefused,
  HostedUnavailable,
  SignInExpired
} from "@leadloom/core/domain/email/HostedMail"
import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import { Option, Redacted, Schema } from "effect"
import { maybe } from "../http/Lenient.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"
import type { NylasConfig } from "./NylasConfig.ts"
import type { NylasAnswer, NylasRequestFailure } from "./NylasHttp.ts"

/** Errors have two formats: that of the API, and that of OAuth (RFC 6749 section 5.2) from `/connect/token`. */
const Problem = Schema.Struct({
  request_id: maybe(Schema.String),
  error: maybe(
    Schema.Union([Schema.String, Schema.Struct({ type: maybe(Schema.String), message: maybe(Schema.String) })])
  ),
  error_description: maybe(Schema.String)
})

/** Parses a response as JSON; none when it is not JSON. */
export const jsonOf = ({ body }: Pick<NylasAnswer, "body">): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return Option.none()
  }
}

/** The error in a response. */
export interface NylasWords {
  /** For example `invalid_request_error`, sometimes prefixed with `api.`. Empty when it is missing. */
  readonly type: string
  /** For people: status, type, message and the provider's request id. Limited in length; without the key. */
  readonly text: string
}

const maxDetailLength = 400

/** Reads the error in a response other than 2xx. Never throws. */
export const wordsOf = (config: NylasConfig, answer: NylasAnswer): NylasWords => {
  const problem = Option.getOrNull(Option.flatMap(jsonOf(answer), Schema.decodeUnknownOption(Problem)))
  const { error } = problem ?? {}
  const type = (typeof error === "string" ? error : error?.type) ?? ""
  const message = (typeof error === "string" || error === null ? null : error?.message) ?? problem?.error_description
  const clean = (text: string): string => redactSecrets([Redacted.value(config.apiKey)], text)
  const said = clean([type, message ?? ""].filter((part) => part !== "").join(": "))
  const request = clean(problem?.request_id ?? "")
  const parts = [String(answer.status), said.slice(0, maxDetailLength), request === "" ? "" : `(request ${request})`]
  const text = parts.filter((part) => part !== "").join(" ")
  return { type: type.replace(/^api\./u, ""), text: visibleLine(text).slice(0, maxDetailLength + 60) }
}

/** Returns whether the status indicates a temporary failure. */
export const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** 401 means an expired account or an invalid API key. The response does not distinguish them. */
export const signedOutReason = ({ status }: NylasAnswer, { text }: NylasWords): string =>
  status === 401 ? `${text}; an unknown or revoked API key causes the same error` : text

/** Maps a response other than 2xx to a failure. `what` names the requested object. */
export const failureOf = (config: NylasConfig, answer: NylasAnswer, what: string): HostedFailure => {
  const words = wordsOf(config, answer)
  const { status } = answer
  if (status === 401 || status === 403) return new SignInExpired({ reason: signedOutReason(answer, words) })
  if (status === 404) return new HostedGone({ what })
  return isTransient(status) ? new HostedUnavailable({ reason: words.text }) : new HostedRefused({ reason: words.text })
}

/** Maps a missing response to a failure of a read request. */
export const hostedFailureOf = ({ kind, reason }: NylasRequestFailure): HostedFailure =>
  kind === "oversized" ? new HostedRefused({ reason }) : new HostedUnavailable({ reason })
