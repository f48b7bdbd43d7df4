import {
  BadRequest,
  Conflict,
  ConnectionExists as Connected,
  HipaaRestricted,
  NotFound,
  ProviderError,
  RateLimited
} from "@leadloom/api/internal/errors"
import { type AccountUnavailable, unavailableText } from "@leadloom/core/internal/domain/email/Accounts"
import type {
  AddressConnected,
  ConnectionExists,
  EmailClosed,
  EmailNotConnected,
  EmailRequestInvalid,
  GrantNotFound
} from "@leadloom/core/internal/domain/email/Grant"
import type { AddressTaken } from "@leadloom/core/internal/domain/email/Mailbox"
import type { MailboxAttemptsReached, MailServersNotFound } from "@leadloom/core/internal/domain/mailbox/MailboxLimits"
import type { AttachmentNotFound, RawNotFound } from "@leadloom/core/internal/domain/email/MailSource"
import type { MailRefused, MessageNotFound } from "@leadloom/core/internal/domain/sending/Reservation"
import type { MailDenied } from "@leadloom/core/internal/workflow/sending/SendOnce"
import type { SendLimitReached } from "@leadloom/core/internal/domain/sending/SendLimit"
import { denialDetails } from "./Denial.ts"
import { mailboxLoginError } from "./MailboxErrors.ts"

/** Returns why an account cannot be connected, and what to do. `limit` null: its address is connected in another way. */
const connectedText = (email: string, limit: number | null): string => {
  const more = "ask the operator to raise LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT"
  if (limit !== null && limit > 1)
    return `The tenant has connected as many accounts as this server permits: ${limit}. Disconnect one first, or ${more}.`
  return `The tenant is already connected as ${email}. Disconnect that account first${limit === null ? "" : `, or ${more}`}.`
}

/** Maps errors about email and connected accounts to wire errors. */
export const emailErrors = {
  ConnectionExists: ({ email, grantId, limit }: ConnectionExists) =>
    Connected.of(connectedText(email, limit), { grant_id: grantId }),
  AddressConnected: ({ addresses, email }: AddressConnected) =>
    Conflict.of(
      `The connected account ${email} has the address ${addresses.slice(0, 3).join(", ")}. Remove it from the aliases of that account first.`
    ),
  AccountUnavailable: (unavailable: AccountUnavailable) => Conflict.of(unavailableText(unavailable)),
  AddressTaken: ({ addresses }: AddressTaken) =>
    Conflict.of(
      `Another tenant of this deployment owns ${addresses.slice(0, 3).join(", ")}. Connect another address, or ask the operator.`
    ),
  GrantNotFound: ({ grantId }: GrantNotFound) => NotFound.of(`There is no connected account ${grantId}.`),
  EmailNotConnected: ({ tenantId }: EmailNotConnected) =>
    Conflict.of(`No email account is connected. Connect one with POST /api/v1/tenants/${tenantId}/email/connect`, {
      missing: "email_account"
    }),
  EmailClosed: (_: EmailClosed) => HipaaRestricted.of(),
  EmailRequestInvalid: ({ issues }: EmailRequestInvalid) =>
    BadRequest.of("The request contains an invalid field.", issues),
  MessageNotFound: ({ messageId }: MessageNotFound) => NotFound.of(`There is no email ${messageId} to reply to.`),
  RawNotFound: ({ messageId }: RawNotFound) => NotFound.of(`No raw mail is stored for the message ${messageId}.`),
  AttachmentNotFound: (_: AttachmentNotFound) =>
    NotFound.of("The attachment does not exist, or the link has expired. Read the conversation again for a new link."),
  MailDenied: ({ overridable, reasons }: MailDenied) =>
    Conflict.of(`The email may not be sent: ${reasons.join("; ")}.`, denialDetails(reasons, overridable)),
  SendLimitReached: ({ rate }: SendLimitReached) => RateLimited.of(rate.retryAfterSeconds),
  MailboxAttemptsReached: ({ rate }: MailboxAttemptsReached) => RateLimited.of(rate.retryAfterSeconds),
  MailServersNotFound: ({ email }: MailServersNotFound) =>
    NotFound.of(
      `No mail servers were found for ${email}. Send \`imap\` and \`smtp\`; your mail provider publishes them.`
    ),
  MailboxLoginFailed: mailboxLoginError,
  MailRefused: ({ reason }: MailRefused) => ProviderError.of(`The mail was rejected: ${reason}`)
} as const
