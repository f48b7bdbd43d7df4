import { Effect } from "effect"
import { runLinkJob } from "../company/LinkContacts.ts"
import { runBillingJob } from "../billing/RunBillingJob.ts"
import { openLocation } from "../crm/OpenLocation.ts"
import { runCrmJob } from "../crm/RunCrmJob.ts"
import { runFirstSync } from "../crm/RunFirstSync.ts"
import { runCallJob } from "../call/RunCallJob.ts"
import { runCrmRule } from "../crm/RunCrmRule.ts"
import { runForward } from "../action/RunForward.ts"
import { runMailJob } from "../mailbox/RunMailJob.ts"
import { runMailboxJob } from "./RunMailboxJob.ts"
import { runWake } from "../conversation/WakeConversations.ts"
import { runTaskReminder } from "../task/TaskReminder.ts"
import { runDates } from "../trigger/RunDates.ts"
import { runSchedule } from "../trigger/RunSchedule.ts"
import { runTextJob } from "../sms/RunTextJob.ts"
import { runImport } from "../import/RunImport.ts"
import { releaseWork } from "../user/ReleaseWork.ts"
import type { QueuedJob } from "../../domain/job/Job.ts"

/** Runs a job with the workflow for its kind. */
export const runJob = Effect.fnUntraced(function* (queued: QueuedJob) {
  const { job } = queued
  switch (job.kind) {
    case "fetch":
    case "catch_up":
    case "revoke":
      return yield* runMailJob({ ...queued, job })
    case "mailbox_append":
    case "mailbox_flag":
      return yield* runMailboxJob({ ...queued, job })
    case "billing_refresh":
      return yield* runBillingJob({ ...queued, job })
    case "crm_sync":
    case "crm_meet":
      return yield* runCrmJob({ ...queued, job })
    case "crm_first_sync":
      return yield* runFirstSync({ ...queued, job })
    case "crm_adopt":
      return yield* openLocation({ ...queued, job })
    case "find_text":
    case "fetch_media":
      return yield* runTextJob({ ...queued, job })
    case "delete_recording":
    case "delete_recordings":
    case "settle_call":
      return yield* runCallJob({ ...queued, job })
    case "release_user":
    case "release_team":
      return yield* releaseWork({ ...queued, job })
    case "crm_action":
      return yield* runCrmRule({ ...queued, job })
    case "forward":
      return yield* runForward({ ...queued, job })
    case "contact_import":
      return yield* runImport({ ...queued, job })
    case "task_reminder":
      return yield* runTaskReminder({ ...queued, job })
    case "wake_conversations":
      return yield* runWake({ ...queued, job })
    case "rule_schedule":
      return yield* runSchedule({ ...queued, job })
    case "rule_dates":
    case "rule_lead_dates":
      return yield* runDates({ ...queued, job })
    case "link_company":
      return yield* runLinkJob({ ...queued, job })
  }
})
