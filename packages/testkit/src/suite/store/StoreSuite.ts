/**
 * The list of all port suites, and suites of ports that belong to no other folder.
 */
import type { StoreLayer } from "../StoreLayer.ts"
import { auditTrailSuite } from "../access/AuditTrailSuite.ts"
import { backlogsSuite } from "./BacklogsSuite.ts"
import { batchesSuite } from "../tenant/BatchesSuite.ts"
import { billingAccountsSuite, creditsSuite } from "../billing/BillingPortsSuite.ts"
import { configSuite, guardEvaluationsSuite } from "../tenant/ConfigSuite.ts"
import { contactMergesSuite } from "../contact/ContactMergesSuite.ts"
import { contactSummariesSuite } from "../contact/ContactSummariesSuite.ts"
import { contactsSuite } from "../contact/ContactsSuite.ts"
import { identitiesSuite } from "../contact/IdentitiesSuite.ts"
import { companiesSuite } from "../company/CompaniesSuite.ts"
import { segmentsSuite } from "../segment/SegmentsSuite.ts"
import { contactImportsSuite } from "../import/ContactImportsSuite.ts"
import { customFieldsSuite } from "../field/CustomFieldsSuite.ts"
import { conversationsSuite } from "../conversation/ConversationsSuite.ts"
import { crmCallsSuite, crmLocationsSuite } from "../crm/CrmLocationsSuite.ts"
import { deliveriesSuite, eventExpirySuite } from "../webhook/DeliveriesSuite.ts"
import { grantsSuite, sendsSuite } from "../mailbox/EmailSuite.ts"
import { crmSuite } from "../crm/CrmSuite.ts"
import { jobsSuite, signInsSuite } from "../mailbox/HostedSuite.ts"
import { mailboxSyncsSuite } from "../mailbox/MailboxSyncsSuite.ts"
import { idempotencyRecordsSuite } from "../access/IdempotencyRecordsSuite.ts"
import { dealsSuite } from "../lead/DealsSuite.ts"
import { leadPagesSuite } from "../lead/LeadPagesSuite.ts"
import { leadsSuite } from "../lead/LeadsSuite.ts"
import { messagesSuite } from "../conversation/MessagesSuite.ts"
import { providerEventsSuite } from "../webhook/ProviderEventsSuite.ts"
import { blocklistSuite, optOutsSuite, phoneNumbersSuite } from "../contact/NumbersSuite.ts"
import { editedTenantsSuite } from "../access/EditedTenantsSuite.ts"
import { rateLimitsSuite } from "../access/RateLimitsSuite.ts"
import { arrivalsSuite, draftEndsSuite, draftsSuite, eventsSuite, runsSuite } from "./RecordsSuite.ts"
import { scoresSuite } from "../lead/ScoresSuite.ts"
import { signalsSuite } from "../pipeline/SignalsSuite.ts"
import { subscriptionsSuite } from "../webhook/SubscriptionsSuite.ts"
import { tasksSuite } from "../task/TasksSuite.ts"
import { apiKeysSuite, sourcesSuite, tenantsSuite, usagesSuite } from "../access/TenancySuite.ts"
import { threadsSuite } from "../conversation/ThreadsSuite.ts"
import { teamsSuite, usersSuite } from "../user/UsersSuite.ts"
import { transactionsSuite } from "./TransactionsSuite.ts"

/** Runs the suites of all store ports on one store. */
export const storeSuite = (name: string, store: StoreLayer): void => {
  tenantsSuite(name, store)
  editedTenantsSuite(name, store)
  sourcesSuite(name, store)
  apiKeysSuite(name, store)
  configSuite(name, store)
  guardEvaluationsSuite(name, store)
  contactsSuite(name, store)
  identitiesSuite(name, store)
  customFieldsSuite(name, store)
  companiesSuite(name, store)
  segmentsSuite(name, store)
  contactImportsSuite(name, store)
  contactMergesSuite(name, store)
  contactSummariesSuite(name, store)
  threadsSuite(name, store)
  messagesSuite(name, store)
  conversationsSuite(name, store)
  leadsSuite(name, store)
  leadPagesSuite(name, store)
  dealsSuite(name, store)
  scoresSuite(name, store)
  signalsSuite(name, store)
  grantsSuite(name, store)
  sendsSuite(name, store)
  jobsSuite(name, store)
  signInsSuite(name, store)
  mailboxSyncsSuite(name, store)
  providerEventsSuite(name, store)
  idempotencyRecordsSuite(name, store)
  auditTrailSuite(name, store)
  crmLocationsSuite(name, store)
  crmCallsSuite(name, store)
  crmSuite(name, store)
  phoneNumbersSuite(name, store)
  blocklistSuite(name, store)
  optOutsSuite(name, store)
  runsSuite(name, store)
  draftsSuite(name, store)
  draftEndsSuite(name, store)
  tasksSuite(name, store)
  eventsSuite(name, store)
  subscriptionsSuite(name, store)
  deliveriesSuite(name, store)
  eventExpirySuite(name, store)
  arrivalsSuite(name, store)
  usagesSuite(name, store)
  backlogsSuite(name, store)
  batchesSuite(name, store)
  billingAccountsSuite(name, store)
  creditsSuite(name, store)
  rateLimitsSuite(name, store)
  usersSuite(name, store)
  teamsSuite(name, store)
  transactionsSuite(name, store)
}
