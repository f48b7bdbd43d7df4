import { Schema } from "effect"
import { maxMessageLength, shorten, shortenIssues } from "./Echo.ts"
import { envelopeTexts, type ErrorName, type ErrorText, errorTexts } from "./ErrorTexts.ts"

/** One invalid field of a request. */
export const FieldIssue = Schema.Struct({
  path: Schema.String.annotate({ description: "The path of the field, joined with dots; empty for the whole body" }),
  message: Schema.String.annotate({ description: "The expected value, for people" })
}).annotate({ identifier: "FieldIssue", description: "One invalid field of a request" })

const envelope = <const Code extends string, D extends Schema.Top>(name: ErrorName, code: Code, details: D) => {
  const about: ErrorText = errorTexts[name]
  return Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code).annotate({ description: envelopeTexts.code }),
      message: Schema.String.annotate({ description: envelopeTexts.message }),
      details: Schema.optionalKey(details).annotate({ description: about.details ?? envelopeTexts.details })
    }).annotate({ description: envelopeTexts.error })
  }).annotate({ identifier: `${name}Error`, description: about.meaning })
}

/** Limits the length of a message, because a message may repeat content of the request. */
const bounded = (message: string): string => shorten(message, maxMessageLength)

const Details = Schema.Record(Schema.String, Schema.Json)

/** The request does not match the contract. `details` lists the invalid fields. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  envelope("BadRequest", "BAD_REQUEST", Schema.Array(FieldIssue)),
  { httpApiStatus: 400 }
) {
  get _tag() {
    return "BadRequest" as const
  }
  static of = (message: string, details?: ReadonlyArray<{ readonly path: string; readonly message: string }>) =>
    new BadRequest({
      error: {
        code: "BAD_REQUEST",
        message: bounded(message),
        ...(details === undefined ? {} : { details: shortenIssues(details) })
      }
    })
}

/** The credential is missing, unknown or expired. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  envelope("Unauthorized", "UNAUTHORIZED", Details),
  { httpApiStatus: 401 }
) {
  get _tag() {
    return "Unauthorized" as const
  }
  static of = (message: string) => new Unauthorized({ error: { code: "UNAUTHORIZED", message } })
}

/** The credential is valid but lacks the permission. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(envelope("Forbidden", "FORBIDDEN", Details), {
  httpApiStatus: 403
}) {
  get _tag() {
    return "Forbidden" as const
  }
  static of = (message: string) => new Forbidden({ error: { code: "FORBIDDEN", message } })
}

/** HIPAA tenants cannot use email. */
export class HipaaRestricted extends Schema.Error<HipaaRestricted>("HipaaRestricted")(
  envelope("HipaaRestricted", "HIPAA_RESTRICTED", Details),
  { httpApiStatus: 403 }
) {
  get _tag() {
    return "HipaaRestricted" as const
  }
  static of = (message = "Email is not available to a HIPAA-enabled tenant.") =>
    new HipaaRestricted({ error: { code: "HIPAA_RESTRICTED", message } })
}

/** The tenant's plan does not include this operation. `details` names a plan with this operation. */
export class PlanRestricted extends Schema.Error<PlanRestricted>("PlanRestricted")(
  envelope("PlanRestricted", "PLAN_RESTRICTED", Details),
  { httpApiStatus: 403 }
) {
  get _tag() {
    return "PlanRestricted" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new PlanRestricted({ error: { code: "PLAN_RESTRICTED", message, details } })
}

/**
 * The object does not exist or belongs to another tenant. If another object has replaced it, `details` names that
 * object.
 */
export class NotFound extends Schema.Error<NotFound>("NotFound")(
  envelope("NotFound", "NOT_FOUND", Schema.Array(FieldIssue)),
  {
    httpApiStatus: 404
  }
) {
  get _tag() {
    return "NotFound" as const
  }
  static of = (message: string, details?: ReadonlyArray<typeof FieldIssue.Type>) =>
    new NotFound({
      error: {
        code: "NOT_FOUND",
        message: bounded(message),
        ...(details === undefined ? {} : { details: shortenIssues(details) })
      }
    })
}

/** The request conflicts with the current state. `details` describes the conflict. */
export class Conflict extends Schema.Error<Conflict>("Conflict")(envelope("Conflict", "CONFLICT", Details), {
  httpApiStatus: 409
}) {
  get _tag() {
    return "Conflict" as const
  }
  static of = (message: string, details?: Record<string, Schema.Json>) =>
    new Conflict({
      error: { code: "CONFLICT", message: bounded(message), ...(details === undefined ? {} : { details }) }
    })
}

/** The `Idempotency-Key` was already used with another request. */
export class IdempotencyConflict extends Schema.Error<IdempotencyConflict>("IdempotencyConflict")(
  envelope("IdempotencyConflict", "IDEMPOTENCY_CONFLICT", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "IdempotencyConflict" as const
  }
  static of = (message: string) => new IdempotencyConflict({ error: { code: "IDEMPOTENCY_CONFLICT", message } })
}

/** The first request with this `Idempotency-Key` is still in progress. */
export class IdempotencyInProgress extends Schema.Error<IdempotencyInProgress>("IdempotencyInProgress")(
  envelope("IdempotencyInProgress", "IDEMPOTENCY_IN_PROGRESS", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "IdempotencyInProgress" as const
  }
  static of = (message: string) => new IdempotencyInProgress({ error: { code: "IDEMPOTENCY_IN_PROGRESS", message } })
}

/** The errors of every endpoint that accepts an `Idempotency-Key`. */
export const keyErrors = [IdempotencyConflict, IdempotencyInProgress] as const

/** The tenant already has a connected email account. */
export class ConnectionExists extends Schema.Error<ConnectionExists>("ConnectionExists")(
  envelope("ConnectionExists", "CONNECTION_EXISTS", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "ConnectionExists" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new ConnectionExists({ error: { code: "CONNECTION_EXISTS", message: bounded(message), details } })
}

/** The login to a mailbox failed. `details` names the server and the problem, and quotes the server's response. */
export class MailboxLoginFailed extends Schema.Error<MailboxLoginFailed>("MailboxLoginFailed")(
  envelope("MailboxLoginFailed", "MAILBOX_LOGIN_FAILED", Details),
  { httpApiStatus: 400 }
) {
  get _tag() {
    return "MailboxLoginFailed" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new MailboxLoginFailed({ error: { code: "MAILBOX_LOGIN_FAILED", message: bounded(message), details } })
}

/** The provider rejected the request permanently. The message contains the provider's reason. */
export class ProviderError extends Schema.Error<ProviderError>("ProviderError")(
  envelope("ProviderError", "PROVIDER_ERROR", Details),
  { httpApiStatus: 502 }
) {
  get _tag() {
    return "ProviderError" as const
  }
  static of = (message: string) => new ProviderError({ error: { code: "PROVIDER_ERROR", message: bounded(message) } })
}

/** The tenant has reached its maximum number of active API keys. */
export class KeyLimitReached extends Schema.Error<KeyLimitReached>("KeyLimitReached")(
  envelope("KeyLimitReached", "KEY_LIMIT_REACHED", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "KeyLimitReached" as const
  }
  static of = (message: string) => new KeyLimitReached({ error: { code: "KEY_LIMIT_REACHED", message } })
}

/** The current version differs from the version in `If-Match`. `details` contains the current version. */
export class PreconditionFailed extends Schema.Error<PreconditionFailed>("PreconditionFailed")(
  envelope("PreconditionFailed", "PRECONDITION_FAILED", Details),
  { httpApiStatus: 412 }
) {
  get _tag() {
    return "PreconditionFailed" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new PreconditionFailed({ error: { code: "PRECONDITION_FAILED", message: bounded(message), details } })
}

/** A guardrail of the tenant blocks this text. `details` names the guardrail. */
export class GuardrailBlocked extends Schema.Error<GuardrailBlocked>("GuardrailBlocked")(
  envelope("GuardrailBlocked", "GUARDRAIL_BLOCKED", Details),
  { httpApiStatus: 422 }
) {
  get _tag() {
    return "GuardrailBlocked" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new GuardrailBlocked({ error: { code: "GUARDRAIL_BLOCKED", message: bounded(message), details } })
}

/** The scanner has found malware in the uploaded file. `details` names the malware. */
export class FileInfected extends Schema.Error<FileInfected>("FileInfected")(
  envelope("FileInfected", "FILE_INFECTED", Details),
  { httpApiStatus: 422 }
) {
  get _tag() {
    return "FileInfected" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new FileInfected({ error: { code: "FILE_INFECTED", message: bounded(message), details } })
}

/** The contact may not be called, or not at this time. `details` lists all reasons. */
export class CallNotAllowed extends Schema.Error<CallNotAllowed>("CallNotAllowed")(
  envelope("CallNotAllowed", "CALL_NOT_ALLOWED", Details),
  { httpApiStatus: 422 }
) {
  get _tag() {
    return "CallNotAllowed" as const
  }
  static of = (message: string, details: Record<string, Schema.Json>) =>
    new CallNotAllowed({ error: { code: "CALL_NOT_ALLOWED", message: bounded(message), details } })
}

/** The body exceeds the limit of this endpoint. */
export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  envelope("PayloadTooLarge", "PAYLOAD_TOO_LARGE", Details),
  { httpApiStatus: 413 }
) {
  get _tag() {
    return "PayloadTooLarge" as const
  }
  static of = (message: string) => new PayloadTooLarge({ error: { code: "PAYLOAD_TOO_LARGE", message } })
}

/** A rate limit is exceeded. `Retry-After` contains the waiting time in seconds. */
export class RateLimited extends Schema.Error<RateLimited>("RateLimited")(
  envelope("RateLimited", "RATE_LIMITED", Details),
  { httpApiStatus: 429 }
) {
  get _tag() {
    return "RateLimited" as const
  }
  static of = (retryAfterSeconds: number) =>
    new RateLimited({
      error: { code: "RATE_LIMITED", message: `Too many requests. Try again in ${retryAfterSeconds} s.` }
    })
}

/** The tenant has used all actions that its plan includes per month. */
export class UsageLimitReached extends Schema.Error<UsageLimitReached>("UsageLimitReached")(
  envelope("UsageLimitReached", "USAGE_LIMIT_REACHED", Details),
  { httpApiStatus: 429 }
) {
  get _tag() {
    return "UsageLimitReached" as const
  }
  static of = (message: string) => new UsageLimitReached({ error: { code: "USAGE_LIMIT_REACHED", message } })
}

/** The tenant has used all model calls that its plan includes per month. */
export class AiLimitReached extends Schema.Error<AiLimitReached>("AiLimitReached")(
  envelope("AiLimitReached", "AI_LIMIT_REACHED", Details),
  { httpApiStatus: 429 }
) {
  get _tag() {
    return "AiLimitReached" as const
  }
  static of = (message: string) => new AiLimitReached({ error: { code: "AI_LIMIT_REACHED", message } })
}

/** A required dependency is not configured, or does not answer at the moment. */
export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(
  envelope("ServiceUnavailable", "SERVICE_UNAVAILABLE", Details),
  { httpApiStatus: 503 }
) {
  get _tag() {
    return "ServiceUnavailable" as const
  }
  static of = (message: string) =>
    new ServiceUnavailable({ error: { code: "SERVICE_UNAVAILABLE", message: bounded(message) } })
}

/** The failure of a standalone action. The specification defines this separate envelope. */
export class ActionFailed extends Schema.Error<ActionFailed>("ActionFailed")(
  Schema.Struct({
    success: Schema.Literal(false).annotate({ description: "Always false" }),
    error: Schema.String.annotate({ description: "The reason for people" })
  }).annotate({ identifier: "ActionFailure", description: "The failure of an action" }),
  { httpApiStatus: 400 }
) {
  get _tag() {
    return "ActionFailed" as const
  }
  static of = (error: string) => new ActionFailed({ success: false, error: shorten(error, maxMessageLength * 4) })
}

/** The error codes of the HTTP layer, for requests that reach no endpoint. */
export const transportCodes = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "RATE_LIMITED",
  500: "INTERNAL",
  503: "SERVICE_UNAVAILABLE"
} as const
