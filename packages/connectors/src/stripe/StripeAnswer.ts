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

/** The answer as JSON; none when it is not. */
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

/** How a request has gone, of which the last answer was no yes. */
export interface Refusal {
  readonly answer: StripeAnswer
  /** It changes something, and an attempt before this one may have reached its end. */
  readonly mayBeDone: boolean
}

/** What an answer says is wrong, on one line, without the key. Total. */
export const wordsOf = (config: StripeConfig, answer: StripeAnswer): string => {
  const problem = problemOf(answer)
  const said = [problem?.code ?? problem?.type, problem?.message].filter((part) => typeof part === "string").join(": ")
  const clean = redactSecrets([Redacted.value(config.secretKey)], said)
  return visibleLine(`${answer.status} ${clean.slice(0, maxDetailLength)}`).trim()
}

/**
 * What an answer that is no yes means; `what` is what was asked for. Stripe says of 5xx that the outcome of a request that
 * changes something is unknown until it is asked again under the same key.
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
