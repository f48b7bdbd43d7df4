import {
  ActionFailed,
  Conflict,
  Forbidden,
  HipaaRestricted,
  NotFound,
  ProviderError,
  ServiceUnavailable
} from "@leadloom/api/errors"
import type {
  CrmGone,
  CrmNotConfigured,
  CrmNotInstalled,
  CrmOutcomeUnknown,
  CrmRefused,
  CrmSignedOut,
  CrmUnavailable
} from "@leadloom/core/domain/crm/CrmFailure"
import type { AgencyNotFound } from "@leadloom/core/workflow/crm/Agency"
import type { CrmInstallNotFound, LocationNotFound, LocationTaken } from "@leadloom/core/domain/crm/Location"
import type { CrmSyncForbidden, CrmCallbackInvalid } from "@leadloom/core/workflow/crm/Install"
import type { CrmSyncDisabled } from "@leadloom/core/workflow/crm/StartFirstSync"
import type { LocationClosed } from "@leadloom/core/workflow/crm/Locations"
import type { CrmInputInvalid } from "@leadloom/core/domain/crm/ActionInputs"
import { field } from "./Field.ts"

/** Errors about a CRM, in the words of the wire. */
export const crmErrors = {
  LocationNotFound: ({ locationId }: LocationNotFound) => NotFound.of(`There is no location ${locationId}.`),
  LocationClosed: ({ locationId }: LocationClosed) =>
    Forbidden.of(`Nobody gets a session for the location ${locationId} this way.`),
  CrmInputInvalid: ({ field: name, reason }: CrmInputInvalid) => ActionFailed.of(`data.${name}: ${reason}`),
  CrmNotInstalled: ({ locationId }: CrmNotInstalled) =>
    ServiceUnavailable.of(`The app is not installed in the location ${locationId}, or not any more. Install it there.`),
  LocationTaken: ({ locationId }: LocationTaken) =>
    Conflict.of(`The location ${locationId} stands for another tenant. Remove it there first.`),
  CrmInstallNotFound: ({ locationId }: CrmInstallNotFound) =>
    NotFound.of(`Nobody has let this server into the location ${locationId}.`),
  AgencyNotFound: ({ companyId }: AgencyNotFound) => NotFound.of(`The agency ${companyId} has not let this server in.`),
  CrmSyncDisabled: ({ locationId }: CrmSyncDisabled) =>
    Conflict.of(`Nothing happens to contacts of the location ${locationId}: switch its sync on, PATCH {"sync": …}.`),
  CrmSyncForbidden: (_: CrmSyncForbidden) =>
    HipaaRestricted.of("Contacts of a HIPAA-enabled tenant are not shown to a CRM. Leave sync off."),
  CrmCallbackInvalid: (error: CrmCallbackInvalid) =>
    field(error.field, `The CRM and this do not go together: ${error.reason}. Begin again: GET …/crm/auth-url`),
  CrmNotConfigured: ({ setting }: CrmNotConfigured) =>
    ServiceUnavailable.of(`No CRM can be connected here: ${setting} is not set.`),
  CrmRefused: ({ reason }: CrmRefused) => ProviderError.of(`The CRM refused: ${reason}`),
  CrmGone: ({ what }: CrmGone) => ProviderError.of(`The CRM knows no such ${what} any more.`),
  CrmUnavailable: ({ reason }: CrmUnavailable) =>
    ProviderError.of(`The CRM does not answer as it should: ${reason}. Try again.`),
  CrmOutcomeUnknown: ({ reason }: CrmOutcomeUnknown) =>
    ProviderError.of(`Whether the CRM has done it is not known: ${reason}. Look there before trying again.`),
  CrmSignedOut: ({ reason }: CrmSignedOut) => ProviderError.of(`The CRM does not let this server in: ${reason}`)
} as const
