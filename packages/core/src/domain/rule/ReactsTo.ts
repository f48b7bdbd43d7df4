import { isDate } from "../time/WallClock.ts"
import type { Change, ChangeType } from "../webhook/Change.ts"
import type { ChangeTrigger } from "./Trigger.ts"

const isBelow = (score: Change["from"], limit: number): boolean => typeof score !== "number" || score < limit

/** The parts of a change on which triggers depend. */
type ChangedValue = Pick<Change, "type" | "leadId" | "field" | "from" | "to"> & {
  readonly task: Pick<NonNullable<Change["task"]>, "type"> | null
}

/** Returns whether a change of a custom field is that of the record and field of a trigger. */
const isOfField = (
  { entity = "contact", field }: Extract<ChangeTrigger, { readonly field: string }>,
  change: ChangedValue
): boolean => field === change.field && entity === (change.leadId === null ? "contact" : "lead")

/** Returns the type of the changes to which a trigger reacts. */
export const changeTypeOf = ({ type }: ChangeTrigger): ChangeType => (type === "date_reached" ? "field_changed" : type)

/** Returns whether a rule with this trigger reacts to a change. */
export const reactsTo = (trigger: ChangeTrigger, change: ChangedValue): boolean => {
  if (changeTypeOf(trigger) !== change.type) return false
  switch (trigger.type) {
    case "lead_state_changed":
    case "lead_stage_changed":
      return (trigger.from ?? change.from) === change.from && (trigger.to ?? change.to) === change.to
    case "tag_added":
      return trigger.tag === change.to
    case "tag_removed":
      return trigger.tag === change.from
    case "field_changed":
      return isOfField(trigger, change)
    case "date_reached":
      return isOfField(trigger, change) && typeof change.to === "string" && isDate(change.to)
    case "score_reached":
      return isBelow(change.from, trigger.score) && !isBelow(change.to, trigger.score)
    case "task_due":
      return trigger.task_type === undefined || trigger.task_type === change.task?.type
  }
}
