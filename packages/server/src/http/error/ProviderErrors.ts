import { shorten } from "@leadloom/api/internal/Echo"
import { ProviderError, ServiceUnavailable } from "@leadloom/api/internal/errors"
import {
  type ProviderFailure,
  providerNames,
  type ProviderReason,
  type ProviderService
} from "@leadloom/core/internal/domain/provider/ProviderFailure"

type Reason<Tag extends ProviderReason["_tag"]> = Extract<ProviderReason, { readonly _tag: Tag }>

const capitalised = (service: ProviderService): string => `T${providerNames[service].slice(1)}`

/** Returns the next step after a write whose outcome is unknown. */
const checkFirst = (service: ProviderService): string =>
  service === "payments"
    ? "Repeat the request with the same Idempotency-Key; it is carried out only once."
    : `Check ${providerNames[service]} before you repeat the request.`

const notConfigured = ({ detail, what }: Reason<"NotConfigured">, service: ProviderService): string => {
  switch (service) {
    case "payments":
      return `Payments are disabled on this server: ${detail}. Change plans with POST /api/v1/billing/activate`
    case "crm_proofs":
      return `User proofs of the CRM cannot be verified on this server: ${detail}.`
    case "mail":
      return `Accounts of the ${what ?? "hosted"} family cannot be connected on this server: ${detail}.`
    default:
      return `${capitalised(service)} is not configured on this server: ${detail}.`
  }
}

/** Maps each reason of a failed request to a provider. `ProviderBehavior` maps the same reasons for workers. */
const reasons = {
  Refused: ({ detail }: Reason<"Refused">, service: ProviderService) =>
    ProviderError.of(`${capitalised(service)} rejected the request: ${detail}`),
  Gone: ({ what }: Reason<"Gone">, service: ProviderService) =>
    ProviderError.of(`${capitalised(service)} no longer has this ${shorten(what)}.`),
  Unavailable: ({ detail }: Reason<"Unavailable">, service: ProviderService) =>
    ProviderError.of(`The request to ${providerNames[service]} failed: ${detail}. Try again.`),
  OutcomeUnknown: ({ detail }: Reason<"OutcomeUnknown">, service: ProviderService) =>
    ProviderError.of(
      `It is unknown whether ${providerNames[service]} carried out the request: ${detail}. ${checkFirst(service)}`
    ),
  SignedOut: ({ detail }: Reason<"SignedOut">, service: ProviderService) =>
    ProviderError.of(`${capitalised(service)} rejected the access of this server: ${detail}`),
  NotConfigured: (reason: Reason<"NotConfigured">, service: ProviderService) =>
    ServiceUnavailable.of(notConfigured(reason, service))
} satisfies { readonly [Tag in ProviderReason["_tag"]]: (reason: Reason<Tag>, service: ProviderService) => unknown }

/** The wire error of a failure with this reason. */
export type ProviderWireError<Tag extends ProviderReason["_tag"]> = ReturnType<(typeof reasons)[Tag]>

/** Maps a failed request to a provider to its wire error. */
export const providerErrors = {
  ProviderFailure: ({ reason, service }: ProviderFailure): ProviderWireError<ProviderReason["_tag"]> => {
    // Each row accepts the reason with its own tag. The compiler cannot derive this from the index.
    const row = reasons[reason._tag] as (reason: ProviderReason, service: ProviderService) => ProviderError
    return row(reason, service)
  }
} as const
