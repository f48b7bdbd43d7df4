import { Layer } from "effect"
import { Activities } from "./Activities.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Arrivals } from "./Arrivals.ts"
import { Assistants } from "./Assistants.ts"
import { AuditTrail } from "./AuditTrail.ts"
import { Backlogs } from "./Backlogs.ts"
import { Batches } from "./Batches.ts"
import { BillingAccounts } from "./BillingAccounts.ts"
import { Blocklist } from "./Blocklist.ts"
import { Calls } from "./Calls.ts"
import { ConfigChanges } from "./ConfigChanges.ts"
import { ContactMerges } from "./ContactMerges.ts"
import { ContactSummaries } from "./ContactSummaries.ts"
import { Contacts } from "./Contacts.ts"
import { Conversations } from "./Conversations.ts"
import { Credits } from "./Credits.ts"
import { CrmCalls } from "./CrmCalls.ts"
import { CrmLocations } from "./CrmLocations.ts"
import { CrmFirstSyncs } from "./CrmFirstSyncs.ts"
import { CrmInstalls } from "./CrmInstalls.ts"
import { CrmLinks } from "./CrmLinks.ts"
import { Deliveries } from "./Deliveries.ts"
import { Drafts } from "./Drafts.ts"
import { Erasures } from "./Erasures.ts"
import { Errands } from "./Errands.ts"
import { Events } from "./Events.ts"
import { Grants } from "./Grants.ts"
import { GuardEvaluations } from "./GuardEvaluations.ts"
import { Holdings } from "./Holdings.ts"
import { IdempotencyRecords } from "./IdempotencyRecords.ts"
import { Leads } from "./Leads.ts"
import { MemoryState } from "./MemoryState.ts"
import { Messages } from "./Messages.ts"
import { Notices } from "./Notices.ts"
import { OptOuts } from "./OptOuts.ts"
import { PastRuns } from "./PastRuns.ts"
import { PhoneNumbers } from "./PhoneNumbers.ts"
import { RateLimits } from "./RateLimits.ts"
import { Runs } from "./Runs.ts"
import { Scores } from "./Scores.ts"
import { Search } from "./Search.ts"
import { Sends } from "./Sends.ts"
import { Signals } from "./Signals.ts"
import { SignIns } from "./SignIns.ts"
import { Sources } from "./Sources.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { Tasks } from "./Tasks.ts"
import { Tenants } from "./Tenants.ts"
import { Threads } from "./Threads.ts"
import { Transactions } from "./Transactions.ts"
import { Usages } from "./Usages.ts"

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
