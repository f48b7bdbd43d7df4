import { Schema } from "effect"
import { Time } from "../Field.ts"
import { ContactId, LeadId, MessageId, TriggerRunId } from "../Id.ts"
import { RunAction } from "./Run.ts"
import { type TimeTrigger, timeTriggerTypes } from "../rule/Trigger.ts"

/** The states of a trigger run. All but `waiting` are final. */
export const triggerRunStates = ["waiting", "ran", "not_matched", "prevented"] as const
export type TriggerRunState = (typeof triggerRunStates)[number]

/** The run of one rule for one cause, from the cause to its end. While it waits, it is the timer of the rule. */
export class TriggerRun extends Schema.Opaque<TriggerRun>()(
  Schema.Struct({
    triggerRunId: TriggerRunId.annotate({ description: "Trigger run id (`trg_…`)" }),
    tenantId: Schema.String,
    ruleId: Schema.String.annotate({ description: "The rule" }),
    ruleName: Schema.String.annotate({ description: "The name of the rule at its last evaluation, or at the cause" }),
    trigger: Schema.Literals(timeTriggerTypes).annotate({ description: "The trigger of the rule" }),
    /** Identifies the cause within the rule, from `causeOf`. */
    cause: Schema.String,
    contactId: ContactId.annotate({ description: "The contact of the conversation" }),
    leadId: Schema.NullOr(LeadId).annotate({
      description: "The lead of the conversation when the rule was evaluated; null: none, or not evaluated"
    }),
    messageId: MessageId.annotate({
      description: "The message that is the cause: ours for `no_answer`, the contact's for `unanswered`"
    }),
    causeAt: Time.annotate({ description: "The time from which the trigger counts (ISO 8601 in UTC)" }),
    runAt: Time.annotate({ description: "The time at which the rule is due (ISO 8601 in UTC)" }),
    state: Schema.Literals(triggerRunStates).annotate({
      description:
        "`waiting`: until `run_at`. `ran`: the actions were carried out. `not_matched`: the condition was false. `prevented`: the cause or the rule no longer applied"
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
    /** The number of claims by workers. It identifies the current claim. */
    attempts: Schema.Int,
    /** The time from which a worker can claim the run. */
    dueAt: Time,
    createdAt: Time.annotate({ description: "The time at which the cause was stored (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** FROZEN, because causes are stored. Returns the key of a message as a cause. */
export const causeOf = (contactId: ContactId, timestamp: number): string => `${contactId}:${timestamp}`

const minuteMillis = 60_000

/** Returns the time at which a rule with this trigger is due. */
export const triggerTime = (causeAt: number, trigger: TimeTrigger): number =>
  causeAt + trigger.after_minutes * minuteMillis

/** A filter for trigger runs. A null field does not filter. */
export interface TriggerRunFilter {
  readonly ruleId: string | null
  readonly contactId: string | null
}
