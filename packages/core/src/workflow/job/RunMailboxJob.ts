import { Effect } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import { again, done, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import type { FolderRole, ListedFolder } from "../../domain/mailbox/Folder.ts"
import type { MailboxAccount } from "../../domain/mailbox/MailboxAccount.ts"
import { type MailboxJob, maxSearchedFolders } from "../../domain/mailbox/MailboxJob.ts"
import { MailComposer } from "../../port/provider/MailComposer.ts"
import type { MailboxConnection } from "../../port/provider/Mailboxes.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { MailboxAccounts } from "../../port/repository/conversation/MailboxAccounts.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { log } from "../LogEvents.ts"
import { readFiles } from "../sending/ReadFiles.ts"
import { openStoredMailbox } from "../mailbox/MailboxLogins.ts"

type Queued = QueuedJob<MailboxJob>
type Of<Kind extends MailboxJob["kind"]> = Extract<MailboxJob, { readonly kind: Kind }>

/** Returns the mailbox of a job. Returns null when it is no longer connected or has to be connected again. */
const mailboxOfJob = Effect.fnUntraced(function* ({ job, tenantId }: Queued) {
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const grant = yield* (yield* Grants).find(tenantId, job.grantId)
  if (tenant === null || tenant.hipaa || grant?.provider !== "imap") return null
  if (grant.status !== "active") return null
  const account = yield* (yield* MailboxAccounts).find(tenantId, job.grantId)
  return account === null ? null : { grant, account }
})

/** The order in which folders are searched for a received mail. */
const searched: ReadonlyArray<FolderRole> = ["inbox", "archive", "other"]

const searchOrder = (folders: ReadonlyArray<ListedFolder>): ReadonlyArray<ListedFolder> =>
  searched.flatMap((role) => folders.filter((folder) => folder.role === role)).slice(0, maxSearchedFolders)

/** Adds the flag to each mail in the first folder that contains the mail. */
const addFlags = Effect.fnUntraced(function* (
  connection: MailboxConnection,
  { flag, internetMessageIds }: Of<"mailbox_flag">
) {
  const folders = searchOrder(yield* connection.folders)
  for (const id of internetMessageIds) {
    for (const { path } of folders) {
      if (!(yield* connection.contains(path, id))) continue
      yield* connection.addFlags(path, id, [flag])
      break
    }
  }
})

/** Stores a sent mail in the folder for sent mail, unless the provider or another program has stored it. */
const append = Effect.fnUntraced(function* (
  connection: MailboxConnection,
  tenantId: string,
  { messageId }: Of<"mailbox_append">
) {
  const send = yield* (yield* Sends).find(tenantId, messageId)
  if (send?.channel !== "email" || send.state !== "confirmed") return
  const sent = (yield* connection.folders).find(({ role }) => role === "sent")
  if (sent === undefined || (yield* connection.contains(sent.path, send.mail.internetMessageId))) return
  const read = yield* readFiles(tenantId, send.mail.attachments ?? [])
  if (read._tag === "Missing") return
  const raw = yield* (yield* MailComposer).compose(send.mail, read.files)
  yield* connection.append(sent.path, raw)
})

const work = Effect.fnUntraced(function* ({ job, tenantId }: Queued, grant: Grant, account: MailboxAccount) {
  const connection = yield* openStoredMailbox({ grant, account })
  yield* job.kind === "mailbox_flag" ? addFlags(connection, job) : append(connection, tenantId, job)
  return done
}, Effect.scoped)

/** Retries a failed job a few times. The sync of the mailbox reports its failures, so this job does not. */
const postpone = Effect.fnUntraced(function* ({ attempts, jobId, tenantId }: Queued, reason: string) {
  if (attempts < maxJobAttempts) return again(reason)
  yield* log("mailbox.job_failed", { tenant: tenantId, job: jobId, reason })
  return done
})

/** Runs one job in a mailbox. Its failure has no effect on the mail that caused the job. */
export const runMailboxJob = (queued: Queued) =>
  Effect.gen(function* () {
    const mailbox = yield* mailboxOfJob(queued)
    return mailbox === null ? done : yield* work(queued, mailbox.grant, mailbox.account)
  }).pipe(
    Effect.catchTags({
      UnsealFailed: ({ reason }) => postpone(queued, reason),
      MailboxLoginFailed: ({ detail }) => postpone(queued, detail),
      ProviderFailure: ({ message }) => postpone(queued, message)
    })
  )
