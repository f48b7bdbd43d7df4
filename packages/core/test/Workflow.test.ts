import { layer as memory } from "@leadloom/core/memory/MemoryStore"
import { auditSuite } from "@leadloom/testkit/suite/access/AuditSuite"
import { autoReplySuite } from "@leadloom/testkit/suite/sending/AutoReplySuite"
import { draftSuite } from "@leadloom/testkit/suite/draft/DraftSuite"
import { formSuite } from "@leadloom/testkit/suite/intake/FormSuite"
import { draftStorySuite } from "@leadloom/testkit/suite/draft/DraftStorySuite"
import { billingOrderSuite } from "@leadloom/testkit/suite/billing/BillingOrderSuite"
import { billingSuite } from "@leadloom/testkit/suite/billing/BillingSuite"
import { creditSuite } from "@leadloom/testkit/suite/billing/CreditSuite"
import { intakeSuite } from "@leadloom/testkit/suite/intake/IntakeSuite"
import { keepingSuite } from "@leadloom/testkit/suite/intake/KeepingSuite"
import { longDraftSuite } from "@leadloom/testkit/workflow/LongDraftSuite"
import { mergeSuite } from "@leadloom/testkit/suite/contact/MergeSuite"
import { onceSuite } from "@leadloom/testkit/suite/access/OnceSuite"
import { pagingSuite } from "@leadloom/testkit/suite/conversation/PagingSuite"
import { historySuite } from "@leadloom/testkit/suite/conversation/HistorySuite"
import { searchSuite } from "@leadloom/testkit/suite/search/SearchSuite"
import { leadSuite } from "@leadloom/testkit/suite/lead/LeadSuite"
import { weighedReplySuite } from "@leadloom/testkit/suite/pipeline/WeighedReplySuite"
import { modelSuite } from "@leadloom/testkit/suite/pipeline/ModelSuite"
import { backtestSuite } from "@leadloom/testkit/suite/pipeline/BacktestSuite"
import { crmRuleSuite } from "@leadloom/testkit/suite/crm/CrmRuleSuite"
import { budgetSuite } from "@leadloom/testkit/workflow/BudgetSuite"
import { pipelineSuite } from "@leadloom/testkit/suite/pipeline/PipelineSuite"
import { crmAccessSuite } from "@leadloom/testkit/suite/crm/CrmAccessSuite"
import { crmAgencySuite } from "@leadloom/testkit/suite/crm/CrmAgencySuite"
import { crmFirstSyncSuite } from "@leadloom/testkit/suite/crm/CrmFirstSyncSuite"
import { crmLoopSuite } from "@leadloom/testkit/suite/crm/CrmLoopSuite"
import { crmOptOutSuite } from "@leadloom/testkit/suite/crm/CrmOptOutSuite"
import { crmSyncSuite } from "@leadloom/testkit/suite/crm/CrmSyncSuite"
import { hostedAccountsSuite } from "@leadloom/testkit/suite/mailbox/HostedAccountsSuite"
import { hostedMailSuite } from "@leadloom/testkit/suite/mailbox/HostedMailSuite"
import { replySuite } from "@leadloom/testkit/suite/sending/ReplySuite"
import { reopenSuite } from "@leadloom/testkit/workflow/ReopenSuite"
import { undeliverableSuite } from "@leadloom/testkit/workflow/UndeliverableSuite"
import { sendSuite } from "@leadloom/testkit/suite/sending/SendSuite"
import { taskSuite } from "@leadloom/testkit/suite/task/TaskSuite"
import { unparsedSuite } from "@leadloom/testkit/workflow/UnparsedSuite"
import { webhookFailureSuite } from "@leadloom/testkit/suite/webhook/WebhookFailureSuite"
import { webhookSuite } from "@leadloom/testkit/suite/webhook/WebhookSuite"

intakeSuite("memory", memory)
keepingSuite("memory", memory)
unparsedSuite("memory", memory)
pipelineSuite("memory", memory)
budgetSuite("memory", memory)
crmRuleSuite("memory", memory)
modelSuite("memory", memory)
weighedReplySuite("memory", memory)
backtestSuite("memory", memory)
sendSuite("memory", memory)
reopenSuite("memory", memory)
undeliverableSuite("memory", memory)
crmAccessSuite("memory", memory)
crmAgencySuite("memory", memory)
crmSyncSuite("memory", memory)
crmOptOutSuite("memory", memory)
crmLoopSuite("memory", memory, 1_000)
crmFirstSyncSuite("memory", memory, 1_000)
hostedAccountsSuite("memory", memory)
hostedMailSuite("memory", memory)
autoReplySuite("memory", memory)
mergeSuite("memory", memory)
pagingSuite("memory", memory)
replySuite("memory", memory)
leadSuite("memory", memory)
taskSuite("memory", memory)
webhookSuite("memory", memory)
auditSuite("memory", memory, false)
onceSuite("memory", memory, false)
webhookFailureSuite("memory", memory)
draftSuite("memory", memory)
formSuite("memory", memory)
draftStorySuite("memory", memory)
longDraftSuite("memory", memory)
historySuite("memory", memory)
searchSuite("memory", memory)
billingSuite("memory", memory)
creditSuite("memory", memory)
billingOrderSuite("memory", memory, 200)
