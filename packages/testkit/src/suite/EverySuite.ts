import { assignmentSuite } from "./user/AssignmentSuite.ts"
import { releaseSuite } from "./user/ReleaseSuite.ts"
import { agentDraftSuite } from "./draft/AgentDraftSuite.ts"
import { companyLinkSuite } from "./company/CompanyLinkSuite.ts"
import { composedSuite } from "./sending/ComposedSuite.ts"
import { outcomeSuite } from "./sending/OutcomeSuite.ts"
import { scheduledSuite } from "./sending/ScheduledSuite.ts"
import { automationRetentionSuite } from "./pipeline/AutomationRetentionSuite.ts"
import { defectSuite } from "./pipeline/DefectSuite.ts"
import { unavailableAccountSuite } from "./sending/UnavailableAccountSuite.ts"
import { answerClockSuite } from "./clock/AnswerClockSuite.ts"
import { enrolmentSuite } from "./sequence/EnrolmentSuite.ts"
import { holdoutSuite } from "./sequence/HoldoutSuite.ts"
import { limitSuite } from "./sequence/LimitSuite.ts"
import { sequenceRuleSuite } from "./sequence/SequenceRuleSuite.ts"
import { sequenceSuite } from "./sequence/SequenceSuite.ts"
import { callWebhookSuite } from "./pipeline/CallWebhookSuite.ts"
import { forwardSuite } from "./pipeline/ForwardSuite.ts"
import { sendTemplateSuite } from "./pipeline/SendTemplateSuite.ts"
import { stepSuite } from "./sequence/StepSuite.ts"
import { unsubscribeSuite } from "./sequence/UnsubscribeSuite.ts"
import { uploadSuite } from "./upload/UploadSuite.ts"
import { auditSuite } from "./access/AuditSuite.ts"
import { autoReplySuite } from "./sending/AutoReplySuite.ts"
import { conversationFactSuite } from "./pipeline/ConversationFactSuite.ts"
import { scheduleSuite } from "./pipeline/ScheduleSuite.ts"
import { recordFactSuite } from "./pipeline/RecordFactSuite.ts"
import { backtestSuite } from "./pipeline/BacktestSuite.ts"
import { billingOrderSuite } from "./billing/BillingOrderSuite.ts"
import { billingSuite } from "./billing/BillingSuite.ts"
import { budgetSuite } from "./pipeline/BudgetSuite.ts"
import { correctionOrderSuite } from "./thread/CorrectionOrderSuite.ts"
import { correctionSuite } from "./thread/CorrectionSuite.ts"
import { cannedReplySuite } from "./reply/CannedReplySuite.ts"
import { creditSuite } from "./billing/CreditSuite.ts"
import { crmAccessSuite } from "./crm/CrmAccessSuite.ts"
import { crmAgencySuite } from "./crm/CrmAgencySuite.ts"
import { crmFirstSyncSuite } from "./crm/CrmFirstSyncSuite.ts"
import { crmLoopSuite } from "./crm/CrmLoopSuite.ts"
import { crmOptOutSuite } from "./crm/CrmOptOutSuite.ts"
import { crmRuleSuite } from "./crm/CrmRuleSuite.ts"
import { crmSyncSuite } from "./crm/CrmSyncSuite.ts"
import { draftStorySuite } from "./draft/DraftStorySuite.ts"
import { approvalWindowSuite } from "./draft/ApprovalWindowSuite.ts"
import { draftSuite } from "./draft/DraftSuite.ts"
import { formSuite } from "./intake/FormSuite.ts"
import { inboxSuite } from "./conversation/InboxSuite.ts"
import { historySuite } from "./conversation/HistorySuite.ts"
import { hostedAccountsSuite } from "./mailbox/HostedAccountsSuite.ts"
import { hostedMailSuite } from "./mailbox/HostedMailSuite.ts"
import { mailboxReadingSuite } from "./mailbox/MailboxReadingSuite.ts"
import { mailboxReportSuite } from "./mailbox/MailboxReportSuite.ts"
import { idempotencySuite } from "./access/IdempotencySuite.ts"
import { intakeSuite } from "./intake/IntakeSuite.ts"
import { keepingSuite } from "./intake/KeepingSuite.ts"
import { leadSuite } from "./lead/LeadSuite.ts"
import { longDraftSuite } from "./draft/LongDraftSuite.ts"
import { macroSuite } from "./macro/MacroSuite.ts"
import { mergeSuite } from "./contact/MergeSuite.ts"
import { modelSuite } from "./pipeline/ModelSuite.ts"
import { noteSuite } from "./note/NoteSuite.ts"
import { pagingSuite } from "./conversation/PagingSuite.ts"
import { peopleTasksSuite } from "./task/PeopleTasksSuite.ts"
import { pipelineSuite } from "./pipeline/PipelineSuite.ts"
import { triggerSequenceSuite } from "./pipeline/TriggerSequenceSuite.ts"
import { changeSuite } from "./pipeline/ChangeSuite.ts"
import { leadFieldSuite } from "./pipeline/LeadFieldSuite.ts"
import { linkTriggerSuite } from "./pipeline/LinkTriggerSuite.ts"
import { linkSuite } from "./sequence/LinkSuite.ts"
import { recordActionSuite } from "./pipeline/RecordActionSuite.ts"
import { conversationActionSuite } from "./pipeline/ConversationActionSuite.ts"
import { triggerSuite } from "./pipeline/TriggerSuite.ts"
import { replySuite } from "./sending/ReplySuite.ts"
import { conversionSuite } from "./report/ConversionSuite.ts"
import { pastRuleSuite } from "./simulation/PastRuleSuite.ts"
import { pastSuite } from "./simulation/PastSuite.ts"
import { causeSimulationSuite } from "./simulation/CauseSimulationSuite.ts"
import { ruleSimulationSuite } from "./simulation/RuleSimulationSuite.ts"
import { simulationSuite } from "./simulation/SimulationSuite.ts"
import { reportSuite } from "./report/ReportSuite.ts"
import { noteSearchSuite } from "./search/NoteSearchSuite.ts"
import { stageRemovalSuite } from "./lead/StageRemovalSuite.ts"
import { searchSuite } from "./search/SearchSuite.ts"
import { sendSuite } from "./sending/SendSuite.ts"
import { taskSuite } from "./task/TaskSuite.ts"
import { unparsedSuite } from "./intake/UnparsedSuite.ts"
import { userSuite } from "./user/UserSuite.ts"
import { webhookFailureSuite } from "./webhook/WebhookFailureSuite.ts"
import { webhookSuite } from "./webhook/WebhookSuite.ts"
import { weighedReplySuite } from "./pipeline/WeighedReplySuite.ts"
import type { StoreLayer } from "./StoreLayer.ts"

/** A database on which the suites run. */
export interface SuiteDatabase {
  readonly name: string
  /** For tests that run on a test clock. */
  readonly store: StoreLayer
  /** For tests that run on the real clock. */
  readonly live: StoreLayer
  /** Contacts of the first CRM sync. */
  readonly firstSyncContacts: number
  /** Orders in which billing events arrive. */
  readonly billingOrders: number
}

/**
 * Registers all suites of workflows on one database. Every new suite must be added here, so that it runs on SQLite and
 * Postgres. The suite of the repositories (`StoreSuite`) is registered by the package `store`, which also checks its
 * query plans.
 */
export const everySuite = ({ name, store, live, firstSyncContacts, billingOrders }: SuiteDatabase): void => {
  intakeSuite(name, store)
  keepingSuite(name, store)
  correctionSuite(name, store)
  correctionOrderSuite(name, store)
  unparsedSuite(name, store)
  pipelineSuite(name, store)
  triggerSuite(name, store)
  changeSuite(name, store)
  leadFieldSuite(name, store)
  linkTriggerSuite(name, store)
  recordActionSuite(name, store)
  conversationActionSuite(name, store)
  triggerSequenceSuite(name, store)
  recordFactSuite(name, store)
  conversationFactSuite(name, store)
  scheduleSuite(name, store)
  budgetSuite(name, store)
  crmRuleSuite(name, store)
  modelSuite(name, store)
  weighedReplySuite(name, store)
  backtestSuite(name, store)
  sendSuite(name, store)
  uploadSuite(name, store)
  composedSuite(name, store)
  scheduledSuite(name, store)
  unavailableAccountSuite(name, store)
  sequenceSuite(name, store)
  answerClockSuite(name, store)
  defectSuite(name, store)
  automationRetentionSuite(name, store)
  holdoutSuite(name, store)
  limitSuite(name, store)
  callWebhookSuite(name, store)
  forwardSuite(name, store)
  sendTemplateSuite(name, store)
  stepSuite(name, store)
  unsubscribeSuite(name, store)
  linkSuite(name, store)
  enrolmentSuite(name, store)
  sequenceRuleSuite(name, store)
  outcomeSuite(name, store)
  agentDraftSuite(name, store)
  crmAccessSuite(name, store)
  crmAgencySuite(name, store)
  crmSyncSuite(name, store)
  crmOptOutSuite(name, store)
  crmLoopSuite(name, store, 100)
  crmFirstSyncSuite(name, store, firstSyncContacts)
  hostedAccountsSuite(name, store)
  hostedMailSuite(name, store)
  mailboxReadingSuite(name, store)
  mailboxReportSuite(name, store)
  autoReplySuite(name, store)
  mergeSuite(name, live)
  pagingSuite(name, live)
  replySuite(name, store)
  leadSuite(name, store)
  stageRemovalSuite(name, store)
  taskSuite(name, store)
  peopleTasksSuite(name, store)
  noteSuite(name, store)
  companyLinkSuite(name, store)
  cannedReplySuite(name, store)
  macroSuite(name, store)
  billingSuite(name, store)
  creditSuite(name, store)
  billingOrderSuite(name, store, billingOrders)
  webhookSuite(name, store)
  auditSuite(name, store)
  idempotencySuite(name, store)
  webhookFailureSuite(name, store)
  draftSuite(name, store)
  approvalWindowSuite(name, store)
  formSuite(name, store)
  draftStorySuite(name, store)
  longDraftSuite(name, store)
  historySuite(name, store)
  inboxSuite(name, store)
  searchSuite(name, store)
  noteSearchSuite(name, store)
  userSuite(name, store)
  assignmentSuite(name, store)
  releaseSuite(name, store)
  reportSuite(name, store)
  conversionSuite(name, store)
  pastRuleSuite(name, store)
  pastSuite(name, store)
  ruleSimulationSuite(name, store)
  causeSimulationSuite(name, store)
  simulationSuite(name, store)
}
