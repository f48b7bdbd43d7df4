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

/** Errors come in two shapes: those of the API, and those of OAuth (RFC 6749 section 5.2) from `/connect/token`. */
const Problem = Schema.Struct({
  request_id: maybe(Schema.String),
  error: maybe(
    Schema.Union([Schema.String, Schema.Struct({ type: maybe(Schema.String), message: maybe(Schema.String) })])
  ),
  error_description: maybe(Schema.String)
})

/** The answer as JSON; none when it is not. */
export const jsonOf = ({ body }: Pick<NylasAnswer, "body">): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return Option.none()
  }
}

/** What an answer says is wrong. */
export interface NylasWords {
  /** `invalid_request_error` and so on; some come with `api.` before them. Empty when it is not said. */
  readonly type: string
  /** For people: status, kind, message, the id under which the provider finds the request. Bounded, without the key. */
  readonly text: string
}

const maxDetailLength = 400

/** Reads what is wrong out of an answer that is not 2xx. Total. */
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

/** Whether the provider asks for patience, or is ill. */
export const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** 401 has two causes that look the same, and only the operator knows which. */
export const signedOutReason = ({ status }: NylasAnswer, { text }: NylasWords): string =>
  status === 401 ? `${text}; an API key that the provider does not know (any more) is answered the same` : text

/** What an answer that is not 2xx means; `what` is what was asked for. */
export const failureOf = (config: NylasConfig, answer: NylasAnswer, what: string): HostedFailure => {
  const words = wordsOf(config, answer)
  const { status } = answer
  if (status === 401 || status === 403) return new SignInExpired({ reason: signedOutReason(answer, words) })
  if (status === 404) return new HostedGone({ what })
  return isTransient(status) ? new HostedUnavailable({ reason: words.text }) : new HostedRefused({ reason: words.text })
}

/** What no answer means to somebody who only reads. */
export const hostedFailureOf = ({ kind, reason }: NylasRequestFailure): HostedFailure =>
  kind === "oversized" ? new HostedRefused({ reason }) : new HostedUnavailable({ reason })
