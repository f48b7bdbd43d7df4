import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { auditSuite } from "@leadloom/testkit/workflow/AuditSuite"
import { autoReplySuite } from "@leadloom/testkit/workflow/AutoReplySuite"
import { draftSuite } from "@leadloom/testkit/workflow/DraftSuite"
import { formSuite } from "@leadloom/testkit/workflow/FormSuite"
import { draftStorySuite } from "@leadloom/testkit/workflow/DraftStorySuite"
import { billingOrderSuite } from "@leadloom/testkit/workflow/BillingOrderSuite"
import { billingSuite } from "@leadloom/testkit/workflow/BillingSuite"
import { creditSuite } from "@leadloom/testkit/workflow/CreditSuite"
import { intakeSuite } from "@leadloom/testkit/workflow/IntakeSuite"
import { keepingSuite } from "@leadloom/testkit/workflow/KeepingSuite"
import { longDraftSuite } from "@leadloom/testkit/workflow/LongDraftSuite"
import { mergeSuite } from "@leadloom/testkit/workflow/MergeSuite"
import { onceSuite } from "@leadloom/testkit/workflow/OnceSuite"
import { pagingSuite } from "@leadloom/testkit/workflow/PagingSuite"
import { historySuite } from "@leadloom/testkit/workflow/HistorySuite"
import { searchSuite } from "@leadloom/testkit/workflow/SearchSuite"
import { leadSuite } from "@leadloom/testkit/workflow/LeadSuite"
import { weighedReplySuite } from "@leadloom/testkit/workflow/WeighedReplySuite"
import { modelSuite } from "@leadloom/testkit/workflow/ModelSuite"
import { backtestSuite } from "@leadloom/testkit/workflow/BacktestSuite"
import { crmRuleSuite } from "@leadloom/testkit/workflow/CrmRuleSuite"
import { budgetSuite } from "@leadloom/testkit/workflow/BudgetSuite"
import { pipelineSuite } from "@leadloom/testkit/workflow/PipelineSuite"
import { crmAccessSuite } from "@leadloom/testkit/workflow/CrmAccessSuite"
import { crmAgencySuite } from "@leadloom/testkit/workflow/CrmAgencySuite"
import { crmFirstSyncSuite } from "@leadloom/testkit/workflow/CrmFirstSyncSuite"
import { crmLoopSuite } from "@leadloom/testkit/workflow/CrmLoopSuite"
import { crmOptOutSuite } from "@leadloom/testkit/workflow/CrmOptOutSuite"
import { crmSyncSuite } from "@leadloom/testkit/workflow/CrmSyncSuite"
import { hostedAccountsSuite } from "@leadloom/testkit/workflow/HostedAccountsSuite"
import { hostedMailSuite } from "@leadloom/testkit/workflow/HostedMailSuite"
import { replySuite } from "@leadloom/testkit/workflow/ReplySuite"
import { reopenSuite } from "@leadloom/testkit/workflow/ReopenSuite"
import { undeliverableSuite } from "@leadloom/testkit/workflow/UndeliverableSuite"
import { sendSuite } from "@leadloom/testkit/workflow/SendSuite"
import { taskSuite } from "@leadloom/testkit/workflow/TaskSuite"
import { unparsedSuite } from "@leadloom/testkit/workflow/UnparsedSuite"
import { webhookFailureSuite } from "@leadloom/testkit/workflow/WebhookFailureSuite"
import { webhookSuite } from "@leadloom/testkit/workflow/WebhookSuite"

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
