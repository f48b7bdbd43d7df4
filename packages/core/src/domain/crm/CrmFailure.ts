import { Data } from "effect"

/** The CRM rejects the request. A retry would fail too. */
export class CrmRefused extends Data.TaggedError("CrmRefused")<{ readonly reason: string }> {}

/** The object does not exist in the CRM, or no longer exists. */
export class CrmGone extends Data.TaggedError("CrmGone")<{ readonly what: string }> {}

/**
 * Nothing was done, and a retry may succeed. `waitMillis` is the delay that the CRM requests; null if it requests none.
 */
export class CrmUnavailable extends Data.TaggedError("CrmUnavailable")<{
  readonly reason: string
  readonly waitMillis: number | null
}> {}

/** The result is unknown. Only an idempotent request may be retried. */
export class CrmOutcomeUnknown extends Data.TaggedError("CrmOutcomeUnknown")<{ readonly reason: string }> {}

/** The CRM no longer accepts the tokens of the location. The app must be installed there again. */
export class CrmSignedOut extends Data.TaggedError("CrmSignedOut")<{ readonly reason: string }> {}

/** No CRM is configured. `setting` names the missing variable. */
export class CrmNotConfigured extends Data.TaggedError("CrmNotConfigured")<{ readonly setting: string }> {}

/** The app is not installed in this location, or no longer installed. */
export class CrmNotInstalled extends Data.TaggedError("CrmNotInstalled")<{ readonly locationId: string }> {}

/** The failures of a request to the CRM with a token. */
export type CrmFailure = CrmRefused | CrmGone | CrmUnavailable | CrmOutcomeUnknown | CrmSignedOut | CrmNotConfigured

/** Describes a failure for people. */
export const crmReason = (failure: CrmFailure | CrmNotInstalled): string => {
  switch (failure._tag) {
    case "CrmGone":
      return `the CRM has no such ${failure.what}`
    case "CrmNotConfigured":
      return `${failure.setting} is not set`
    case "CrmNotInstalled":
      return `the app is not installed in the location ${failure.locationId}`
    default:
      return failure.reason
  }
}
