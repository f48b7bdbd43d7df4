/**
 * The public API of the package: the ports that a program can implement, with their errors and domain types. All other
 * modules are internal (`docs/decisions/0086-packages.md`). `docs/reference/packages.md` lists the names.
 */

// Email.
export {
  type AssignedIds,
  demandMailClearance,
  EmailTransport,
  type Outgoing,
  type TransportReceipt
} from "./port/provider/EmailTransport.ts"
export { type OutgoingMail, recipientsOf } from "./domain/email/OutgoingMail.ts"
export { type Grant, type MailProvider } from "./domain/email/Grant.ts"
export { type Address, isEmail, normalizeEmail } from "./domain/address/Address.ts"

// Text messages.
export {
  SmsProvider,
  type TextMedia,
  type TextOrder,
  type TextReceipt,
  type TextTimeRange
} from "./port/provider/SmsProvider.ts"
export { type OutgoingText, type Segmentation, segmentsOf } from "./domain/conversation/OutgoingText.ts"
export type { TextArrived, TextMediaReference, TextProgress, TextState } from "./domain/conversation/TextEvent.ts"

// Calls.
export {
  type CallToPlace,
  type CallToTransfer,
  clearanceMissing,
  maxRecordingBytes,
  type PlacedCall,
  type ProviderRecording,
  type RecordingAudio,
  VoiceProvider
} from "./port/provider/VoiceProvider.ts"
export type { CallLeg, CallLegs } from "./domain/call/CallLegs.ts"

// CRM.
export { Crm } from "./port/provider/Crm.ts"
export type { CrmShape } from "./port/repository/crm/CrmShape.ts"
export type { CrmChanges, CrmContact, CrmPage, CrmTask, SyncedFields } from "./domain/crm/CrmContact.ts"
export type { AgencyLocation, CrmAccess, CrmGrant, GrantLevel } from "./domain/crm/CrmGrant.ts"

// The assistant: classification and replies.
export { type Classified, Classifier, type MessageToClassify } from "./port/provider/Classifier.ts"
export {
  type ConversationMessage,
  type ReplyToWrite,
  ReplyWriter,
  type WrittenReply
} from "./port/provider/ReplyWriter.ts"
export { Classification } from "./domain/classification/Classification.ts"
export { ModelFailed, ModelMissing, type ModelUse } from "./domain/classification/Model.ts"
export type { AssistantConfig } from "./domain/tenant/TenantConfig.ts"

// Payments.
export {
  type PaymentCustomer,
  Payments,
  type PaymentsFailure,
  type SubscriptionChange
} from "./port/provider/Payments.ts"
export {
  CheckoutPage,
  type CheckoutState,
  type PaidPlan,
  type PaidSubscription,
  type Purchase,
  type SubscriptionStatus
} from "./domain/billing/Payment.ts"
export { IdempotencyConflict, IdempotencyInProgress } from "./domain/sending/Reservation.ts"

// People who sign in or fill in a form.
export { IdTokenInvalid, IdTokens, IdTokensUnavailable } from "./port/provider/IdTokens.ts"
export type { Identity } from "./domain/access/Identity.ts"
export {
  HumanCheck,
  HumanCheckFailed,
  HumanCheckUnavailable,
  type HumanProof,
  type HumanVerifier
} from "./port/provider/HumanCheck.ts"

// Storage.
export { objectPath, Objects, ObjectsUnavailable } from "./port/system/Objects.ts"
export { StoreUnavailable } from "./port/system/Transactions.ts"

// Permission to send, failures of providers, and ids.
export { type Clearance, demandClearance, type OutboundChannel, type SendTarget } from "./domain/consent/Clearance.ts"
export {
  gone,
  notConfigured,
  outcomeUnknown,
  ProviderFailure,
  type ProviderFailureOf,
  type ProviderReason,
  type ProviderService,
  type RecipientReport,
  refused,
  signedOut,
  unavailable
} from "./domain/provider/ProviderFailure.ts"
export { handOverMillis } from "./domain/sending/Reservation.ts"
export { type Channel } from "./domain/Channel.ts"
export { type Actor } from "./domain/conversation/Message.ts"
export { CallId, GrantId, type Id, type IdPrefix, MessageId } from "./domain/Id.ts"
