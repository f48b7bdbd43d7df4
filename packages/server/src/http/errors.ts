import {
  ActionFailed,
  AiLimitReached,
  BadRequest,
  CallNotAllowed as CallForbidden,
  Conflict,
  ConnectionExists as Connected,
  Forbidden,
  GuardrailBlocked as Blocked,
  HipaaRestricted,
  IdempotencyConflict as KeyConflict,
  IdempotencyInProgress as KeyInProgress,
  KeyLimitReached as KeyLimit,
  NotFound,
  PlanRestricted as Restricted,
  PreconditionFailed,
  ProviderError,
  RateLimited,
  ServiceUnavailable,
  Unauthorized,
  UsageLimitReached
} from "@leadloom/api/errors"
import type { SourceKeyMissing } from "@leadloom/core/access/AuthenticateSource"
import type { AssistantNotConfigured, RetellKeyInvalid } from "@leadloom/core/assistant/AssistantAccess"
import type { SessionsNotConfigured } from "@leadloom/core/access/MintSession"
import type { LeakedKeysTooMany } from "@leadloom/core/access/LeakedKeys"
import type {
  CallNotAllowed,
  CallNotFound,
  CallNotInProgress,
  CallProviderUnavailable,
  CallRefused,
  CallRequestInvalid,
  CallTooEarly,
  RecordingNotFound
} from "@leadloom/core/call/Call"
import type { KeyExpiryPast, KeyLimitReached, KeyNotActive, KeyNotFound } from "@leadloom/core/access/StoredKey"
import type { ContactExists, ContactMerged, ContactNotFound, IdentityInvalid } from "@leadloom/core/contact/Contact"
import type { MergeNotFound, MergeNotLatest, MergeUndone, MergeWithItself } from "@leadloom/core/contact/ContactMerge"
import type { NobodyKnown } from "@leadloom/core/contact/FindContact"
import type {
  CrmGone,
  CrmNotConfigured,
  CrmNotInstalled,
  CrmOutcomeUnknown,
  CrmRefused,
  CrmSignedOut,
  CrmUnavailable
} from "@leadloom/core/crm/CrmFailure"
import type { CrmInstallNotFound, CrmSyncClosed, CrmWayBackInvalid } from "@leadloom/core/crm/Install"
import type { LocationNotFound, LocationTaken } from "@leadloom/core/crm/Location"
import type { LocationClosed } from "@leadloom/core/crm/MintLocationSession"
import type { ProofInvalid, ProofsNotConfigured } from "@leadloom/core/port/CrmProofs"
import type { CrmInputInvalid } from "@leadloom/core/crm/action/ActionInputs"
import type { ConversationNotFound } from "@leadloom/core/conversation/Conversation"
import {
  type ChannelNotWritable,
  contentHash,
  type DraftChange,
  type DraftChanged,
  type DraftNotFound
} from "@leadloom/core/conversation/Draft"
import type { FormInvalid } from "@leadloom/core/form/Submission"
import type { HumanCheckUnavailable, HumanNotShown } from "@leadloom/core/port/HumanCheck"
import type { GuardrailBlocked } from "@leadloom/core/conversation/GuardDraft"
import type { NotInConversation } from "@leadloom/core/conversation/Message"
import type { BlocklistFull } from "@leadloom/core/outbound/BlockNumber"
import type { PhoneNumberNotFound, PhoneNumberTaken } from "@leadloom/core/outbound/PhoneNumber"
import type { NoEmailToAnswer } from "@leadloom/core/conversation/SendMessage"
import type { SmsNotConfigured, TextDenied, TextRejected, TextTooLong } from "@leadloom/core/sms/SendText"
import type { CursorInvalid } from "@leadloom/core/conversation/CursorInvalid"
import type {
  ConnectionExists,
  EmailClosed,
  EmailNotConnected,
  EmailRequestInvalid,
  GrantNotFound,
  ProviderNotConfigured
} from "@leadloom/core/email/Grant"
import type { HostedGone, HostedRefused, HostedUnavailable, SignInExpired } from "@leadloom/core/email/HostedMail"
import type {
  IdempotencyConflict,
  IdempotencyInProgress,
  MailRefused,
  MessageNotFound
} from "@leadloom/core/email/Reservation"
import type { AttachmentNotFound, RawNotFound } from "@leadloom/core/email/MailSource"
import type { SendLimitReached } from "@leadloom/core/email/SendLimit"
import type { AnswerForgotten } from "@leadloom/core/idempotency/Once"
import type { LeadMerged, LeadNotFound, LeadRequestInvalid } from "@leadloom/core/lead/Lead"
import type { TransitionIllegal } from "@leadloom/core/lead/LeadState"
import type { CreditInvalid, CreditReferenceTaken } from "@leadloom/core/billing/Credit"
import type {
  NoCustomer,
  PaymentsGone,
  PaymentsKeyInUse,
  PaymentsKeyReused,
  PaymentsNotConfigured,
  PaymentsRefused,
  PaymentsUnavailable,
  PaymentsUncertain,
  SubscriptionExists
} from "@leadloom/core/billing/Payment"
import type { BatchNotFound } from "@leadloom/core/batch/Batch"
import type { PlanRestricted } from "@leadloom/core/limit/Plan"
import type { UsageCapReached } from "@leadloom/core/pipeline/ConsumeUsage"
import type { ModelFailed, ModelMissing } from "@leadloom/core/pipeline/Model"
import type { RunNotFound } from "@leadloom/core/pipeline/ReadRun"
import type { RunNotReplayable } from "@leadloom/core/pipeline/ReplayRun"
import type { ArchiveConflict, ArchiveInvalid } from "@leadloom/core/rights/Archive"
import type { ErasureNotConfirmed } from "@leadloom/core/rights/Erasure"
import type { IdTokensUnavailable } from "@leadloom/core/port/IdTokens"
import type { ObjectsUnavailable } from "@leadloom/core/port/Objects"
import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import type { TaskNotFound, TaskRequestInvalid } from "@leadloom/core/task/Task"
import type { SourceInvalid } from "@leadloom/core/tenant/CreateSource"
import type { TenantInvalid } from "@leadloom/core/tenant/CreateTenant"
import type { ConfigInvalid } from "@leadloom/core/tenant/SaveConfig"
import type { SourceExists, SourceNotFound } from "@leadloom/core/tenant/Source"
import type { ConfigCustomized } from "@leadloom/core/tenant/ScaffoldConfig"
import type {
  ConfigConflict,
  ConfigOutdated,
  ConfigVersionNotFound,
  TenantExists,
  TenantNotFound
} from "@leadloom/core/tenant/Tenant"
import type { DeliveryNotFound } from "@leadloom/core/webhook/Delivery"
import type {
  SubscriptionInvalid,
  SubscriptionLimitReached,
  SubscriptionNotFound
} from "@leadloom/core/webhook/Subscription"
import { Effect } from "effect"
import type { StreamLimitReached } from "./EventStreams.ts"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

const field = (path: string, message: string) =>
  BadRequest.of("The request has a field that does not do.", [{ path, message }])

const draftChanges: Readonly<Record<DraftChange, string>> = {
  superseded: "The conversation has moved on since this draft was written. Read it again.",
  dismissed: "This draft was dismissed.",
  edited: "This is not the text that was seen. Read the conversation again.",
  newer_message: "There is a newer message than the one that was seen. Read the conversation again.",
  sent: "This draft was sent already, as the message that details name."
}

/** The one table from what the domain says to what the wire says. */
const rows = {
  TenantNotFound: ({ tenantId }: TenantNotFound) => NotFound.of(`There is no tenant ${tenantId}.`),
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
  TenantExists: ({ tenantId }: TenantExists) => Conflict.of(`The tenant id ${tenantId} is taken.`),
  TenantInvalid: (error: TenantInvalid) => field(error.field, error.reason),
  LocationNotFound: ({ locationId }: LocationNotFound) => NotFound.of(`There is no location ${locationId}.`),
  LocationClosed: ({ locationId }: LocationClosed) =>
    Forbidden.of(`Nobody gets a session for the location ${locationId} this way.`),
  ProofInvalid: (_: ProofInvalid) =>
    Unauthorized.of("This location needs a proof: what the CRM gives its embedded page about its user."),
  ProofsNotConfigured: ({ setting }: ProofsNotConfigured) =>
    ServiceUnavailable.of(`Proofs of the CRM cannot be opened here: ${setting} is not set.`),
  CrmInputInvalid: ({ field: name, reason }: CrmInputInvalid) => ActionFailed.of(`data.${name}: ${reason}`),
  CrmNotInstalled: ({ locationId }: CrmNotInstalled) =>
    ServiceUnavailable.of(`The app is not installed in the location ${locationId}, or not any more. Install it there.`),
  LocationTaken: ({ locationId }: LocationTaken) =>
    Conflict.of(`The location ${locationId} stands for another tenant. Remove it there first.`),
  CrmInstallNotFound: ({ locationId }: CrmInstallNotFound) =>
    NotFound.of(`Nobody has let this server into the location ${locationId}.`),
  CrmSyncClosed: (_: CrmSyncClosed) =>
    HipaaRestricted.of("Contacts of a HIPAA-enabled tenant are not shown to a CRM. Leave sync off."),
  CrmWayBackInvalid: (error: CrmWayBackInvalid) =>
    field(error.field, `The CRM and this do not go together: ${error.reason}. Begin again: GET …/crm/auth-url`),
  CrmNotConfigured: ({ setting }: CrmNotConfigured) =>
    ServiceUnavailable.of(`No CRM can be connected here: ${setting} is not set.`),
  CrmRefused: ({ reason }: CrmRefused) => ProviderError.of(`The CRM refused: ${reason}`),
  CrmGone: ({ what }: CrmGone) => ProviderError.of(`The CRM knows no such ${what} any more.`),
  CrmUnavailable: ({ reason }: CrmUnavailable) =>
    ProviderError.of(`The CRM does not answer as it should: ${reason}. Try again.`),
  CrmOutcomeUnknown: ({ reason }: CrmOutcomeUnknown) =>
    ProviderError.of(`Whether the CRM has done it is not known: ${reason}. Look there before trying again.`),
  CrmSignedOut: ({ reason }: CrmSignedOut) => ProviderError.of(`The CRM does not let this server in: ${reason}`),
  SourceNotFound: ({ sourceId }: SourceNotFound) => NotFound.of(`There is no source ${sourceId}.`),
  SourceExists: ({ sourceId }: SourceExists) => Conflict.of(`There is a source ${sourceId} already.`),
  SourceInvalid: ({ reason }: SourceInvalid) => field("source_id", reason),
  SourceKeyMissing: ({ sourceId }: SourceKeyMissing) =>
    ServiceUnavailable.of(`Source webhook key configuration is missing: create the source ${sourceId} first.`),
  ConfigInvalid: ({ issues }: ConfigInvalid) => BadRequest.of("The configuration was not saved.", issues),
  ConfigConflict: ({ currentVersion }: ConfigConflict) =>
    Conflict.of("The configuration was changed in between. Read it again and repeat the change.", {
      version: currentVersion
    }),
  ConfigOutdated: ({ currentVersion }: ConfigOutdated) =>
    PreconditionFailed.of(`The configuration is at version ${currentVersion}. Read it again and repeat the change.`, {
      version: currentVersion
    }),
  ConfigCustomized: ({ currentVersion }: ConfigCustomized) =>
    Conflict.of(
      `Somebody has changed this configuration. Send "overwrite": true to replace it; version ${currentVersion} stays readable.`,
      { version: currentVersion }
    ),
  ConfigVersionNotFound: ({ tenantId, version }: ConfigVersionNotFound) =>
    NotFound.of(`There is no version ${version} of the configuration of ${tenantId}.`),
  GuardrailBlocked: ({ guardrailId, reason }: GuardrailBlocked) =>
    Blocked.of(`The guardrail "${guardrailId}" blocks this text: ${reason}. Change the text and approve it again.`, {
      guardrail_id: guardrailId,
      reason
    }),
  KeyLimitReached: ({ limit }: KeyLimitReached) =>
    KeyLimit.of(`The tenant has ${limit} active API keys, which is as many as it may. Revoke or rotate one.`),
  KeyNotFound: ({ keyId }: KeyNotFound) => NotFound.of(`There is no API key ${keyId}.`),
  KeyNotActive: ({ keyId }: KeyNotActive) =>
    Conflict.of(`The API key ${keyId} is revoked, expired or already rotated. Create a new one.`),
  KeyExpiryPast: (_: KeyExpiryPast) => field("expires_at", "Has to be in the future."),
  LeakedKeysTooMany: ({ limit }: LeakedKeysTooMany) =>
    field("text", `Holds more than ${limit} keys. Send it in parts.`),
  SessionsNotConfigured: (_: SessionsNotConfigured) =>
    ServiceUnavailable.of("Session signing is not configured on this server."),
  ContactNotFound: ({ contactId }: ContactNotFound) => NotFound.of(`There is no contact ${contactId}.`),
  ContactExists: ({ contactId, identity }: ContactExists) =>
    Conflict.of(`Another contact has ${identity} already.`, { contact_id: contactId }),
  IdentityInvalid: (error: IdentityInvalid) => field(error.field, error.reason),
  ContactMerged: ({ contactId, mergedInto }: ContactMerged) =>
    NotFound.of(`${contactId} was merged into ${mergedInto}. Use that contact, or undo the merge first.`, [
      { path: "contact_id", message: `Merged into ${mergedInto}` }
    ]),
  NobodyKnown: ({ asked }: NobodyKnown) =>
    NotFound.of(`No contact is known as ${asked.join(" or ")}. Send "create": true to make one.`),
  MergeWithItself: (_: MergeWithItself) =>
    field("duplicate_contact_id", "A contact cannot be merged with itself. Name two contacts."),
  MergeNotFound: ({ mergeId }: MergeNotFound) => NotFound.of(`There is no merge ${mergeId}.`),
  MergeUndone: ({ mergeId }: MergeUndone) => Conflict.of(`The merge ${mergeId} has been undone already.`),
  MergeNotLatest: ({ mergeId, undoFirst }: MergeNotLatest) =>
    Conflict.of(`Another merge came after ${mergeId}. Undo ${undoFirst} first.`, { undo_first: undoFirst }),
  ConversationNotFound: ({ contactId }: ConversationNotFound) =>
    NotFound.of(`There is no conversation with a contact ${contactId}.`),
  LeadNotFound: ({ leadId }: LeadNotFound) => NotFound.of(`There is no lead ${leadId}.`),
  LeadMerged: ({ leadId, mergedInto }: LeadMerged) =>
    Conflict.of(`The lead ${leadId} was merged into ${mergedInto}: change that one.`, { merged_into: mergedInto }),
  LeadRequestInvalid: ({ issues }: LeadRequestInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  TransitionIllegal: ({ from, legal, to }: TransitionIllegal) =>
    Conflict.of(`A lead goes from ${from} to ${legal.join(" or ")}, not to ${to}.`, {
      state: from,
      legal_states: legal
    }),
  TaskNotFound: ({ taskId }: TaskNotFound) => NotFound.of(`There is no task ${taskId}.`),
  TaskRequestInvalid: ({ issues }: TaskRequestInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  NotInConversation: ({ messageId }: NotInConversation) =>
    NotFound.of(`There is no message ${messageId} in this conversation.`),
  DraftNotFound: ({ contactId, tenantId }: DraftNotFound) =>
    NotFound.of(
      `There is no such draft for ${contactId}. Write yourself: POST /api/v1/tenants/${tenantId}/conversations/${contactId}/messages`
    ),
  DraftChanged: ({ current, messageId, reason }: DraftChanged) =>
    Conflict.of(draftChanges[reason], {
      reason,
      message_id: messageId,
      draft_id: current?.draftId ?? null,
      content_hash: current === null ? null : contentHash(current.text),
      head_message_id: current?.headMessageId ?? null
    }),
  ChannelNotWritable: ({ channel, contactId, tenantId }: ChannelNotWritable) =>
    Conflict.of(
      `Nothing here sends on the channel ${channel}. Take the text of the draft there, and dismiss it: POST /api/v1/tenants/${tenantId}/conversations/${contactId}/dismiss-draft`
    ),
  RunNotFound: ({ signalId }: RunNotFound) => NotFound.of(`There is no run of ${signalId}, or none yet.`),
  RunNotReplayable: ({ reason, signalId }: RunNotReplayable) =>
    Conflict.of(`The run of ${signalId} cannot be replayed. ${reason}`),
  CursorInvalid: (_: CursorInvalid) =>
    field("cursor", "This cursor does not belong to this list. Start again from the first page."),
  UsageCapReached: ({ cap, kind }: UsageCapReached) =>
    kind === "ai_calls"
      ? AiLimitReached.of(`This month's ${cap} AI calls are used up.`)
      : UsageLimitReached.of(`This month's ${cap} actions are used up.`),
  PlanRestricted: ({ needed, plan, tenantId, what }: PlanRestricted) =>
    Restricted.of(
      `${what} need the plan ${needed} or a larger one; ${tenantId} is on ${plan}. Ask the operator to move it: PATCH /api/v1/admin/tenants/${tenantId}`,
      { plan, needed }
    ),
  BatchNotFound: ({ batchId }: BatchNotFound) => NotFound.of(`There is no batch ${batchId}.`),
  ConnectionExists: ({ email, grantId }: ConnectionExists) =>
    Connected.of(`The tenant is connected as ${email} already. Disconnect that account first.`, { grant_id: grantId }),
  GrantNotFound: ({ grantId }: GrantNotFound) => NotFound.of(`There is no connected account ${grantId}.`),
  EmailNotConnected: ({ tenantId }: EmailNotConnected) =>
    Conflict.of(`No email account is connected. Connect one: POST /api/v1/tenants/${tenantId}/email/connect`),
  EmailClosed: (_: EmailClosed) => HipaaRestricted.of(),
  NoEmailToAnswer: ({ contactId, tenantId }: NoEmailToAnswer) =>
    Conflict.of(
      `There is no email lead of ${contactId} to answer. Write a first email: POST /api/v1/tenants/${tenantId}/email/send`
    ),
  PhoneNumberTaken: ({ phone, tenantId }: PhoneNumberTaken) =>
    Conflict.of(`${phone} is a number of ${tenantId}. Take it away there first: DELETE /api/v1/admin/phone-numbers`, {
      tenant_id: tenantId
    }),
  PhoneNumberNotFound: ({ phone }: PhoneNumberNotFound) => NotFound.of(`No tenant has the number ${phone}.`),
  BlocklistFull: ({ limit }: BlocklistFull) =>
    Conflict.of(`The blocklist has ${limit} numbers, which is as many as it may. Take one off.`),
  SmsNotConfigured: (_: SmsNotConfigured) =>
    ServiceUnavailable.of("No SMS provider is configured on this server: text messages cannot be sent."),
  TextDenied: ({ reasons }: TextDenied) =>
    Conflict.of(`The text may not be sent: ${reasons.join("; ")}.`, { reasons: [...reasons] }),
  TextTooLong: ({ limit }: TextTooLong) => field("body", `A text has at most ${limit} characters.`),
  TextRejected: ({ reason }: TextRejected) => ProviderError.of(`The text was refused: ${reason}`),
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
  PaymentsNotConfigured: ({ setting }: PaymentsNotConfigured) =>
    ServiceUnavailable.of(
      `Nothing can be paid on this server: ${setting} is not set. Plans are moved with POST /api/v1/billing/activate`
    ),
  PaymentsUnavailable: ({ reason }: PaymentsUnavailable) =>
    ProviderError.of(`The provider of payments does not answer as it should: ${reason}. Try again.`),
  PaymentsRefused: ({ reason }: PaymentsRefused) => ProviderError.of(`The provider of payments refused: ${reason}`),
  PaymentsGone: ({ what }: PaymentsGone) =>
    ProviderError.of(`The provider of payments knows no such ${what} any more.`),
  PaymentsUncertain: ({ reason }: PaymentsUncertain) =>
    ProviderError.of(
      `It is not known whether the provider of payments has done it: ${reason}. Send the same Idempotency-Key again: it is done once.`
    ),
  PaymentsKeyReused: (_: PaymentsKeyReused) =>
    KeyConflict.of("This Idempotency-Key came before with another request. Use a new key for a new request."),
  PaymentsKeyInUse: (_: PaymentsKeyInUse) =>
    KeyInProgress.of("The first request under this Idempotency-Key is still being carried out. Ask again in a moment."),
  SubscriptionExists: ({ plan, tenantId }: SubscriptionExists) =>
    Conflict.of(
      `${tenantId} pays for ${plan ?? "a plan"} already. Change it: POST /api/v1/billing/activate?tenant_id=${tenantId}`,
      { plan }
    ),
  NoCustomer: ({ tenantId }: NoCustomer) =>
    Conflict.of(`${tenantId} has paid nothing yet. Begin with POST /api/v1/billing/checkout?tenant_id=${tenantId}`),
  CreditInvalid: (error: CreditInvalid) => field(error.field, error.reason),
  CreditReferenceTaken: ({ reference, transactionId }: CreditReferenceTaken) =>
    Conflict.of(`Something else has been booked as ${reference}. Use a reference of its own for each booking.`, {
      transaction_id: transactionId
    }),
  MessageNotFound: ({ messageId }: MessageNotFound) => NotFound.of(`There is no email ${messageId} to answer.`),
  RawNotFound: ({ messageId }: RawNotFound) => NotFound.of(`No source is kept of a message ${messageId}.`),
  AttachmentNotFound: (_: AttachmentNotFound) =>
    NotFound.of("There is no such attachment, or this link is over. Read the conversation again for a new link."),
  ArchiveInvalid: ({ entry, reason }: ArchiveInvalid) =>
    BadRequest.of(`The archive cannot be taken in: ${entry}: ${reason}`, [{ path: entry, message: reason }]),
  ArchiveConflict: ({ entry, reason }: ArchiveConflict) =>
    Conflict.of(`The archive does not fit what is here: ${entry}: ${reason}.`, { entry, reason }),
  ErasureNotConfirmed: ({ contactId }: ErasureNotConfirmed) =>
    field("confirm", `Erasing cannot be undone. Send ${JSON.stringify(contactId)} to confirm it.`),
  SubscriptionNotFound: ({ webhookId }: SubscriptionNotFound) =>
    NotFound.of(`There is no webhook subscription ${webhookId}.`),
  SubscriptionLimitReached: ({ limit }: SubscriptionLimitReached) =>
    Conflict.of(`The tenant has ${limit} webhook subscriptions, which is as many as it may. Delete one.`),
  SubscriptionInvalid: ({ issues }: SubscriptionInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  DeliveryNotFound: ({ deliveryId }: DeliveryNotFound) =>
    NotFound.of(`There is no delivery ${deliveryId} of this subscription, or its event is kept no longer.`),
  StreamLimitReached: ({ limit }: StreamLimitReached) =>
    Conflict.of(`${limit} streams of this tenant's events are open, which is as many as may be. Close one.`),
  SendLimitReached: ({ rate }: SendLimitReached) => RateLimited.of(rate.retryAfterSeconds),
  MailRefused: ({ reason }: MailRefused) => ProviderError.of(`The mail was refused: ${reason}`),
  IdempotencyConflict: (_: IdempotencyConflict) =>
    KeyConflict.of("This Idempotency-Key came before with another request. Use a new key for a new request."),
  IdempotencyInProgress: (_: IdempotencyInProgress) =>
    KeyInProgress.of("The first request under this Idempotency-Key is still being carried out. Ask again in a moment."),
  AnswerForgotten: (_: AnswerForgotten) =>
    KeyConflict.of(
      "The request under this Idempotency-Key was carried out, and nothing was done again; its answer is kept no longer. Read what it made."
    ),
  // The specification fixes how this one begins.
  ModelMissing: (_: ModelMissing) =>
    ActionFailed.of("LLM provider not configured: this server has no language model to ask."),
  ModelFailed: ({ later, reason }: ModelFailed) =>
    ActionFailed.of(
      `There is no answer from ${reason}. ${later ? "Try again later." : "Asking the same again does not help."}`
    ),
  FormInvalid: ({ issues }: FormInvalid) => BadRequest.of("The form has fields that cannot be taken.", issues),
  HumanNotShown: ({ reason }: HumanNotShown) =>
    BadRequest.of("Nothing shows that a person has filled this form in.", [{ path: "proof", message: reason }]),
  HumanCheckUnavailable: (_: HumanCheckUnavailable) =>
    ServiceUnavailable.of("Nobody can tell at the moment whether a person has filled this form in. Try again later."),
  ObjectsUnavailable: (_: ObjectsUnavailable) => ServiceUnavailable.of("The object store does not answer. Try again."),
  IdTokensUnavailable: (_: IdTokensUnavailable) =>
    ServiceUnavailable.of("The identity provider cannot be asked about this token's key. Try again."),
  StoreUnavailable: (_: StoreUnavailable) => ServiceUnavailable.of("The data store does not answer. Try again.")
} as const

type Rows = typeof rows

/** Errors that have a row. */
export type DomainError = Parameters<Rows[keyof Rows]>[0]

/** What the rows of these errors answer. */
export type WireError<E extends DomainError> = E extends { readonly _tag: infer Tag extends keyof Rows }
  ? ReturnType<Rows[Tag]>
  : never

/** An error in the words of the wire. */
export function toWire<E extends DomainError>(error: E): WireError<E>
export function toWire(error: DomainError): WireError<DomainError> {
  // A row takes the error of its own tag: what the compiler cannot follow through the index.
  const row = rows[error._tag] as (error: DomainError) => WireError<DomainError>
  return row(error)
}

/** What is out, in the words of the log. */
const outages = {
  StoreUnavailable: "The store is unavailable",
  ObjectsUnavailable: "The store is unavailable",
  IdTokensUnavailable: "The identity provider is unavailable"
}

/** An outage is over as soon as the database answers again: who waits a second asks nobody too much. */
const comeBack = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1"))
)

/**
 * Answers in the words of the wire. An error without a row does not compile, nor does an answer that the endpoint does
 * not declare. What the store said goes to the log, never to the client.
 */
export const answer = <A, E extends DomainError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, WireError<E>, R | HttpServerRequest.HttpServerRequest> =>
  effect.pipe(
    Effect.tapError((error) =>
      error._tag === "StoreUnavailable" || error._tag === "ObjectsUnavailable" || error._tag === "IdTokensUnavailable"
        ? Effect.andThen(comeBack, Effect.logError(outages[error._tag], { reason: error.reason }))
        : error._tag === "HumanCheckUnavailable"
          ? Effect.logError("Forms cannot be verified", { reason: error.reason })
          : Effect.void
    ),
    Effect.mapError((error) => toWire(error))
  )
