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
import { idempotencySuite } from "@leadloom/testkit/suite/access/IdempotencySuite"
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
import { sendSuite } from "@leadloom/testkit/suite/sending/SendSuite"
import { taskSuite } from "@leadloom/testkit/suite/task/TaskSuite"
import { unparsedSuite } from "@leadloom/testkit/workflow/UnparsedSuite"
import { webhookFailureSuite } from "@leadloom/testkit/suite/webhook/WebhookFailureSuite"
import { webhookSuite } from "@leadloom/testkit/suite/webhook/WebhookSuite"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Store from "../src/Store.ts"

/** A database in a folder of its own, which goes with it. */
const store = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "leadloom-workflow-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => Store.layer({ url: `sqlite:${join(folder, "leadloom.db")}` })
  )
)

intakeSuite("SQLite", store)
keepingSuite("SQLite", store)
unparsedSuite("SQLite", store)
pipelineSuite("SQLite", store)
budgetSuite("SQLite", store)
crmRuleSuite("SQLite", store)
modelSuite("SQLite", store)
weighedReplySuite("SQLite", store)
backtestSuite("SQLite", store)
sendSuite("SQLite", store)
crmAccessSuite("SQLite", store)
crmAgencySuite("SQLite", store)
crmSyncSuite("SQLite", store)
crmOptOutSuite("SQLite", store)
crmLoopSuite("SQLite", store, 100)
crmFirstSyncSuite("SQLite", store, 1_000)
hostedAccountsSuite("SQLite", store)
hostedMailSuite("SQLite", store)
autoReplySuite("SQLite", store)
mergeSuite("SQLite", store)
pagingSuite("SQLite", store)
replySuite("SQLite", store)
leadSuite("SQLite", store)
taskSuite("SQLite", store)
webhookSuite("SQLite", store)
auditSuite("SQLite", store, true)
idempotencySuite("SQLite", store, true)
webhookFailureSuite("SQLite", store)
draftSuite("SQLite", store)
formSuite("SQLite", store)
draftStorySuite("SQLite", store)
longDraftSuite("SQLite", store)
historySuite("SQLite", store)
searchSuite("SQLite", store)
billingSuite("SQLite", store)
creditSuite("SQLite", store)
billingOrderSuite("SQLite", store, 40)
