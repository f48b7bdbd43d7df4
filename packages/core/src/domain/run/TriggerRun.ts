import { Schema } from "effect"
import { Time } from "../Field.ts"
import { addDays, minutesOf, wallClock } from "../time/WallClock.ts"
import { FieldValue } from "../field/FieldValues.ts"
import { ContactId, LeadId, MessageId, TaskId, TriggerRunId } from "../Id.ts"
import { RunAction } from "./Run.ts"
import { isStartTrigger, type QueuedTrigger, queuedTriggerTypes } from "../rule/Trigger.ts"

/** The states of a trigger run. All but `waiting` are final. */
export const triggerRunStates = ["waiting", "ran", "not_matched", "prevented"] as const
export type TriggerRunState = (typeof triggerRunStates)[number]

/** A change that is the cause of a run. */
export const CauseChange = Schema.Struct({
  field: Schema.String.annotate({
    description: "`state`, `stage_id`, `score`, `tags`, `due_at`, `url`, or the key of a custom field"
  }),
  from: Schema.NullOr(FieldValue).annotate({ description: "The former value, or the removed tag; null: none" }),
  to: Schema.NullOr(FieldValue).annotate({ description: "The new value, or the added tag; null: none" })
}).annotate({ identifier: "TriggerRunChange", description: "A change of one value" })

export type CauseChange = typeof CauseChange.Type

/** The run of one rule for one cause, from the cause to its end. While it waits, it is the timer of the rule. */
export class TriggerRun extends Schema.Opaque<TriggerRun>()(
  Schema.Struct({
    triggerRunId: TriggerRunId.annotate({ description: "Trigger run id (`trg_…`)" }),
    tenantId: Schema.String,
    ruleId: Schema.String.annotate({ description: "The rule" }),
    ruleName: Schema.String.annotate({ description: "The name of the rule at its last evaluation, or at the cause" }),
    trigger: Schema.Literals(queuedTriggerTypes).annotate({ description: "The trigger of the rule" }),
    /** Identifies the cause within the rule, from `causeOf`. */
    cause: Schema.String,
    contactId: ContactId.annotate({ description: "The contact of the conversation" }),
    leadId: Schema.NullOr(LeadId).annotate({
      description:
        "The lead that changed; for other causes, the lead of the conversation when the rule was evaluated; null: none"
    }),
    messageId: Schema.NullOr(MessageId).annotate({
      description:
        "The message that is the cause: ours for `no_answer` and `link_opened`, the contact's for `unanswered`; null: another cause"
    }),
    taskId: Schema.NullOr(TaskId).annotate({
      description: "The task of the trigger `task_due`; null: another trigger"
    }),
    change: Schema.NullOr(CauseChange).annotate({
      description: "The change that is the cause; null: another cause"
    }),
    causeAt: Time.annotate({ description: "The time from which the trigger counts (ISO 8601 in UTC)" }),
    runAt: Time.annotate({ description: "The time at which the rule is due (ISO 8601 in UTC)" }),
    state: Schema.Literals(triggerRunStates).annotate({
      description:
        "`waiting`: until `run_at`. `ran`: the actions were carried out. `not_matched`: the condition was false. `prevented`: the cause or the rule no longer applied, or the run failed five times because of a defect of the server"
    }),
    reason: Schema.NullOr(Schema.String).annotate({
      description: "Why the rule waits longer, matched, did not match or was prevented; null: it waits for `run_at`"
    }),
    actions: Schema.Array(RunAction).annotate({
      description: "The actions with their outcomes; empty unless it `ran`"
    }),
    configVersion: Schema.NullOr(Schema.Int).annotate({
      description: "The version of the configuration that decided; null: not evaluated"
    }),
    /**
     * The acceptance of the first message of the contact that was stored while a run of `no_answer` waited. The database
     * sets it when it stores the message, so it does not depend on the clocks of servers. Null: none.
     */
    answeredAt: Schema.NullOr(Time),
    /** The number of claims by workers. It identifies the current claim. */
    attempts: Schema.Int,
    /** The number of consecutive attempts that ended with a defect. Progress sets it to 0. */
    defects: Schema.Int,
    /** The time from which a worker can claim the run. */
    dueAt: Time,
    createdAt: Time.annotate({ description: "The time at which the cause was stored (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** FROZEN, because causes are stored. Returns the key of a message as a cause. */
export const causeOf = (contactId: ContactId, timestamp: number): string => `${contactId}:${timestamp}`

/** FROZEN. Returns the key of the due time of a task as a cause. A due time that is set again is the same cause. */
export const dueKeyOf = (taskId: TaskId, dueAt: number): string => `${taskId}:${dueAt}`

/** FROZEN. Returns the key of a date in a field as a cause. A date that is set again is the same cause. */
export const dateKeyOf = (contactId: ContactId, field: string, date: string): string => `${contactId}:${field}:${date}`

/** FROZEN. Returns the key of the date in a custom field of a lead as a cause. */
export const leadDateKeyOf = (leadId: LeadId, field: string, date: string): string => `${leadId}:${field}:${date}`

/** FROZEN. Returns the key of the first opening of a link as a cause. */
export const linkKeyOf = (messageId: MessageId, position: number): string => `link:${messageId}:${position}`

/** FROZEN. Returns the key of the firing of a schedule for a contact as a cause. */
export const firingKeyOf = (contactId: ContactId, firingAt: number): string => `${contactId}:schedule:${firingAt}`

const minuteMillis = 60_000

/** The default time of day for dates, in minutes. */
const morning = 540

/**
 * Returns the time at which a rule with this trigger is due. A date has no time of its own: the rule is due at the time
 * of its trigger in the tenant's time zone.
 */
export const triggerTime = (
  trigger: QueuedTrigger,
  { causeAt, change }: Pick<TriggerRun, "causeAt" | "change">,
  timeZone: string
): number => {
  if (isStartTrigger(trigger)) return causeAt
  if (trigger.type !== "date_reached") return causeAt + (trigger.after_minutes ?? 0) * minuteMillis
  const { at, days = 0 } = trigger
  const minuteOfDay = (at === undefined ? null : minutesOf(at)) ?? morning
  return wallClock(timeZone).moment({ date: addDays(String(change?.to), days), minuteOfDay })
}

/** A filter for trigger runs. A null field does not filter. */
export interface TriggerRunFilter {
  readonly ruleId: string | null
  readonly contactId: string | null
}
