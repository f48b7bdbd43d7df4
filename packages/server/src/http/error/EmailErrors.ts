import {
  BadRequest,
  Conflict,
  ConnectionExists as Connected,
  HipaaRestricted,
  NotFound,
  ProviderError,
  RateLimited,
  ServiceUnavailable
} from "@leadloom/api/errors"
import type {
  ConnectionExists,
  EmailClosed,
  EmailNotConnected,
  EmailRequestInvalid,
  GrantNotFound,
  ProviderNotConfigured
} from "@leadloom/core/domain/email/Grant"
import type { AddressTaken } from "@leadloom/core/domain/email/Mailbox"
import type {
  HostedGone,
  HostedRefused,
  HostedUnavailable,
  SignInExpired
} from "@leadloom/core/domain/email/HostedMail"
import type { AttachmentNotFound, RawNotFound } from "@leadloom/core/domain/email/MailSource"
import type { MailRefused, MessageNotFound } from "@leadloom/core/domain/sending/Reservation"
import type { MailDenied } from "@leadloom/core/workflow/sending/SendOnce"
import type { SendLimitReached } from "@leadloom/core/domain/sending/SendLimit"
import { denialDetails } from "./Denial.ts"

/** Errors about email and connected accounts, in the words of the wire. */
export const emailErrors = {
  ConnectionExists: ({ email, grantId }: ConnectionExists) =>
    Connected.of(`The tenant is connected as ${email} already. Disconnect that account first.`, { grant_id: grantId }),
  AddressTaken: ({ addresses }: AddressTaken) =>
    Conflict.of(
      `Another tenant of this deployment owns ${addresses.slice(0, 3).join(", ")}. Connect another address, or ask the operator.`
    ),
  GrantNotFound: ({ grantId }: GrantNotFound) => NotFound.of(`There is no connected account ${grantId}.`),
  EmailNotConnected: ({ tenantId }: EmailNotConnected) =>
    Conflict.of(`No email account is connected. Connect one: POST /api/v1/tenants/${tenantId}/email/connect`),
  EmailClosed: (_: EmailClosed) => HipaaRestricted.of(),
  EmailRequestInvalid: ({ issues }: EmailRequestInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  ProviderNotConfigured: ({ provider, setting }: ProviderNotConfigured) =>
    ServiceUnavailable.of(`Accounts of the ${provider} family cannot be connected here: ${setting} is not set.`),
  HostedUnavailable: ({ reason }: HostedUnavailable) =>
    ProviderError.of(`The mail provider does not answer as it should: ${reason}. Try again.`),
  HostedRefused: ({ reason }: HostedRefused) => ProviderError.of(`The mail provider refused: ${reason}`),
  HostedGone: ({ what }: HostedGone) => ProviderError.of(`The mail provider knows no such ${what} any more.`),
  SignInExpired: ({ reason }: SignInExpired) =>
    ProviderError.of(`The mail provider does not let this server in: ${reason}`),
  MessageNotFound: ({ messageId }: MessageNotFound) => NotFound.of(`There is no email ${messageId} to answer.`),
  RawNotFound: ({ messageId }: RawNotFound) => NotFound.of(`No source is kept of a message ${messageId}.`),
  AttachmentNotFound: (_: AttachmentNotFound) =>
    NotFound.of("There is no such attachment, or this link is over. Read the conversation again for a new link."),
  MailDenied: ({ overridable, reasons }: MailDenied) =>
    Conflict.of(`The email may not be sent: ${reasons.join("; ")}.`, denialDetails(reasons, overridable)),
  SendLimitReached: ({ rate }: SendLimitReached) => RateLimited.of(rate.retryAfterSeconds),
  MailRefused: ({ reason }: MailRefused) => ProviderError.of(`The mail was refused: ${reason}`)
} as const
