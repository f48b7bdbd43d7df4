import type { Check } from "./Check.ts"
import { clock } from "./check/Clock.ts"
import { configuration } from "./check/Configuration.ts"
import { crm } from "./check/Crm.ts"
import { database } from "./check/Database.ts"
import { dataDirectory } from "./check/DataDirectory.ts"
import { disk } from "./check/Disk.ts"
import { hostedAccounts } from "./check/HostedAccounts.ts"
import { humanCheck } from "./check/HumanCheck.ts"
import { identityProvider } from "./check/IdentityProvider.ts"
import { languageModel } from "./check/LanguageModel.ts"
import { mailboxes } from "./check/Mailboxes.ts"
import { mailListener } from "./check/MailListener.ts"
import { mailOwners } from "./check/MailOwners.ts"
import { mailRelay } from "./check/MailRelay.ts"
import { objects } from "./check/Objects.ts"
import { openFiles } from "./check/OpenFiles.ts"
import { ownerSignIn } from "./check/OwnerSignIn.ts"
import { payments } from "./check/Payments.ts"
import { postgres } from "./check/Postgres.ts"
import { reports } from "./check/Reports.ts"
import { runningServer } from "./check/RunningServer.ts"
import { sqlite } from "./check/Sqlite.ts"
import { texts } from "./check/Texts.ts"

/** All checks, in the order of the report. */
export const checks: ReadonlyArray<Check> = [
  configuration,
  dataDirectory,
  database,
  postgres,
  sqlite,
  mailOwners,
  reports,
  clock,
  disk,
  objects,
  openFiles,
  mailRelay,
  hostedAccounts,
  ownerSignIn,
  mailboxes,
  languageModel,
  texts,
  identityProvider,
  payments,
  crm,
  humanCheck,
  mailListener,
  runningServer
]
