import { Schema } from "effect"
import { maxMessageLength, shorten, shortenIssues } from "./Echo.ts"

/** One failing field of a request. */
export const FieldIssue = Schema.Struct({
  /** Where the field is, joined with dots; empty for the body as a whole. */
  path: Schema.String,
  message: Schema.String
}).annotate({ identifier: "FieldIssue" })

const envelope = <const Code extends string, D extends Schema.Top>(name: string, code: Code, details: D) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String,
      details: Schema.optionalKey(details)
    })
  }).annotate({ identifier: `${name}Error` })

/** The message of one response. It may repeat a part of the request, and has a limit all the same. */
const bounded = (message: string): string => shorten(message, maxMessageLength)

const Details = Schema.Record(Schema.String, Schema.Json)

/** The request does not match the contract; `details` names the fields. */
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

/** No credential, or one that nobody here issued. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  envelope("Unauthorized", "UNAUTHORIZED", Details),
  { httpApiStatus: 401 }
) {
  get _tag() {
    return "Unauthorized" as const
  }
  static of = (message: string) => new Unauthorized({ error: { code: "UNAUTHORIZED", message } })
}

/** A valid credential without the right. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(envelope("Forbidden", "FORBIDDEN", Details), {
  httpApiStatus: 403
}) {
  get _tag() {
    return "Forbidden" as const
  }
  static of = (message: string) => new Forbidden({ error: { code: "FORBIDDEN", message } })
}

/** Email is closed to HIPAA tenants. */
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

/** The tenant's plan does not include this; `details` says which one does. */
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

/** Nothing of that name here, or it belongs to somebody else. `details`: where it went, as far as that is known. */
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

/** The request contradicts what is there; `details` says with what. */
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

/** The same `Idempotency-Key` came before with another request. */
export class IdempotencyConflict extends Schema.Error<IdempotencyConflict>("IdempotencyConflict")(
  envelope("IdempotencyConflict", "IDEMPOTENCY_CONFLICT", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "IdempotencyConflict" as const
  }
  static of = (message: string) => new IdempotencyConflict({ error: { code: "IDEMPOTENCY_CONFLICT", message } })
}

/** The first request under this `Idempotency-Key` has not been answered yet. */
export class IdempotencyInProgress extends Schema.Error<IdempotencyInProgress>("IdempotencyInProgress")(
  envelope("IdempotencyInProgress", "IDEMPOTENCY_IN_PROGRESS", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "IdempotencyInProgress" as const
  }
  static of = (message: string) => new IdempotencyInProgress({ error: { code: "IDEMPOTENCY_IN_PROGRESS", message } })
}

/** What an endpoint that knows `Idempotency-Key` may answer because of one. */
export const keyErrors = [IdempotencyConflict, IdempotencyInProgress] as const

/** The tenant has a connected email account already. */
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

/** The provider behind this refused for good; the message says what it said. */
export class ProviderError extends Schema.Error<ProviderError>("ProviderError")(
  envelope("ProviderError", "PROVIDER_ERROR", Details),
  { httpApiStatus: 502 }
) {
  get _tag() {
    return "ProviderError" as const
  }
  static of = (message: string) => new ProviderError({ error: { code: "PROVIDER_ERROR", message: bounded(message) } })
}

/** The tenant holds as many active API keys as it may. */
export class KeyLimitReached extends Schema.Error<KeyLimitReached>("KeyLimitReached")(
  envelope("KeyLimitReached", "KEY_LIMIT_REACHED", Details),
  { httpApiStatus: 409 }
) {
  get _tag() {
    return "KeyLimitReached" as const
  }
  static of = (message: string) => new KeyLimitReached({ error: { code: "KEY_LIMIT_REACHED", message } })
}

/** What the request was made for (`If-Match`) is not how things stand; `details` says how they do. */
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

/** A guardrail of the tenant does not let this text out; `details` names it. */
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

/** The contact may not be called, or not now; `details` gives every reason. */
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

/** The body is larger than this endpoint takes. */
export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  envelope("PayloadTooLarge", "PAYLOAD_TOO_LARGE", Details),
  { httpApiStatus: 413 }
) {
  get _tag() {
    return "PayloadTooLarge" as const
  }
  static of = (message: string) => new PayloadTooLarge({ error: { code: "PAYLOAD_TOO_LARGE", message } })
}

/** A request limiter said no; `Retry-After` says for how many seconds. */
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

/** The plan's monthly actions are used up. */
export class UsageLimitReached extends Schema.Error<UsageLimitReached>("UsageLimitReached")(
  envelope("UsageLimitReached", "USAGE_LIMIT_REACHED", Details),
  { httpApiStatus: 429 }
) {
  get _tag() {
    return "UsageLimitReached" as const
  }
  static of = (message: string) => new UsageLimitReached({ error: { code: "USAGE_LIMIT_REACHED", message } })
}

/** The plan's monthly model calls are used up. */
export class AiLimitReached extends Schema.Error<AiLimitReached>("AiLimitReached")(
  envelope("AiLimitReached", "AI_LIMIT_REACHED", Details),
  { httpApiStatus: 429 }
) {
  get _tag() {
    return "AiLimitReached" as const
  }
  static of = (message: string) => new AiLimitReached({ error: { code: "AI_LIMIT_REACHED", message } })
}

/** Something this needs is not configured or not reachable now. */
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

/** How the standalone actions fail: an envelope of their own, given by the specification. */
export class ActionFailed extends Schema.Error<ActionFailed>("ActionFailed")(
  Schema.Struct({ success: Schema.Literal(false), error: Schema.String }).annotate({ identifier: "ActionFailure" }),
  { httpApiStatus: 400 }
) {
  get _tag() {
    return "ActionFailed" as const
  }
  static of = (error: string) => new ActionFailed({ success: false, error: shorten(error, maxMessageLength * 4) })
}

/** Codes that the HTTP layer answers by itself, before any endpoint is reached. */
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
