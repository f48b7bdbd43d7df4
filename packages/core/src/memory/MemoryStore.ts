import { Layer } from "effect"
import { Activities } from "../port/repository/Activities.ts"
import { ApiKeys } from "../port/repository/ApiKeys.ts"
import { Arrivals } from "../port/repository/Arrivals.ts"
import { Assistants } from "../port/repository/Assistants.ts"
import { AuditTrail } from "../port/repository/AuditTrail.ts"
import { Backlogs } from "../port/repository/Backlogs.ts"
import { Batches } from "../port/repository/Batches.ts"
import { BillingAccounts } from "../port/repository/BillingAccounts.ts"
import { Blocklist } from "../port/repository/Blocklist.ts"
import { Calls } from "../port/repository/Calls.ts"
import { ConfigChanges } from "../port/repository/ConfigChanges.ts"
import { ContactMerges } from "../port/repository/ContactMerges.ts"
import { ContactSummaries } from "../port/repository/ContactSummaries.ts"
import { Contacts } from "../port/repository/Contacts.ts"
import { Conversations } from "../port/repository/Conversations.ts"
import { Credits } from "../port/repository/Credits.ts"
import { CrmCalls } from "../port/repository/CrmCalls.ts"
import { CrmLocations } from "../port/repository/CrmLocations.ts"
import { CrmFirstSyncs } from "../port/repository/CrmFirstSyncs.ts"
import { CrmInstalls } from "../port/repository/CrmInstalls.ts"
import { CrmLinks } from "../port/repository/CrmLinks.ts"
import { Deliveries } from "../port/repository/Deliveries.ts"
import { Drafts } from "../port/repository/Drafts.ts"
import { Erasures } from "../port/repository/Erasures.ts"
import { Errands } from "../port/repository/Errands.ts"
import { Events } from "../port/repository/Events.ts"
import { Grants } from "../port/repository/Grants.ts"
import { GuardEvaluations } from "../port/repository/GuardEvaluations.ts"
import { Holdings } from "../port/repository/Holdings.ts"
import { IdempotencyRecords } from "../port/repository/IdempotencyRecords.ts"
import { Leads } from "../port/repository/Leads.ts"
import { MemoryState } from "./MemoryState.ts"
import { Messages } from "../port/repository/Messages.ts"
import { Notices } from "../port/repository/Notices.ts"
import { OptOuts } from "../port/repository/OptOuts.ts"
import { PastRuns } from "../port/repository/PastRuns.ts"
import { PhoneNumbers } from "../port/repository/PhoneNumbers.ts"
import { RateLimits } from "../port/system/RateLimits.ts"
import { Runs } from "../port/repository/Runs.ts"
import { Scores } from "../port/repository/Scores.ts"
import { Search } from "../port/repository/Search.ts"
import { Sends } from "../port/repository/Sends.ts"
import { Signals } from "../port/repository/Signals.ts"
import { SignIns } from "../port/repository/SignIns.ts"
import { Sources } from "../port/repository/Sources.ts"
import { Subscriptions } from "../port/repository/Subscriptions.ts"
import { Tasks } from "../port/repository/Tasks.ts"
import { Tenants } from "../port/repository/Tenants.ts"
import { Threads } from "../port/repository/Threads.ts"
import { Transactions } from "../port/system/Transactions.ts"
import { Usages } from "../port/repository/Usages.ts"

/** Every store port in memory, on one state: a whole store for tests, gone with its scope. */
export const layer = Layer.mergeAll(
  Activities.layerMemory,
  ApiKeys.layerMemory,
  Arrivals.layerMemory,
  Assistants.layerMemory,
  AuditTrail.layerMemory,
  Backlogs.layerMemory,
  Batches.layerMemory,
  BillingAccounts.layerMemory,
  Blocklist.layerMemory,
  Calls.layerMemory,
  ConfigChanges.layerMemory,
  ContactMerges.layerMemory,
  ContactSummaries.layerMemory,
  Contacts.layerMemory,
  Conversations.layerMemory,
  Credits.layerMemory,
  CrmCalls.layerMemory,
  CrmLocations.layerMemory,
  CrmFirstSyncs.layerMemory,
  CrmInstalls.layerMemory,
  CrmLinks.layerMemory,
  Deliveries.layerMemory,
  Drafts.layerMemory,
  Erasures.layerMemory,
  Errands.layerMemory,
  Events.layerMemory,
  Grants.layerMemory,
  GuardEvaluations.layerMemory,
  Holdings.layerMemory,
  IdempotencyRecords.layerMemory,
  Leads.layerMemory,
  Messages.layerMemory,
  Notices.layerMemory,
  OptOuts.layerMemory,
  PhoneNumbers.layerMemory,
  RateLimits.layerMemory,
  PastRuns.layerMemory,
  Runs.layerMemory,
  Scores.layerMemory,
  Search.layerMemory,
  Sends.layerMemory,
  Signals.layerMemory,
  SignIns.layerMemory,
  Sources.layerMemory,
  Subscriptions.layerMemory,
  Tasks.layerMemory,
  Tenants.layerMemory,
  Threads.layerMemory,
  Transactions.layerMemory,
  Usages.layerMemory,
  MemoryState.layer
)
