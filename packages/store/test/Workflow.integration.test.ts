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
import { sendSuite } from "@leadloom/testkit/workflow/SendSuite"
import { taskSuite } from "@leadloom/testkit/workflow/TaskSuite"
import { unparsedSuite } from "@leadloom/testkit/workflow/UnparsedSuite"
import { webhookFailureSuite } from "@leadloom/testkit/workflow/WebhookFailureSuite"
import { webhookSuite } from "@leadloom/testkit/workflow/WebhookSuite"
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
onceSuite("SQLite", store, true)
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
