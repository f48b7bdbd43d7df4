import { Data } from "effect"

/** The CRM does not do what was asked, and would not do it tomorrow. */
export class CrmRefused extends Data.TaggedError("CrmRefused")<{ readonly reason: string }> {}

/** What was asked for is not in the CRM (any more). */
export class CrmGone extends Data.TaggedError("CrmGone")<{ readonly what: string }> {}

/** Nothing was done; it may work later. `waitMillis`: how long the CRM wants to be left alone, null when it does not say. */
export class CrmUnavailable extends Data.TaggedError("CrmUnavailable")<{
  readonly reason: string
  readonly waitMillis: number | null
}> {}

/** It may have been done or not: only what changes nothing when it is done twice may be tried again. */
export class CrmOutcomeUnknown extends Data.TaggedError("CrmOutcomeUnknown")<{ readonly reason: string }> {}

/** The CRM does not let us into the location (any more): somebody has to install the app there again. */
export class CrmSignedOut extends Data.TaggedError("CrmSignedOut")<{ readonly reason: string }> {}

/** This server knows no CRM; `setting` is what its operator would have to set. */
export class CrmNotConfigured extends Data.TaggedError("CrmNotConfigured")<{ readonly setting: string }> {}

/** Nobody has let us into this location, or not any more. */
export class CrmNotInstalled extends Data.TaggedError("CrmNotInstalled")<{ readonly locationId: string }> {}

/** What may come of asking the CRM with a token. */
export type CrmFailure = CrmRefused | CrmGone | CrmUnavailable | CrmOutcomeUnknown | CrmSignedOut | CrmNotConfigured

/** A failure in words, for people. */
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
