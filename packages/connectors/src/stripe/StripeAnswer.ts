import {
  type PaymentsFailure,
  PaymentsGone,
  PaymentsKeyInUse,
  PaymentsKeyReused,
  PaymentsRefused,
  PaymentsUnavailable,
  PaymentsUncertain
} from "@leadloom/core/domain/billing/Payment"
import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import { Option, Redacted, Schema } from "effect"
import { maybe } from "../http/Lenient.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"
import type { StripeConfig } from "./StripeConfig.ts"
import type { StripeAnswer } from "./StripeHttp.ts"

const Problem = Schema.Struct({
  error: Schema.Struct({
    type: maybe(Schema.String),
    code: maybe(Schema.String),
    message: maybe(Schema.String),
    param: maybe(Schema.String)
  })
})

/** Parses a response as JSON; none when it is not JSON. */
export const jsonOf = ({ body }: Pick<StripeAnswer, "body">): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return Option.none()
  }
}

const problemOf = (answer: StripeAnswer): (typeof Problem.Type)["error"] | undefined =>
  Option.getOrUndefined(Option.flatMap(jsonOf(answer), Schema.decodeUnknownOption(Problem)))?.error

const maxDetailLength = 400

/** The result of a request whose last response was not 2xx. */
export interface Refusal {
  readonly answer: StripeAnswer
  /** Whether the request changes data and an earlier attempt may have succeeded. */
  readonly mayBeDone: boolean
}

/** Returns the error in a response on one line, without the key. Never throws. */
export const wordsOf = (config: StripeConfig, answer: StripeAnswer): string => {
  const problem = problemOf(answer)
  const said = [problem?.code ?? problem?.type, problem?.message].filter((part) => typeof part === "string").join(": ")
  const clean = redactSecrets([Redacted.value(config.secretKey)], said)
  return visibleLine(`${answer.status} ${clean.slice(0, maxDetailLength)}`).trim()
}

/**
 * Maps a response other than 2xx to a failure. `what` names the requested object. According to Stripe, a write that
 * receives 5xx has an unknown outcome until it is repeated with the same key.
 */
export const failureOf = (config: StripeConfig, { answer, mayBeDone }: Refusal, what: string): PaymentsFailure => {
  const { status } = answer
  const problem = problemOf(answer)
  const words = wordsOf(config, answer)
  if (problem?.type === "idempotency_error" && status !== 409) return new PaymentsKeyReused()
  if (mayBeDone) return new PaymentsUncertain({ reason: words })
  if (status === 409 && problem?.code === "idempotency_key_in_use") return new PaymentsKeyInUse()
  if (status === 409 || status === 429 || status >= 500) return new PaymentsUnavailable({ reason: words })
  if (status === 404 || problem?.code === "resource_missing") return new PaymentsGone({ what: problem?.param ?? what })
  return new PaymentsRefused({ reason: words })
}
