import { maxMessageLength } from "./Echo.ts"

/** The descriptions of one error in the API. */
export interface ErrorText {
  readonly meaning: string
  /** The content of `details`, where it differs from `envelopeTexts`. */
  readonly details?: string
}

/** The descriptions of the envelope, which errors without a schema use too. */
export const envelopeTexts = {
  error: "The failure",
  code: "The value to branch on. Codes do not change",
  message: `The reason for people, at most ${maxMessageLength} characters. The wording may change`,
  details: "Further facts"
} as const

/** The descriptions of the errors in `errors.ts`. */
export const errorTexts = {
  BadRequest: {
    meaning: "The request does not match the contract",
    details: "The invalid fields, at most 20; absent if the whole request is invalid"
  },
  Unauthorized: { meaning: "The credential is missing, unknown or expired" },
  Forbidden: { meaning: "The credential is valid but lacks the permission" },
  HipaaRestricted: { meaning: "HIPAA tenants cannot use email" },
  PlanRestricted: {
    meaning: "The tenant's plan does not include this operation",
    details: "Names a plan with this operation"
  },
  NotFound: {
    meaning: "The object does not exist or belongs to another tenant",
    details: "Names the object that replaced it, for example the primary contact of a merge"
  },
  Conflict: {
    meaning: "The request conflicts with the current state",
    details: "Describes the conflict, for example the permitted states"
  },
  IdempotencyConflict: { meaning: "The Idempotency-Key was already used with another request" },
  IdempotencyInProgress: { meaning: "The first request with this Idempotency-Key is still in progress" },
  ConnectionExists: {
    meaning: "The tenant already has a connected email account",
    details: "Names the connected account"
  },
  MailboxLoginFailed: {
    meaning: "The login to a mailbox failed. Nothing was stored",
    details: "Names the `server` (`imap` or `smtp`) and the `problem`. The message quotes the server"
  },
  ProviderError: {
    meaning: "The provider rejected the request permanently. The message contains the provider's reason"
  },
  KeyLimitReached: { meaning: "The tenant has reached its maximum number of active API keys" },
  PreconditionFailed: {
    meaning: "The current version differs from the version in If-Match",
    details: "Contains the current version"
  },
  GuardrailBlocked: { meaning: "A guardrail of the tenant blocks this text", details: "Names the guardrail" },
  FileInfected: { meaning: "The scanner has found malware in the uploaded file", details: "Names the malware" },
  CallNotAllowed: { meaning: "The contact may not be called, or not at this time", details: "Lists all reasons" },
  PayloadTooLarge: { meaning: "The body exceeds the limit of this endpoint" },
  RateLimited: { meaning: "A rate limit is exceeded. Retry-After contains the waiting time in seconds" },
  UsageLimitReached: { meaning: "The tenant has used all actions that its plan includes per month" },
  AiLimitReached: { meaning: "The tenant has used all model calls that its plan includes per month" },
  ServiceUnavailable: { meaning: "A required dependency is not configured, or does not answer at the moment" }
} as const satisfies Readonly<Record<string, ErrorText>>

export type ErrorName = keyof typeof errorTexts
