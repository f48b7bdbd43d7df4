import { Clock, Effect } from "effect"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import type { QueuedJob } from "../../domain/job/Job.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { CrmJob } from "../../domain/crm/CrmJob.ts"
import { syncedFieldsOf } from "../../domain/crm/CrmContact.ts"
import { withSpan } from "../WithSpan.ts"
import { addTask } from "../task/OpenTask.ts"

/**
 * Stops sending a change of a contact that the CRM rejects, and creates a task for a person. The change is not sent
 * again until the contact changes.
 */
export const abandonSync = Effect.fnUntraced(function* (
  { job, tenantId }: QueuedJob<Extract<CrmJob, { readonly kind: "crm_sync" }>>,
  reason: string
) {
  const now = yield* Clock.currentTimeMillis
  const taskId = yield* (yield* Ids).next("task")
  const links = yield* CrmLinks
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* resolveMergedContact(tenantId, job.contactId)
      if (contact === null) return
      const { contactId } = contact
      for (const link of yield* links.ofContact(tenantId, contactId)) {
        if (link.locationId !== job.locationId) continue
        yield* links.replace({ ...link, ours: syncedFieldsOf(contact), sending: null, updatedAt: now }, link.version)
      }
      yield* addTask({
        taskId,
        tenantId,
        type: "review",
        title: `The CRM rejects this contact: ${reason}`.slice(0, 200),
        contactId,
        leadId: null,
        signalId: null,
        dueAt: null,
        createdAt: now
      })
    })
  )
}, withSpan("abandonSync"))
