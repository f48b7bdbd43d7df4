import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { again, done, type JobOutcome, jobLeaseMillis, type QueuedJob } from "../../domain/job/Job.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ensureCrmContact } from "./EnsureCrmContact.ts"
import type { CrmChanges } from "../../domain/crm/CrmContact.ts"
import { behaviorAfter, requestedWait } from "../../domain/provider/ProviderBehavior.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"
import type { CrmAccess } from "../../domain/crm/CrmGrant.ts"
import {
  type CrmOperation,
  crmRetryWindowMillis,
  type CrmRuleJob,
  operationText,
  mayRepeat
} from "../../domain/crm/CrmRuleJob.ts"
import { withAccess } from "./WithAccess.ts"
import { addTask } from "../task/OpenTask.ts"

type Queued = QueuedJob<CrmRuleJob>

/**
 * The maximum delay between two attempts, even if the CRM requests a longer one. A job contains data of a contact, so
 * it must end soon after an erasure.
 */
const maxWaitMillis = 15 * 60_000

/** The maximum length of a task title, in characters. */
const maxTitleLength = 200

/**
 * Ends the job and creates a task for a person. Both happen in one unit of work, so that there is only one task after
 * repeated attempts.
 */
const giveUp = Effect.fnUntraced(function* (queued: Queued, reason: string) {
  const { job, tenantId } = queued
  const { operation, leadId, ruleId, signalId } = job
  const now = yield* Clock.currentTimeMillis
  const [jobs, ids] = [yield* Jobs, yield* Ids]
  const contact = yield* resolveMergedContact(tenantId, job.contactId)
  if (contact === null) return done
  const title = `Complete in the CRM, for rule ${ruleId}: ${operationText(operation)}. Reason: ${reason}`
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if (!(yield* jobs.finish(queued))) return
      yield* addTask({
        taskId: yield* ids.next("task"),
        tenantId,
        type: "review",
        title: title.slice(0, maxTitleLength),
        contactId: contact.contactId,
        leadId,
        signalId,
        dueAt: null,
        createdAt: now
      })
    })
  )
  return done
})

const changesOf = (contact: Contact, fields: ReadonlyArray<"name" | "email" | "phone">): CrmChanges =>
  Object.fromEntries(fields.flatMap((field) => (contact[field] === null ? [] : [[field, contact[field]]])))

const perform = Effect.fnUntraced(function* (
  access: CrmAccess,
  crmContactId: string,
  operation: CrmOperation,
  contact: Contact
): Effect.fn.Return<unknown, ProviderFailure, Crm> {
  const crm = yield* Crm
  switch (operation.action) {
    case "add_tag":
      return yield* crm.addTags(access, crmContactId, [operation.tag])
    case "remove_tag":
      return yield* crm.removeTags(access, crmContactId, [operation.tag])
    case "add_note":
      return yield* crm.addNote(access, crmContactId, operation.body)
    case "create_task":
      return yield* crm.createTask(access, crmContactId, {
        title: operation.title,
        body: operation.body,
        dueAt: operation.dueAt
      })
    case "add_to_workflow":
      return yield* crm.addToWorkflow(access, crmContactId, operation.workflowId)
    case "update_contact": {
      const changes = changesOf(contact, operation.fields)
      return Object.keys(changes).length === 0 ? null : yield* crm.updateContact(access, crmContactId, changes)
    }
  }
})

/**
 * Records that the operation has started, so that after a crash another server does not repeat it. Returns false when
 * another server has claimed the job.
 */
const begin = Effect.fnUntraced(function* (queued: Queued) {
  if (mayRepeat(queued.job.operation)) return true
  const leaseUntil = (yield* Clock.currentTimeMillis) + jobLeaseMillis
  return yield* (yield* Jobs).release(queued, leaseUntil, { ...queued.job, begun: true }, "being done")
})

const lost = "the server stopped during the operation, so the outcome is unknown. Check the CRM first."

const run = Effect.fnUntraced(function* (queued: Queued) {
  const { job, tenantId } = queued
  if (job.begun) return yield* giveUp(queued, lost)
  const contact = yield* resolveMergedContact(tenantId, job.contactId)
  if (contact === null) return done
  const installs = (yield* (yield* CrmInstalls).list(tenantId)).filter(({ status }) => status !== "uninstalled")
  const there = installs.filter(({ locationId }) => job.locationId === null || job.locationId === locationId)
  if (there.length === 0) return yield* giveUp(queued, "no location of the CRM has the app installed")
  const tenant = yield* (yield* Tenants).get(tenantId)
  const place = yield* ensureCrmContact(tenant, contact, job.contactId, there)
  if (place === null)
    return yield* giveUp(queued, "the contact has no email or phone, or the CRM contact is linked with another contact")
  const { crmContactId, locationId } = place
  if (!(yield* begin(queued))) return done
  yield* withAccess(tenantId, locationId, (access) => perform(access, crmContactId, job.operation, contact))
  return done
})

/**
 * Returns the outcome after a failure. If the CRM did nothing, the job is retried. If the outcome is unknown or the
 * failure is permanent, a person gets a task.
 */
const failed = Effect.fnUntraced(function* (queued: Queued, failure: ProviderFailure) {
  const { message: reason } = failure
  const behavior = behaviorAfter(failure)
  if (behavior === "give_up") return yield* giveUp(queued, reason)
  if (behavior === "resolve" && !mayRepeat(queued.job.operation)) {
    return yield* giveUp(queued, `${reason}. The outcome is unknown. Check the CRM first.`)
  }
  const now = yield* Clock.currentTimeMillis
  if (now - queued.createdAt >= crmRetryWindowMillis) return yield* giveUp(queued, reason)
  const wait = requestedWait(failure)
  if (wait === null) return again(reason)
  const later: JobOutcome = { _tag: "Later", dueAt: now + Math.min(wait, maxWaitMillis), job: queued.job, reason }
  return later
})

/**
 * Carries out a rule's operation in the CRM. Notes, tasks and workflows are carried out at most once. If their outcome
 * is unknown, a person gets a task.
 */
export const runCrmRule = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTags({
      // Jobs of an archived tenant end without an effect.
      TenantNotFound: () => Effect.succeed(done),
      ProviderFailure: (failure) => failed(queued, failure),
      CrmNotInstalled: ({ message }) => giveUp(queued, message)
    })
  )
