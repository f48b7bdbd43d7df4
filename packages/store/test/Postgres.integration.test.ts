import { storeSuite } from "@leadloom/testkit/port/StoreSuite"
import { twinSuite } from "@leadloom/testkit/port/TwinSuite"
import { auditSuite } from "@leadloom/testkit/workflow/AuditSuite"
import { autoReplySuite } from "@leadloom/testkit/workflow/AutoReplySuite"
import { draftSuite } from "@leadloom/testkit/workflow/DraftSuite"
import { formSuite } from "@leadloom/testkit/workflow/FormSuite"
import { draftStorySuite } from "@leadloom/testkit/workflow/DraftStorySuite"
import { intakeSuite } from "@leadloom/testkit/workflow/IntakeSuite"
import { keepingSuite } from "@leadloom/testkit/workflow/KeepingSuite"
import { longDraftSuite } from "@leadloom/testkit/workflow/LongDraftSuite"
import { mergeSuite } from "@leadloom/testkit/workflow/MergeSuite"
import { onceSuite } from "@leadloom/testkit/workflow/OnceSuite"
import { pagingSuite } from "@leadloom/testkit/workflow/PagingSuite"
import { billingOrderSuite } from "@leadloom/testkit/workflow/BillingOrderSuite"
import { billingSuite } from "@leadloom/testkit/workflow/BillingSuite"
import { creditSuite } from "@leadloom/testkit/workflow/CreditSuite"
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
import { sendSuite } from "@leadloom/testkit/workflow/SendSuite"
import { taskSuite } from "@leadloom/testkit/workflow/TaskSuite"
import { unparsedSuite } from "@leadloom/testkit/workflow/UnparsedSuite"
import { webhookFailureSuite } from "@leadloom/testkit/workflow/WebhookFailureSuite"
import { webhookSuite } from "@leadloom/testkit/workflow/WebhookSuite"
import { livePostgres, temporaryPostgres } from "./TemporaryPostgres.ts"

storeSuite("Postgres", temporaryPostgres)
twinSuite("Postgres", livePostgres)
intakeSuite("Postgres", temporaryPostgres)
keepingSuite("Postgres", temporaryPostgres)
unparsedSuite("Postgres", temporaryPostgres)
pipelineSuite("Postgres", temporaryPostgres)
budgetSuite("Postgres", temporaryPostgres)
crmRuleSuite("Postgres", temporaryPostgres)
modelSuite("Postgres", temporaryPostgres)
weighedReplySuite("Postgres", temporaryPostgres)
backtestSuite("Postgres", temporaryPostgres)
sendSuite("Postgres", temporaryPostgres)
crmAccessSuite("Postgres", temporaryPostgres)
crmAgencySuite("Postgres", temporaryPostgres)
crmSyncSuite("Postgres", temporaryPostgres)
crmOptOutSuite("Postgres", temporaryPostgres)
crmLoopSuite("Postgres", temporaryPostgres, 100)
crmFirstSyncSuite("Postgres", temporaryPostgres, 100)
hostedAccountsSuite("Postgres", temporaryPostgres)
hostedMailSuite("Postgres", temporaryPostgres)
autoReplySuite("Postgres", temporaryPostgres)
mergeSuite("Postgres", livePostgres)
pagingSuite("Postgres", livePostgres)
replySuite("Postgres", temporaryPostgres)
leadSuite("Postgres", temporaryPostgres)
taskSuite("Postgres", temporaryPostgres)
billingSuite("Postgres", temporaryPostgres)
creditSuite("Postgres", temporaryPostgres)
billingOrderSuite("Postgres", temporaryPostgres, 20)
webhookSuite("Postgres", temporaryPostgres)
auditSuite("Postgres", temporaryPostgres, true)
onceSuite("Postgres", temporaryPostgres, true)
webhookFailureSuite("Postgres", temporaryPostgres)
draftSuite("Postgres", temporaryPostgres)
formSuite("Postgres", temporaryPostgres)
draftStorySuite("Postgres", temporaryPostgres)
longDraftSuite("Postgres", temporaryPostgres)
historySuite("Postgres", temporaryPostgres)
searchSuite("Postgres", temporaryPostgres)
