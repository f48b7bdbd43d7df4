/**
 * The failure of a request to an external provider. Its form is the same for payments, CRM, mail, texts, calls and
 * language models. Ports fail with it, and adapters in `connectors` create it. `ProviderBehavior` and
 * `server/http/error/ProviderErrors` decide on the consequences. If one workflow must handle a failure differently,
 * that failure has its own error next to its noun.
 */
import { TaggedError } from "../TaggedError.ts"

/** The services of providers, and the names of the providers in sentences. */
export const providerNames = {
  payments: "the payment provider",
  crm: "the CRM",
  crm_proofs: "the CRM",
  mail: "the mail provider",
  sms: "the SMS provider",
  voice: "the voice provider",
  model: "the language model",
  human_check: "the human check"
} as const

/** A service that an external provider offers. */
export type ProviderService = keyof typeof providerNames

/**
 * The provider's statement about the recipient of a refused message. `opted_out`: the recipient must not be contacted
 * again. `unreachable`: the recipient cannot be reached.
 */
export type RecipientReport = "opted_out" | "unreachable"

/**
 * The reason why a request failed. `detail` is one line for people, of limited length and without secrets. Times are in
 * milliseconds.
 */
export type ProviderReason =
  /**
   * The provider rejects the request, and would reject the same request again. `status` and `code` are those of the
   * provider's response.
   */
  | {
      readonly _tag: "Refused"
      readonly detail: string
      readonly status: number | null
      readonly code: string | null
      readonly about: RecipientReport | null
    }
  /**
   * The provider did nothing, and a retry may succeed. `retryAfterMillis` is the delay that the provider requests, or
   * null.
   */
  | {
      readonly _tag: "Unavailable"
      readonly detail: string
      readonly code: string | null
      readonly retryAfterMillis: number | null
    }
  /**
   * The request was sent, but it is unknown whether the provider carried it out. Only an idempotent request may be
   * repeated.
   */
  | { readonly _tag: "OutcomeUnknown"; readonly detail: string }
  /** The object does not exist at the provider, or no longer exists. `what` names the kind of object. */
  | { readonly _tag: "Gone"; readonly detail: string; readonly what: string }
  /** The provider no longer accepts the access that an owner granted. The owner must sign in again. */
  | { readonly _tag: "SignedOut"; readonly detail: string }
  /**
   * No provider is configured. `setting` names the missing variable. `what` names the missing part of the
   * configuration, or is null.
   */
  | {
      readonly _tag: "NotConfigured"
      readonly detail: string
      readonly setting: string
      readonly what: string | null
    }

type Of<Tag extends ProviderReason["_tag"]> = Extract<ProviderReason, { readonly _tag: Tag }>

/** A request to a provider failed. The `message` of this error is the `detail` of its reason. */
export class ProviderFailure extends TaggedError("ProviderFailure")<{
  readonly service: ProviderService
  readonly reason: ProviderReason
}> {
  override get message(): string {
    return this.reason.detail
  }
}

/** A failure with one fixed kind of reason, for ports that fail in no other way. */
export type ProviderFailureOf<Tag extends ProviderReason["_tag"]> = ProviderFailure & { readonly reason: Of<Tag> }

const failure = (service: ProviderService, reason: ProviderReason): ProviderFailure =>
  new ProviderFailure({ service, reason })

/** Returns the failure `Refused`: the provider rejects the request, and would reject it again. */
export const refused = (
  service: ProviderService,
  detail: string,
  { about = null, code = null, status = null }: Partial<Pick<Of<"Refused">, "about" | "code" | "status">> = {}
): ProviderFailure => failure(service, { _tag: "Refused", detail, status, code, about })

/** Returns the failure `Unavailable`: the provider did nothing, and a retry may succeed. */
export const unavailable = (
  service: ProviderService,
  detail: string,
  { code = null, retryAfterMillis = null }: Partial<Pick<Of<"Unavailable">, "code" | "retryAfterMillis">> = {}
): ProviderFailure => failure(service, { _tag: "Unavailable", detail, code, retryAfterMillis })

/** Returns the failure `OutcomeUnknown`: the provider may have carried out the request. */
export const outcomeUnknown = (service: ProviderService, detail: string): ProviderFailure =>
  failure(service, { _tag: "OutcomeUnknown", detail })

/** Returns the failure `Gone`: the object does not exist at the provider. */
export const gone = (
  service: ProviderService,
  what: string,
  detail = `${providerNames[service]} has no such ${what}`
): ProviderFailure => failure(service, { _tag: "Gone", detail, what })

/** Returns the failure `SignedOut`: the owner must sign in at the provider again. */
export const signedOut = (service: ProviderService, detail: string): ProviderFailure =>
  failure(service, { _tag: "SignedOut", detail })

/** Returns the failure `NotConfigured`: the variable `setting` is not set. */
export const notConfigured = (
  service: ProviderService,
  setting: string,
  what: string | null = null
): ProviderFailureOf<"NotConfigured"> => {
  const reason = { _tag: "NotConfigured", detail: `${setting} is not set`, setting, what } as const
  return Object.assign(new ProviderFailure({ service, reason }), { reason })
}
