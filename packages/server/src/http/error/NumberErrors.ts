import {
  CallNotAllowed as CallForbidden,
  Conflict,
  NotFound,
  ProviderError,
  ServiceUnavailable
} from "@leadloom/api/errors"
import type { AssistantNotConfigured, RetellKeyInvalid } from "@leadloom/core/domain/assistant/AssistantAccess"
import type {
  CallNotAllowed,
  CallNotFound,
  CallNotInProgress,
  CallProviderUnavailable,
  CallRefused,
  CallRequestInvalid,
  CallTooEarly,
  RecordingNotFound
} from "@leadloom/core/domain/call/Call"
import type { BlocklistFull } from "@leadloom/core/workflow/sms/BlockNumber"
import type { PhoneNumberNotFound, PhoneNumberTaken } from "@leadloom/core/domain/address/PhoneNumber"
import type { SmsNotConfigured, TextDenied, TextRejected, TextTooLong } from "@leadloom/core/workflow/sms/SendText"
import { field } from "./Field.ts"
import { denialDetails } from "./Denial.ts"

/** Errors about texts, calls and voice assistants, in the words of the wire. */
export const numberErrors = {
  AssistantNotConfigured: ({ tenantId }: AssistantNotConfigured) =>
    NotFound.of(`${tenantId} has no assistant secret. Make one: PUT /api/v1/tenants/${tenantId}/assistant/secret`),
  RetellKeyInvalid: ({ reason }: RetellKeyInvalid) => field("api_key", reason),
  CallNotFound: ({ callId }: CallNotFound) => NotFound.of(`There is no call ${callId}.`),
  CallNotInProgress: ({ callId, status }: CallNotInProgress) =>
    Conflict.of(`Nobody speaks in the call ${callId} now: it is ${status}.`, { status }),
  CallNotAllowed: ({ reasons }: CallNotAllowed) =>
    CallForbidden.of(`This call is not placed: ${reasons.join("; ")}.`, { reasons }),
  CallTooEarly: ({ reason, until }: CallTooEarly) =>
    Conflict.of(`The contact is not called now: ${reason}. Try again at ${new Date(until).toISOString()}.`, {
      reasons: [reason],
      until: new Date(until).toISOString()
    }),
  CallRequestInvalid: (error: CallRequestInvalid) => field(error.field, error.message),
  CallRefused: ({ reason }: CallRefused) => ProviderError.of(`The voice provider refused: ${reason}`),
  CallProviderUnavailable: ({ reason }: CallProviderUnavailable) =>
    ServiceUnavailable.of(`The voice provider does not do it now: ${reason}. Nothing was done. Try again.`),
  RecordingNotFound: ({ contactId }: RecordingNotFound) =>
    NotFound.of(`There is no recording of a call with ${contactId}, or not yet.`),
  PhoneNumberTaken: ({ phone, tenantId }: PhoneNumberTaken) =>
    Conflict.of(`${phone} is a number of ${tenantId}. Take it away there first: DELETE /api/v1/admin/phone-numbers`, {
      tenant_id: tenantId
    }),
  PhoneNumberNotFound: ({ phone }: PhoneNumberNotFound) => NotFound.of(`No tenant has the number ${phone}.`),
  BlocklistFull: ({ limit }: BlocklistFull) =>
    Conflict.of(`The blocklist has ${limit} numbers, which is as many as it may. Take one off.`),
  SmsNotConfigured: (_: SmsNotConfigured) =>
    ServiceUnavailable.of("No SMS provider is configured on this server: text messages cannot be sent."),
  TextDenied: ({ overridable, reasons }: TextDenied) =>
    Conflict.of(`The text may not be sent: ${reasons.join("; ")}.`, denialDetails(reasons, overridable)),
  TextTooLong: ({ limit }: TextTooLong) => field("body", `A text has at most ${limit} characters.`),
  TextRejected: ({ reason }: TextRejected) => ProviderError.of(`The text was refused: ${reason}`)
} as const
