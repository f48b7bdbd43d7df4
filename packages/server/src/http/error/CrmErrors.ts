import {
  ActionFailed,
  Conflict,
  Forbidden,
  HipaaRestricted,
  NotFound,
  ServiceUnavailable
} from "@leadloom/api/internal/errors"
import type { AgencyNotFound } from "@leadloom/core/internal/workflow/crm/Agency"
import type {
  CrmInstallNotFound,
  CrmNotInstalled,
  LocationNotFound,
  LocationTaken
} from "@leadloom/core/internal/domain/crm/Location"
import type { CrmSyncForbidden, CrmCallbackInvalid } from "@leadloom/core/internal/workflow/crm/Install"
import type { CrmSyncDisabled } from "@leadloom/core/internal/workflow/crm/StartFirstSync"
import type { LocationClosed } from "@leadloom/core/internal/workflow/crm/Locations"
import type { CrmInputInvalid } from "@leadloom/core/internal/domain/crm/ActionInputs"
import { field } from "./Field.ts"

/** Maps errors about the CRM to wire errors. */
export const crmErrors = {
  LocationNotFound: ({ locationId }: LocationNotFound) => NotFound.of(`There is no location ${locationId}.`),
  LocationClosed: ({ locationId }: LocationClosed) =>
    Forbidden.of(`This server permits no sessions for the location ${locationId}.`),
  CrmInputInvalid: ({ field: name, reason }: CrmInputInvalid) => ActionFailed.of(`data.${name}: ${reason}`),
  CrmNotInstalled: ({ locationId }: CrmNotInstalled) =>
    ServiceUnavailable.of(`The app is not installed in the location ${locationId}. Install it there.`),
  LocationTaken: ({ locationId }: LocationTaken) =>
    Conflict.of(`The location ${locationId} belongs to another tenant. Remove it from that tenant first.`),
  CrmInstallNotFound: ({ locationId }: CrmInstallNotFound) =>
    NotFound.of(`The app is not installed in the location ${locationId}. Install it there first.`),
  AgencyNotFound: ({ companyId }: AgencyNotFound) =>
    NotFound.of(`The app is not installed in the agency ${companyId}.`),
  CrmSyncDisabled: ({ locationId }: CrmSyncDisabled) =>
    Conflict.of(`The contact sync of the location ${locationId} is off. Switch it on: PATCH {"sync": …}.`),
  CrmSyncForbidden: (_: CrmSyncForbidden) =>
    HipaaRestricted.of("Contacts of a HIPAA-enabled tenant cannot be synchronised with a CRM. Leave sync off."),
  CrmCallbackInvalid: (error: CrmCallbackInvalid) =>
    field(
      error.field,
      `The response of the CRM does not belong to this installation: ${error.reason}. Start again: GET …/crm/auth-url`
    )
} as const
