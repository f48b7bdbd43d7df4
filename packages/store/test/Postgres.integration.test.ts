import { storeSuite } from "@leadloom/testkit/suite/store/StoreSuite"
import { auditSuite } from "@leadloom/testkit/suite/access/AuditSuite"
import { autoReplySuite } from "@leadloom/testkit/suite/sending/AutoReplySuite"
import { draftSuite } from "@leadloom/testkit/suite/draft/DraftSuite"
import { formSuite } from "@leadloom/testkit/suite/intake/FormSuite"
import { draftStorySuite } from "@leadloom/testkit/suite/draft/DraftStorySuite"
import { intakeSuite } from "@leadloom/testkit/suite/intake/IntakeSuite"
import { keepingSuite } from "@leadloom/testkit/suite/intake/KeepingSuite"
import { longDraftSuite } from "@leadloom/testkit/workflow/LongDraftSuite"
import { mergeSuite } from "@leadloom/testkit/suite/contact/MergeSuite"
import { idempotencySuite } from "@leadloom/testkit/suite/access/IdempotencySuite"
import { pagingSuite } from "@leadloom/testkit/suite/conversation/PagingSuite"
import { billingOrderSuite } from "@leadloom/testkit/suite/billing/BillingOrderSuite"
import { billingSuite } from "@leadloom/testkit/suite/billing/BillingSuite"
import { creditSuite } from "@leadloom/testkit/suite/billing/CreditSuite"
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
import { sendSuite } from "@leadloom/testkit/suite/sending/SendSuite"
import { taskSuite } from "@leadloom/testkit/suite/task/TaskSuite"
import { unparsedSuite } from "@leadloom/testkit/workflow/UnparsedSuite"
import { webhookFailureSuite } from "@leadloom/testkit/suite/webhook/WebhookFailureSuite"
import { webhookSuite } from "@leadloom/testkit/suite/webhook/WebhookSuite"
import { livePostgres, temporaryPostgres } from "./TemporaryPostgres.ts"

storeSuite("Postgres", temporaryPostgres)
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
idempotencySuite("Postgres", temporaryPostgres, true)
webhookFailureSuite("Postgres", temporaryPostgres)
draftSuite("Postgres", temporaryPostgres)
formSuite("Postgres", temporaryPostgres)
draftStorySuite("Postgres", temporaryPostgres)
longDraftSuite("Postgres", temporaryPostgres)
historySuite("Postgres", temporaryPostgres)
searchSuite("Postgres", temporaryPostgres)
