import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { LeadId, TaskId } from "../../domain/Id.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { changeTypeOf, reactsTo } from "../../domain/rule/ReactsTo.ts"
import type { ChangeTrigger } from "../../domain/rule/Trigger.ts"
import type { CauseChange, TriggerRun } from "../../domain/run/TriggerRun.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { placeLead } from "../deal/LeadPlaces.ts"
import { never } from "./NotNow.ts"

/** The lead of a change; null: that of the conversation. */
interface Changed {
  readonly lead: Lead | null
}

const readLead = Effect.fnUntraced(function* (tenantId: string, leadId: LeadId | null) {
  if (leadId === null) return null
  const lead = yield* (yield* Leads)
    .get(tenantId, leadId)
    .pipe(Effect.catchTag("LeadNotFound", () => Effect.succeed(null)))
  return lead === null || lead.mergedInto !== null ? null : lead
})

const edited = never("the trigger of the rule was changed")

const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns why a custom field no longer has the value of a change; null if it does. */
const fieldReason = ({ field, to }: CauseChange, { customFields }: Pick<Contact, "customFields">) =>
  sameValue(customFields[field] ?? null, to) ? null : `the field ${field} has changed again`

/** Returns why a change of the contact no longer applies; null if it does. */
const contactReason = (change: CauseChange, trigger: ChangeTrigger, contact: Contact) => {
  const { tags } = contact
  if (trigger.type === "tag_added") return tags.includes(trigger.tag) ? null : "the tag was removed"
  if (trigger.type === "tag_removed") return tags.includes(trigger.tag) ? "the tag was added again" : null
  return fieldReason(change, contact)
}

/** Returns why a change of the lead no longer applies; null if it does. */
const leadReason = Effect.fnUntraced(function* (
  run: TriggerRun,
  change: CauseChange,
  trigger: ChangeTrigger,
  lead: Lead
) {
  const { to } = change
  if (trigger.type === "field_changed" || trigger.type === "date_reached") return fieldReason(change, lead)
  if (trigger.type === "score_reached")
    return lead.score !== null && lead.score >= trigger.score ? null : `the score is below ${trigger.score} again`
  if (yield* (yield* TriggerRuns).isRepeated(run)) return "the rule has a newer change of the lead"
  if (trigger.type === "lead_state_changed") return lead.state === to ? null : `the lead is ${lead.state}`
  return (yield* placeLead(lead)).stageId === to ? null : "the lead is in another stage"
})

/** Returns why a task is no longer due at the time of a run; null if it is. */
const readTask = Effect.fnUntraced(function* (
  { causeAt, tenantId }: TriggerRun,
  change: CauseChange,
  trigger: ChangeTrigger,
  taskId: TaskId
) {
  const found = (yield* Tasks).get(tenantId, taskId)
  const task = yield* found.pipe(Effect.catchTag("TaskNotFound", () => Effect.succeed(null)))
  if (task === null) return never("the task was deleted")
  if (!reactsTo(trigger, { ...change, type: changeTypeOf(trigger), leadId: null, task })) return edited
  if (task.status === "done") return never("the task is done")
  if (task.dueAt !== causeAt) return never("the due time of the task has changed")
  return { lead: yield* readLead(tenantId, task.leadId) } satisfies Changed
})

/** Reads the lead of a run whose cause is a change, or why the change no longer applies. */
export const readChanged = Effect.fnUntraced(function* (run: TriggerRun, trigger: ChangeTrigger, contact: Contact) {
  const { change, leadId, taskId, tenantId } = run
  if (change === null) return edited
  if (taskId !== null) return yield* readTask(run, change, trigger, taskId)
  if (!reactsTo(trigger, { ...change, type: changeTypeOf(trigger), leadId, task: null })) return edited
  if (leadId === null) {
    const reason = contactReason(change, trigger, contact)
    return reason === null ? ({ lead: null } satisfies Changed) : never(reason)
  }
  const lead = yield* readLead(tenantId, leadId)
  if (lead === null) return never("the lead was merged into another")
  if (lead.contactId !== contact.contactId) return never("the lead belongs to another contact")
  const reason = yield* leadReason(run, change, trigger, lead)
  return reason === null ? ({ lead } satisfies Changed) : never(reason)
})
