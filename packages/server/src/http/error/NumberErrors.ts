import {
  CallNotAllowed as CallForbidden,
  Conflict,
  NotFound,
  ProviderError,
  ServiceUnavailable
} from "@leadloom/api/internal/errors"
import type { AssistantNotConfigured, RetellKeyInvalid } from "@leadloom/core/internal/domain/assistant/AssistantAccess"
import type {
  CallNotAllowed,
  CallNotFound,
  CallNotInProgress,
  CallProviderUnavailable,
  CallRequestInvalid,
  CallTooEarly,
  RecordingNotFound
} from "@leadloom/core/internal/domain/call/Call"
import type { BlocklistFull } from "@leadloom/core/internal/workflow/sms/BlockNumber"
import type { PhoneNumberNotFound, PhoneNumberTaken } from "@leadloom/core/internal/domain/address/PhoneNumber"
import type {
  SmsNotConfigured,
  TextDenied,
  TextRejected,
  TextTooLong
} from "@leadloom/core/internal/workflow/sms/SendText"
import { field } from "./Field.ts"
import { denialDetails } from "./Denial.ts"

/** Maps errors about texts, calls and voice assistants to wire errors. */
export const numberErrors = {
  AssistantNotConfigured: ({ tenantId }: AssistantNotConfigured) =>
    NotFound.of(
      `${tenantId} has no assistant secret. Create one with PUT /api/v1/tenants/${tenantId}/assistant/secret`
    ),
  RetellKeyInvalid: ({ reason }: RetellKeyInvalid) => field("api_key", reason),
  CallNotFound: ({ callId }: CallNotFound) => NotFound.of(`There is no call ${callId}.`),
  CallNotInProgress: ({ callId, status }: CallNotInProgress) =>
    Conflict.of(`The call ${callId} is not connected: its status is ${status}.`, { status }),
  CallNotAllowed: ({ reasons }: CallNotAllowed) =>
    CallForbidden.of(`The call is not permitted: ${reasons.join("; ")}.`, { reasons }),
  CallTooEarly: ({ reason, until }: CallTooEarly) =>
    Conflict.of(`The contact cannot be called now: ${reason}. Try again at ${new Date(until).toISOString()}.`, {
      reasons: [reason],
      until: new Date(until).toISOString()
    }),
  CallRequestInvalid: (error: CallRequestInvalid) => field(error.field, error.message),
  CallProviderUnavailable: ({ reason }: CallProviderUnavailable) =>
    ServiceUnavailable.of(`The voice provider is not available: ${reason}. The call was not placed. Try again.`),
  RecordingNotFound: ({ contactId }: RecordingNotFound) =>
    NotFound.of(`There is no recording of a call with ${contactId}. It may not be ready yet.`),
  PhoneNumberTaken: ({ phone, tenantId }: PhoneNumberTaken) =>
    Conflict.of(
      `The number ${phone} belongs to ${tenantId}. Remove it there first with DELETE /api/v1/admin/phone-numbers`,
      {
        tenant_id: tenantId
      }
    ),
  PhoneNumberNotFound: ({ phone }: PhoneNumberNotFound) => NotFound.of(`No tenant has the number ${phone}.`),
  BlocklistFull: ({ limit }: BlocklistFull) =>
    Conflict.of(`The blocklist has its maximum of ${limit} numbers. Remove one first.`),
  SmsNotConfigured: (_: SmsNotConfigured) =>
    ServiceUnavailable.of("No SMS provider is configured on this server, so texts cannot be sent."),
  TextDenied: ({ overridable, reasons }: TextDenied) =>
    Conflict.of(`The text may not be sent: ${reasons.join("; ")}.`, denialDetails(reasons, overridable)),
  TextTooLong: ({ limit }: TextTooLong) => field("body", `A text may have at most ${limit} characters.`),
  TextRejected: ({ reason }: TextRejected) => ProviderError.of(`The text was rejected: ${reason}`)
} as const
