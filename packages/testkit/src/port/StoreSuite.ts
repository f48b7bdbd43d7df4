import type { StoreLayer } from "../workflow/World.ts"
import { auditTrailSuite } from "./AuditTrailSuite.ts"
import { backlogsSuite } from "./BacklogsSuite.ts"
import { batchesSuite } from "./BatchesSuite.ts"
import { billingAccountsSuite, creditsSuite } from "./BillingPortsSuite.ts"
import { configSuite, guardEvaluationsSuite } from "./ConfigSuite.ts"
import { contactMergesSuite } from "./ContactMergesSuite.ts"
import { contactSummariesSuite } from "./ContactSummariesSuite.ts"
import { contactsSuite } from "./ContactsSuite.ts"
import { conversationsSuite } from "./ConversationsSuite.ts"
import { crmCallsSuite, crmLocationsSuite } from "./CrmLocationsSuite.ts"
import { deliveriesSuite, eventExpirySuite } from "./DeliveriesSuite.ts"
import { grantsSuite, sendsSuite } from "./EmailSuite.ts"
import { crmSuite } from "./CrmSuite.ts"
import { errandsSuite, signInsSuite } from "./HostedSuite.ts"
import { idempotencyRecordsSuite } from "./IdempotencyRecordsSuite.ts"
import { leadPagesSuite } from "./LeadPagesSuite.ts"
import { leadsSuite } from "./LeadsSuite.ts"
import { messagesSuite } from "./MessagesSuite.ts"
import { noticesSuite } from "./NoticesSuite.ts"
import { blocklistSuite, optOutsSuite, phoneNumbersSuite } from "./NumbersSuite.ts"
import { rateLimitsSuite } from "./RateLimitsSuite.ts"
import { arrivalsSuite, draftEndsSuite, draftsSuite, eventsSuite, runsSuite } from "./RecordsSuite.ts"
import { scoresSuite } from "./ScoresSuite.ts"
import { signalsSuite } from "./SignalsSuite.ts"
import { subscriptionsSuite } from "./SubscriptionsSuite.ts"
import { tasksSuite } from "./TasksSuite.ts"
import { apiKeysSuite, sourcesSuite, tenantsSuite, usagesSuite } from "./TenancySuite.ts"
import { threadsSuite } from "./ThreadsSuite.ts"
import { transactionsSuite } from "./TransactionsSuite.ts"

/** Every store port on one store. */
export const storeSuite = (name: string, store: StoreLayer): void => {
  tenantsSuite(name, store)
  sourcesSuite(name, store)
  apiKeysSuite(name, store)
  configSuite(name, store)
  guardEvaluationsSuite(name, store)
  contactsSuite(name, store)
  contactMergesSuite(name, store)
  contactSummariesSuite(name, store)
  threadsSuite(name, store)
  messagesSuite(name, store)
  conversationsSuite(name, store)
  leadsSuite(name, store)
  leadPagesSuite(name, store)
  scoresSuite(name, store)
  signalsSuite(name, store)
  grantsSuite(name, store)
  sendsSuite(name, store)
  errandsSuite(name, store)
  signInsSuite(name, store)
  noticesSuite(name, store)
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
  transactionsSuite(name, store)
}
