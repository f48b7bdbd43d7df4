import { Effect } from "effect"
import type { CrmOperation } from "../../domain/crm/CrmRuleJob.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import type { CrmRuleAction } from "../../domain/rule/CrmRuleAction.ts"
import type { Rendered } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"

type Outcome = Pick<RunAction, "outcome" | "reason">

const minuteMillis = 60_000
/** The default due time of a CRM task: one day, in minutes. The CRM requires a due date for each task. */
const defaultMinutes = 1_440

const skipped = (reason: string): Outcome => ({ outcome: "skipped", reason })

/** Returns the rendered text of a template. If rendering failed, fails with the outcome `skipped`. */
const textOf = (rendered: Rendered | undefined) =>
  rendered === undefined || "failure" in rendered
    ? Effect.fail(skipped(rendered?.failure ?? "its template was not rendered"))
    : Effect.succeed(rendered.text)

const operationOf = Effect.fnUntraced(function* (
  target: ActionTarget,
  action: CrmRuleAction,
  rendered: Rendered | undefined
) {
  switch (action.action) {
    case "add_tag":
    case "remove_tag":
      return { action: action.action, tag: action.tag } satisfies CrmOperation
    case "add_note":
      return { action: "add_note", body: yield* textOf(rendered) } satisfies CrmOperation
    case "create_task": {
      const body = action.body === undefined ? null : yield* textOf(rendered)
      const dueAt = target.now + (action.due_in_minutes ?? defaultMinutes) * minuteMillis
      return { action: "create_task", title: action.title, body, dueAt } satisfies CrmOperation
    }
    case "add_to_workflow":
      return { action: "add_to_workflow", workflowId: action.workflow_id } satisfies CrmOperation
    case "update_contact":
      return { action: "update_contact", fields: action.fields } satisfies CrmOperation
  }
})

/**
 * Fails with the outcome `skipped` if the app is not installed in the given location. Without a given location, fails
 * if it is installed in no location of the tenant.
 */
const requireInstall = Effect.fnUntraced(function* ({ tenant }: ActionTarget, locationId: string | undefined) {
  const installs = (yield* (yield* CrmInstalls).list(tenant.tenantId)).filter(({ status }) => status !== "uninstalled")
  if (installs.length === 0) return yield* Effect.fail(skipped("no CRM connected"))
  if (locationId !== undefined && !installs.some((install) => install.locationId === locationId)) {
    return yield* Effect.fail(skipped(`the location ${locationId} is not connected`))
  }
})

/**
 * Queues a rule's CRM operation as a job, in the unit of work of the run. The job is stored only once, even if the run
 * is retried. Skips the operation when no location can carry it out. `position` is the index of the action in the run.
 */
export const queueCrmAction = Effect.fnUntraced(function* (
  target: ActionTarget,
  ruleId: string,
  position: number,
  action: CrmRuleAction,
  rendered?: Rendered
) {
  const { causeId, contact, lead, now, signalId, tenant } = target
  const { tenantId } = tenant
  const queue = Effect.gen(function* () {
    yield* requireInstall(target, action.location_id)
    const operation = yield* operationOf(target, action, rendered)
    yield* (yield* Jobs).put({
      tenantId,
      jobId: `crm_action:${causeId}:${position}`,
      dueAt: now,
      createdAt: now,
      job: {
        kind: "crm_action",
        ruleId,
        signalId,
        contactId: contact.contactId,
        leadId: lead?.leadId ?? null,
        locationId: action.location_id ?? null,
        operation,
        begun: false
      }
    })
    return { outcome: "done", reason: `queued for the CRM: ${action.action}` } satisfies Outcome
  })
  return yield* Effect.catchIf(
    queue,
    (error) => "outcome" in error,
    (reason) => Effect.succeed(reason)
  )
})
