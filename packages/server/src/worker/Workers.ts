/**
 * The background workers of the process. The loop is in `packages/core/src/workflow/worker`, and each queue is declared
 * next to its workflow. Tests: `packages/server/test/worker`.
 */
import { DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import { deleteExpired } from "@leadloom/core/internal/workflow/access/DeleteExpired"
import { callQueue } from "@leadloom/core/internal/workflow/action/RunCall"
import { jobQueue, type RunJob } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { wakeAllConversations } from "@leadloom/core/internal/workflow/conversation/WakeConversations"
import { reportFailedMailboxes } from "@leadloom/core/internal/workflow/mailbox/sync/ReportFailedMailboxes"
import { mailboxQueue } from "@leadloom/core/internal/workflow/mailbox/sync/WorkMailboxes"
import { signalQueue } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { followReports } from "@leadloom/core/internal/workflow/report/FollowReports"
import { scheduledQueue } from "@leadloom/core/internal/workflow/schedule/ReleaseScheduled"
import { expireUploads } from "@leadloom/core/internal/workflow/upload/ExpireUploads"
import { searchQueue } from "@leadloom/core/internal/workflow/search/WorkSearch"
import { expireAutomation } from "@leadloom/core/internal/workflow/sequence/ExpireAutomation"
import { sequenceQueue } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { triggerQueue } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { sendQueue } from "@leadloom/core/internal/workflow/sending/WorkSends"
import { expireEvents } from "@leadloom/core/internal/workflow/webhook/ExpireEvents"
import { deliveryQueue } from "@leadloom/core/internal/workflow/webhook/WorkDeliveries"
import { repeatedWork } from "@leadloom/core/internal/workflow/worker/RepeatedWork"
import { type Queue, startWorkers } from "@leadloom/core/internal/workflow/worker/Worker"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { log } from "../LogEvents.ts"

/** Processes a queue while the server runs. At shutdown, the workers finish their current items. */
export const workersOf = <Item, R>(queue: Queue<Item, R>) =>
  Layer.effectDiscard(Effect.provideService(startWorkers(queue), CurrentWorker, `worker.${queue.name}`))

/** Deletes expired idempotency records and provider events. */
const keyCleaner = repeatedWork(
  "keyCleaner",
  "failed to delete expired idempotency records and provider events",
  Effect.asVoid(Effect.suspend(deleteExpired))
)

/** The interval in which ended snoozes without a job are found. Lists and counts need no wake-up. */
const wakeMillis = 60_000

/** Opens conversations whose snooze has ended, in addition to the jobs of the snoozes. */
const snoozeWaker = repeatedWork(
  "snoozeWaker",
  "failed to open conversations whose snooze has ended",
  Effect.suspend(wakeAllConversations),
  wakeMillis
)

/** The interval in which new messages and runs are counted for reports. */
const reportMillis = 60_000

/** Counts new messages and runs for reports. */
const reportCounter = repeatedWork(
  "reportCounter",
  "failed to count messages and runs for reports",
  Effect.suspend(followReports),
  reportMillis
)

/** Deletes uploads that no message contains. */
const uploadCleaner = repeatedWork(
  "uploadCleaner",
  "failed to delete expired uploads",
  Effect.asVoid(Effect.suspend(expireUploads))
)

/** Deletes enrolments and trigger runs that ended long ago. */
const automationCleaner = repeatedWork(
  "automationCleaner",
  "failed to delete ended enrolments and trigger runs",
  Effect.asVoid(Effect.suspend(expireAutomation))
)

/** Deletes outbound events whose retention has ended. */
const eventCleaner = (days: number) =>
  repeatedWork(
    "eventCleaner",
    "failed to delete expired events",
    Effect.flatMap(expireEvents(days), (removed) =>
      removed === 0 ? Effect.void : log("events.expired", { removed, days })
    )
  )

/** Delivers outbound events, unless the delivery mode is `off`. */
const deliveries = Layer.unwrap(
  Effect.map(DeliveryPolicy, ({ mode }) => (mode === "off" ? Layer.empty : workersOf(deliveryQueue)))
)

/** The interval in which mailboxes that have failed for an hour are found. */
const mailboxReportMillis = 60_000

/** Reports mailboxes that have failed for an hour. */
const mailboxReporter = repeatedWork(
  "mailboxReporter",
  "failed to report mailboxes that cannot be read",
  Effect.suspend(reportFailedMailboxes),
  mailboxReportMillis
)

/**
 * All workers of a server. `run` runs a job, `days` is the retention of outbound events in days, and `mailboxes` is the
 * maximum number of connected mailboxes.
 */
export const layer = <R>(run: RunJob<R>, days: number, mailboxes: number) =>
  Layer.mergeAll(
    workersOf(signalQueue),
    workersOf(sendQueue),
    workersOf(mailboxQueue(mailboxes)),
    workersOf(mailboxReporter),
    workersOf(scheduledQueue),
    workersOf(sequenceQueue),
    workersOf(triggerQueue),
    workersOf(uploadCleaner),
    workersOf(jobQueue(run)),
    workersOf(callQueue),
    workersOf(searchQueue),
    deliveries,
    workersOf(eventCleaner(days)),
    workersOf(keyCleaner),
    workersOf(automationCleaner),
    workersOf(snoozeWaker),
    workersOf(reportCounter)
  )
